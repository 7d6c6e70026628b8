package dev.touchstone.queue.log.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers that a pool hands out and keeps. */
class BufferPoolTest {
    private static final int MAX_FREE_BYTES = 16 << 20;
    private final BufferPool pool = new BufferPool();

    @ParameterizedTest
    @ValueSource(ints = {1, 4095, 4096, 4097, 16 << 10, (16 << 10) + 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 5 << 20})
    void take_ofAnySize_hasRoomForRecordsAndConsumption(int recordBytes) {
        ByteBuffer first = pool.take(recordBytes);
        ByteBuffer second = pool.take(recordBytes);
        assertThat(first.capacity()).isGreaterThanOrEqualTo(recordBytes + ConsumptionRecords.MAX_BYTES);
        assertThat(second).isNotSameAs(first);
        pool.give(first);
        boolean kept = recordBytes <= 1 << 20;
        ByteBuffer third = pool.take(recordBytes);
        if (kept) {
            assertThat(third).isSameAs(first);
        } else {
            assertThat(third).isNotSameAs(first);
        }
        assertThat(third.capacity()).isEqualTo(first.capacity());
    }

    @Test
    void give_ofMoreThanThePoolKeeps_leavesTheRestToTheCollector() {
        int recordBytes = 1 << 20;
        Set<ByteBuffer> given = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 20; i++) {
            given.add(pool.take(recordBytes));
        }
        given.forEach(pool::give);
        int kept = 0;
        while (given.remove(pool.take(recordBytes))) {
            kept++;
        }
        assertThat(kept).isEqualTo(MAX_FREE_BYTES / (recordBytes + ConsumptionRecords.MAX_BYTES));
    }
}

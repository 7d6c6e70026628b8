package dev.touchstone.queue.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.log.LogOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EntryTest {
    private static final CallSettings SETTINGS = new CallSettings(
            new LogOptions.Limits(7, 8, 0, LogOptions.WhenFull.DROP_OLDEST),
            new LogOptions.Leases(9, Duration.ofMillis(10)),
            true);
    private static final List<Command> ALL = List.of(
            Command.offer(new byte[3]),
            Command.offer(new byte[0], 5L),
            Command.offerAll(List.of(new byte[1], new byte[0])),
            Command.produce("p", 7, new byte[9]),
            Command.of(Command.POLL, 0),
            Command.of(Command.PEEK, 0),
            Command.of(Command.LEASE, 1),
            Command.of(Command.RESERVE, 1, 2),
            Command.of(Command.ACKNOWLEDGE, 1, 2, 3),
            Command.giveBack(1, 2, 3, 4, true),
            Command.of(Command.EXTEND, 1, 2, 3, 4),
            Command.of(Command.REMOVE, 1, 2),
            Command.of(Command.CLEAR, 1),
            Command.named(Command.MAKE_CURSOR, "name"),
            Command.named(Command.DROP_CURSOR, "name"),
            Command.of(Command.LEAVE));

    @Test
    void stamp_ofAnEntryOfAllKinds_isReadBackWithItsCommands() {
        Entry entry = new Entry(SETTINGS, 11, 12, ALL);
        assertThat(Entry.stamp(entry.bytes(), 99)).isTrue();
        ByteBuffer source = ByteBuffer.wrap(entry.bytes());
        assertThat(Entry.Header.read(source)).isEqualTo(new Entry.Header(99, SETTINGS, 11, 12, ALL.size()));
        for (Command command : ALL) {
            assertThat(Entry.next(source)).isEqualTo(ByteBuffer.wrap(command.bytes()));
        }
        assertThat(source.hasRemaining()).isFalse();
    }

    @Test
    void fault_ofAnyPartOfAnEntry_isTold() {
        byte[] whole = new Entry(SETTINGS, 1, 1, ALL).bytes();
        for (int length = 0; length < whole.length; length++) {
            assertThat(Entry.fault(ByteBuffer.wrap(whole, 0, length).slice()))
                    .as("length %d", length)
                    .isNotNull();
        }
        assertThat(Entry.fault(ByteBuffer.wrap(Arrays.copyOf(whole, whole.length + 1))))
                .isNotNull();
    }

    @Test
    void fault_ofChangedBytes_neverThrows() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        byte[] whole = new Entry(SETTINGS, 1, 1, ALL).bytes();
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = whole.clone();
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            String fault = Entry.fault(ByteBuffer.wrap(changed));
            assertThat(fault == null || !fault.isEmpty()).as("seed %d", seed).isTrue();
        }
    }
}

package dev.touchstone.builds.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Compares what guests may hold of what they share with a model that adds up. */
class AllowanceTest {
    private static final int OWN = 1_000;

    private final AtomicLong shared = new AtomicLong();

    @Test
    void guest_aboveWhatAllShare_isRefused_andOthersKeepTheirOwn() {
        OriginDoor.Allowance greedy = new OriginDoor.Allowance(shared, OWN);
        OriginDoor.Allowance modest = new OriginDoor.Allowance(shared, OWN);
        assertThat(greedy.hold(OWN + OriginDoor.Allowance.MAX_SHARED_BYTES)).isTrue();
        assertThat(greedy.isScarce()).isTrue();
        assertThat(modest.hold(OWN)).isTrue();
        assertThat(modest.isScarce()).isFalse();
        assertThat(modest.add(1)).isFalse();
        assertThat(greedy.add(1)).isFalse();
        assertThat(modest.hold(OWN)).isTrue();
        greedy.close();
        assertThat(greedy.add(1)).isFalse();
        assertThat(modest.add(1)).isTrue();
        assertThat(shared).hasValue(1);
    }

    @Test
    void guests_atRandom_shareTheSumOfWhatIsAboveTheirOwn() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<OriginDoor.Allowance> guests = new ArrayList<>();
        long[] held = new long[20];
        for (int i = 0; i < held.length; i++) {
            guests.add(new OriginDoor.Allowance(shared, OWN));
        }
        for (int step = 0; step < 20_000; step++) {
            int guest = random.nextInt(held.length);
            long bytes = random.nextInt(4 * OWN);
            if (random.nextBoolean()) {
                held[guest] = bytes;
                assertThat(guests.get(guest).hold(bytes)).isTrue();
            } else if (random.nextInt(10) == 0) {
                guests.get(guest).close();
                guests.set(guest, new OriginDoor.Allowance(shared, OWN));
                held[guest] = 0;
            }
            long sum = 0;
            for (long of : held) {
                sum += Math.max(0, of - OWN);
            }
            assertThat(shared.get()).as("seed=" + seed + " step=" + step).isEqualTo(sum);
        }
    }
}

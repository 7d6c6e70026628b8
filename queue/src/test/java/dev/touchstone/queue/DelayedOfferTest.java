package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DelayedOfferTest {
    private static final Duration NEVER = Duration.ofDays(1000);
    private static final Duration SOON = Duration.ofMillis(30);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private DiskQueueBuilder<String> builder(Durability durability) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(64 << 10)
                .codec(Codec.utf8());
    }

    @ParameterizedTest
    @EnumSource
    void offer_delayed_isPassedOverAndStaysInTheQueue(Durability durability) {
        try (DiskQueue<String> queue = builder(durability).open()) {
            assertThat(queue.offer("later", NEVER)).isTrue();
            queue.add("now");
            assertThat(queue).containsExactly("later", "now").hasSize(2);
            assertThat(queue.get(1)).isEqualTo("later");
            assertThat(queue.contains("later")).isTrue();
            assertThat(queue.peek()).isEqualTo("now");
            assertThat(queue.poll()).isEqualTo("now");
            assertThat(queue.poll()).isNull();
            assertThat(queue.lease()).isNull();
            assertThat(queue).containsExactly("later");
        }
        try (DiskQueue<String> queue = builder(durability).open()) {
            assertThat(queue.poll()).isNull();
            assertThat(queue).containsExactly("later").hasSize(1);
            assertThat(queue.remove("later")).isTrue();
            assertThat(queue).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void poll_waiting_getsADelayedElementWhenItsTimeHasCome(Durability durability) throws Exception {
        try (DiskQueue<String> queue = builder(durability).open()) {
            long due = System.currentTimeMillis() + SOON.toMillis();
            queue.offer("soon", SOON);
            assertThat(queue.poll(PATIENCE)).isEqualTo("soon");
            assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(due);
            assertThat(queue).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void lease_afterReopen_getsADelayedElementOnItsFirstDelivery(Durability durability) throws Exception {
        long due = System.currentTimeMillis() + SOON.toMillis();
        try (DiskQueue<String> queue = builder(durability).open()) {
            queue.offer("soon", SOON);
        }
        try (DiskQueue<String> queue = builder(durability).open();
                Lease<String> lease = Objects.requireNonNull(queue.lease(PATIENCE))) {
            assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(due);
            assertThat(lease.element()).isEqualTo("soon");
            assertThat(lease.deliveries()).isEqualTo(1);
            assertThat(lease.ack()).isTrue();
        }
        try (DiskQueue<String> queue = builder(durability).open()) {
            assertThat(queue).isEmpty();
        }
    }

    @Test
    void offer_delaysInAnyOrder_noneComesBeforeItsTimeAndNoneIsLost() throws Exception {
        Set<String> left = new HashSet<>();
        try (DiskQueue<String> queue = builder(Durability.WRITTEN).open()) {
            for (int millis : new int[] {90, 1, 45, 60, 30, 120}) {
                String due = Long.toString(System.currentTimeMillis() + millis);
                left.add(due);
                queue.offer(due, Duration.ofMillis(millis));
            }
            while (!left.isEmpty()) {
                String due = queue.poll(PATIENCE);
                assertThat(left.remove(due)).as("%s of %s", due, left).isTrue();
                assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(Long.parseLong(due));
            }
            assertThat(queue).isEmpty();
        }
    }

    @Test
    void offer_delayedElementOfTheLongestLength_fits() {
        try (DiskQueue<byte[]> queue =
                DiskQueue.written().folder(folder).segmentBytes(64 << 10).open()) {
            byte[] longest = new byte[(64 << 10) - (8 << 10)];
            longest[longest.length - 1] = 1;
            queue.offer(longest, NEVER);
            assertThat(queue.get(1)).isEqualTo(longest);
            assertThat(queue.visit(1, (sequence, payload) -> {
                        assertThat(payload.remaining()).isEqualTo(longest.length);
                        return true;
                    }))
                    .isEqualTo(1);
        }
    }

    @Test
    void offer_negativeDelay_isRefused_andZeroIsNone() {
        try (DiskQueue<String> queue = builder(Durability.WRITTEN).open()) {
            assertThatThrownBy(() -> queue.offer("x", Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("PT-0.001S");
            queue.offer("now", Duration.ZERO);
            queue.offer("never", Duration.ofSeconds(Long.MAX_VALUE));
            assertThat(queue.poll()).isEqualTo("now");
            assertThat(queue.poll()).isNull();
            assertThat(queue.size()).isEqualTo(1);
        }
    }
}

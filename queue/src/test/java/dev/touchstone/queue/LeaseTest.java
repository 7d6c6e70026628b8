package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Elements on lease: handed out, acknowledged, given back, too late. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaseTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private DiskQueueBuilder<String> builder(Durability durability) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(64 << 10)
                .leases(10, LONG)
                .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                .codec(Codec.utf8());
    }

    private static Lease<String> lease(QueueCursor<String> cursor) {
        return requireNonNull(cursor.lease());
    }

    @ParameterizedTest
    @EnumSource
    void lease_thatRanOut_isHandedOutAgainAndItsAckIsLate(Durability durability) throws InterruptedException {
        try (DiskQueue<String> queue =
                builder(durability).leases(10, Duration.ofMillis(20)).open()) {
            queue.addAll(List.of("a", "b"));
            Lease<String> first = lease(queue);
            assertThat(first.deliveries()).isEqualTo(1);
            lease(queue).ack();
            Lease<String> second = requireNonNull(queue.lease(PATIENCE));
            assertThat(second.element()).isEqualTo("a");
            assertThat(second.sequence()).isEqualTo(first.sequence());
            assertThat(second.deliveries()).isEqualTo(2);
            assertThat(first.ack()).isFalse();
            assertThat(first.nack()).isFalse();
            assertThat(queue.longSize()).isEqualTo(1);
            Lease<String> third = requireNonNull(queue.lease(PATIENCE));
            assertThat(third.deliveries()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void poll_afterALeaseRanOut_givesTheElement(Durability durability) throws InterruptedException {
        try (DiskQueue<String> queue =
                builder(durability).leases(10, Duration.ofMillis(20)).open()) {
            queue.add("a");
            Lease<String> lease = lease(queue);
            assertThat(queue.blocking().take()).isEqualTo("a");
            assertThat(lease.ack()).isFalse();
            assertThat(queue).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void nack_ofSeveral_givesTheOldestBackFirst(Durability durability) {
        try (DiskQueue<String> queue = builder(durability).open()) {
            queue.addAll(List.of("a", "b", "c", "d"));
            Lease<String> a = lease(queue);
            Lease<String> b = lease(queue);
            Lease<String> c = lease(queue);
            assertThat(queue.peek()).isEqualTo("d");
            assertThat(c.nack()).isTrue();
            assertThat(a.nack()).isTrue();
            assertThat(queue.peek()).isEqualTo("a");
            Lease<String> again = lease(queue);
            assertThat(again.element()).isEqualTo("a");
            assertThat(again.deliveries()).isEqualTo(2);
            assertThat(queue.poll()).isEqualTo("c");
            assertThat(queue.poll()).isEqualTo("d");
            assertThat(b.ack()).isTrue();
            again.close();
            assertThat(queue.poll()).isEqualTo("a");
            assertThat(queue).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void ack_afterAnyEnd_isFalseAndDoesNothing(Durability durability) {
        try (DiskQueue<String> queue = builder(durability).open()) {
            queue.addAll(List.of("a", "b"));
            Lease<String> acknowledged = lease(queue);
            assertThat(acknowledged.ack()).isTrue();
            assertThat(acknowledged.ack()).isFalse();
            assertThat(acknowledged.nack()).isFalse();
            acknowledged.close();
            Lease<String> given = lease(queue);
            assertThat(given.nack()).isTrue();
            assertThat(given.nack()).isFalse();
            assertThat(given.ack()).isFalse();
            assertThat(queue).containsExactly("b");
            Lease<String> closed = lease(queue);
            closed.close();
            assertThat(closed.ack()).isFalse();
            Lease<String> cleared = lease(queue);
            queue.clear();
            assertThat(cleared.ack()).isFalse();
            assertThat(cleared.nack()).isFalse();
            assertThat(queue).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void ack_afterClose_isRefusedAndTheElementIsThereAgain(Durability durability) {
        DiskQueue<String> queue = builder(durability).open();
        queue.addAll(List.of("a", "b", "c"));
        Lease<String> a = lease(queue);
        assertThat(lease(queue).ack()).isTrue();
        queue.close();
        assertThatThrownBy(a::ack).isInstanceOf(QueueClosedException.class);
        try (DiskQueue<String> again = builder(durability).open()) {
            assertThat(again.size()).isEqualTo(2);
            Lease<String> first = lease(again);
            assertThat(first.element()).isEqualTo("a");
            assertThat(first.deliveries()).isEqualTo(2); // counted on disk
            assertThat(again.poll()).isEqualTo("c");
        }
    }

    @ParameterizedTest
    @EnumSource
    void lease_ofMoreThanTheBound_isNullUntilOneEnds(Durability durability) {
        try (DiskQueue<String> queue = builder(durability).leases(2, LONG).open()) {
            queue.addAll(List.of("a", "b", "c"));
            Lease<String> a = lease(queue);
            lease(queue);
            assertThat(queue.lease()).isNull();
            assertThat(queue.leased()).isEqualTo(2);
            assertThat(a.ack()).isTrue();
            assertThat(lease(queue).element()).isEqualTo("c");
        }
    }

    /** Not only until the next element comes: there is one already. */
    @ParameterizedTest
    @EnumSource
    void lease_ofMoreThanTheBoundWithATimeout_sleepsUntilOneEnds(Durability durability) throws Exception {
        try (DiskQueue<String> queue = builder(durability).leases(1, LONG).open()) {
            queue.addAll(List.of("a", "b"));
            Lease<String> a = lease(queue);
            FutureTask<Lease<String>> second = new FutureTask<>(() -> queue.lease(PATIENCE));
            Thread thread = new Thread(second);
            thread.start();
            Waits.untilWaiting(thread);
            assertThat(a.ack()).isTrue();
            assertThat(second.get(40, TimeUnit.SECONDS).element()).isEqualTo("b");
        }
    }

    @ParameterizedTest
    @EnumSource
    void ack_outOfOrderOverManySegments_survivesAReopen(Durability durability) {
        List<String> left = new ArrayList<>();
        try (DiskQueue<String> queue = builder(durability).leases(400, LONG).open()) {
            List<Lease<String>> leases = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                queue.add(i + ":" + "x".repeat(1000));
                leases.add(lease(queue));
            }
            for (int i = 399; i >= 0; i--) {
                if (i % 2 == 0) {
                    assertThat(leases.get(i).ack()).isTrue();
                } else {
                    left.add(0, leases.get(i).element());
                }
            }
            assertThat(queue.longSize()).isEqualTo(200);
        }
        try (DiskQueue<String> queue = builder(durability).open()) {
            assertThat(queue).hasSize(200).containsExactlyElementsOf(left);
            for (String element : left) {
                assertThat(queue.poll()).isEqualTo(element);
            }
            assertThat(queue.poll()).isNull();
        }
    }
}

package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Elements that are handed out again: their delay and count, dead letters, and elements by their sequence. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RedeliveryTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    /** Strings, of which "bad" cannot be decoded. */
    private enum Picky implements Codec<String> {
        INSTANCE;

        @Override
        public byte[] encode(String element) {
            return element.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] payload) {
            String element = new String(payload, StandardCharsets.UTF_8);
            if (element.equals("bad")) {
                throw new IllegalStateException("cannot decode");
            }
            return element;
        }
    }

    private DiskQueueBuilder<String> builder(Durability durability) {
        return DiskQueueBuilder.of(durability).folder(folder.resolve("queue")).codec(Picky.INSTANCE);
    }

    private static Lease<String> lease(QueueCursor<String> cursor) throws InterruptedException {
        return requireNonNull(cursor.lease(PATIENCE));
    }

    @ParameterizedTest
    @EnumSource
    void nack_withALongDelay_letsOthersPassAlsoAfterAReopen(Durability durability) throws InterruptedException {
        try (DiskQueue<String> queue = builder(durability).open()) {
            queue.addAll(List.of("a", "b"));
            assertThat(lease(queue).nack(LONG)).isTrue();
            assertThat(queue.peek()).isEqualTo("b");
            assertThat(queue.size()).isEqualTo(2);
        }
        try (DiskQueue<String> queue = builder(durability).open()) {
            assertThat(queue.poll()).isEqualTo("b");
            assertThat(queue.poll()).isNull();
            assertThat(queue.lease()).isNull();
            assertThat(queue).containsExactly("a");
            assertThat(queue.get(1)).isEqualTo("a");
            assertThat(queue.remove(1)).isTrue();
            assertThat(queue).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void close_ofALease_delaysAsTheQueueSays(Durability durability) throws InterruptedException {
        try (DiskQueue<String> queue =
                builder(durability).redeliveryDelay(LONG, LONG).open()) {
            queue.add("a");
            lease(queue).close();
            assertThat(queue.lease()).isNull();
            assertThat(queue.poll()).isNull();
            assertThat(queue.isEmpty()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void deliveries_overReopens_goOn(Durability durability) throws InterruptedException {
        try (DiskQueue<String> queue = builder(durability).open()) {
            queue.add("a");
        }
        for (int delivery = 1; delivery <= 4; delivery++) {
            try (DiskQueue<String> queue = builder(durability).open()) {
                Lease<String> lease = lease(queue);
                assertThat(lease.deliveries()).isEqualTo(delivery);
                if (delivery % 2 == 0) {
                    assertThat(lease.nack(Duration.ZERO)).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void extend_ofALease_endsItEarlierOrLater(Durability durability) throws InterruptedException {
        try (DiskQueue<String> queue = builder(durability).leases(10, LONG).open()) {
            queue.add("a");
            Lease<String> first = lease(queue);
            assertThat(first.extend(LONG)).isTrue();
            assertThat(queue.lease()).isNull();
            assertThat(first.extend(Duration.ZERO)).isTrue();
            Lease<String> second = lease(queue);
            assertThat(second.deliveries()).isEqualTo(2);
            assertThat(first.extend(LONG)).isFalse();
            assertThat(first.ack()).isFalse();
            assertThat(second.ack()).isTrue();
            assertThatThrownBy(() -> second.extend(Duration.ofSeconds(-1)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void lease_afterMaxDeliveries_goesToTheDeadLetters(Durability durability) throws InterruptedException {
        try (DiskQueue<DeadLetter> dead = DiskQueueBuilder.of(durability)
                        .folder(folder.resolve("dead"))
                        .codec(DeadLetter.codec())
                        .open();
                DiskQueue<String> queue = builder(durability)
                        .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                        .maxDeliveries(2)
                        .deadLetters(dead)
                        .open()) {
            queue.addAll(List.of("a", "b"));
            assertThat(lease(queue).nack()).isTrue();
            assertThat(lease(queue).nack()).isTrue();
            assertThat(dead).isEmpty();
            assertThat(lease(queue).element()).isEqualTo("b");
            assertThat(queue.size()).isEqualTo(1);
            assertThat(dead.poll())
                    .isEqualTo(new DeadLetter(
                            1, "", DeadLetter.Reason.DELIVERIES, "not acknowledged", 2, Picky.INSTANCE.encode("a")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void undecodableElement_withDeadLetters_blocksNobodyAndGoesThere(Durability durability) {
        List<DeadLetter> dead = new ArrayList<>();
        try (DiskQueue<String> queue = builder(durability)
                .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                .maxDeliveries(2)
                .deadLetters(dead::add)
                .open()) {
            queue.addAll(List.of("bad", "b"));
            assertThatThrownBy(queue::poll).isInstanceOfSatisfying(UndecodableElementException.class, e -> {
                assertThat(e.sequence()).isEqualTo(1);
                assertThat(e.deliveries()).isEqualTo(1);
            });
            assertThat(queue.poll()).isEqualTo("b");
            assertThat(dead).hasSize(1);
            assertThat(dead.get(0).reason()).isEqualTo(DeadLetter.Reason.UNDECODABLE);
            assertThat(dead.get(0).deliveries()).isEqualTo(2);
            assertThat(dead.get(0).detail()).contains("cannot decode");
            assertThat(queue).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void undecodableElement_withoutDeadLetters_waitsBehindTheOthers(Durability durability) {
        try (DiskQueue<String> queue =
                builder(durability).redeliveryDelay(LONG, LONG).open()) {
            queue.addAll(List.of("bad", "b"));
            assertThatThrownBy(queue::poll).isInstanceOf(UndecodableElementException.class);
            assertThat(queue.poll()).isEqualTo("b");
            assertThat(queue.poll()).isNull();
            assertThat(queue.size()).isEqualTo(1);
            assertThatThrownBy(() -> queue.get(1)).isInstanceOf(UndecodableElementException.class);
        }
    }

    /** A failure that is hostile to whoever describes it. */
    @SuppressWarnings("OverrideThrowableToString")
    private static RuntimeException failure(Supplier<String> description) {
        return new IllegalStateException() {
            private static final long serialVersionUID = 1;

            @Override
            public String toString() {
                return description.get();
            }
        };
    }

    @SuppressWarnings("unchecked")
    private static <X extends Throwable> String rethrow(Class<X> unused, Throwable thrown) throws X {
        throw (X) thrown;
    }

    /** Ways in which a codec can fail; each is to leave the element where others can have it. */
    private static List<Supplier<String>> failures() {
        return List.of(
                () -> rethrow(RuntimeException.class, new IOException("checked")),
                () -> rethrow(RuntimeException.class, new Throwable("neither exception nor error")),
                () -> {
                    throw failure(() -> {
                        throw new StackOverflowError("toString");
                    });
                },
                () -> {
                    throw failure(() -> null);
                },
                () -> {
                    throw failure(() -> "x".repeat(1 << 20));
                },
                () -> null);
    }

    private DiskQueueBuilder<String> decoding(Supplier<String> decoder) {
        return builder(Durability.WRITTEN)
                .codec(new Codec<String>() {
                    @Override
                    public byte[] encode(String element) {
                        return Picky.INSTANCE.encode(element);
                    }

                    @Override
                    public String decode(byte[] payload) {
                        return decoder.get();
                    }
                })
                .redeliveryDelay(Duration.ZERO, Duration.ZERO);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void undecodableElement_howeverItsCodecFails_staysAndCanBeRead(Supplier<String> failure) {
        AtomicReference<Supplier<String>> decoder = new AtomicReference<>(failure);
        try (DiskQueue<String> queue = decoding(() -> decoder.get().get()).open()) {
            queue.add("a");
            for (Executable read : List.<Executable>of(
                    queue::poll,
                    queue::peek,
                    queue::lease,
                    () -> queue.get(1),
                    () -> queue.iterator().next())) {
                UndecodableElementException thrown = assertThrows(UndecodableElementException.class, read);
                assertThat(thrown.getMessage()).hasSizeLessThan(1200);
            }
            decoder.set(() -> "mended");
            assertThat(queue.poll()).isEqualTo("mended");
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void undecodableElement_howeverItsCodecFails_goesToTheDeadLetters(Supplier<String> failure) {
        try (DiskQueue<DeadLetter> dead = DiskQueue.written()
                        .folder(folder.resolve("dead"))
                        .codec(DeadLetter.codec())
                        .open();
                DiskQueue<String> queue =
                        decoding(failure).maxDeliveries(2).deadLetters(dead).open()) {
            queue.add("a");
            assertThatThrownBy(queue::poll).isInstanceOf(UndecodableElementException.class);
            assertThat(queue.poll()).isNull();
            assertThat(queue).isEmpty();
            DeadLetter letter = requireNonNull(dead.poll());
            assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.UNDECODABLE);
            assertThat(letter.detail()).isNotEmpty().hasSizeLessThanOrEqualTo(1000);
        }
    }

    @Test
    void error_ofACodec_isThrownAndTheElementStays() {
        AtomicReference<Supplier<String>> decoder = new AtomicReference<>(() -> {
            throw new StackOverflowError("codec");
        });
        try (DiskQueue<String> queue = decoding(() -> decoder.get().get()).open()) {
            queue.add("a");
            assertThatThrownBy(queue::poll).isInstanceOf(StackOverflowError.class);
            assertThatThrownBy(queue::peek).isInstanceOf(StackOverflowError.class);
            assertThatThrownBy(queue::lease).isInstanceOf(StackOverflowError.class);
            decoder.set(() -> "mended");
            assertThat(queue.poll()).isEqualTo("mended");
        }
    }

    /** Each second call of the codec fails, so that a peek that decodes has reserved the element. */
    @Test
    void peek_ofAnElementThatIsDecodedAtTheSecondAttempt_countsNoDelivery() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        List<DeadLetter> dead = new ArrayList<>();
        try (DiskQueue<String> queue = decoding(() -> {
                    if (calls.getAndIncrement() % 2 == 0) {
                        throw new IllegalStateException("flaky");
                    }
                    return "a";
                })
                .maxDeliveries(3)
                .deadLetters(dead::add)
                .open()) {
            queue.add("a");
            for (int i = 0; i < 5; i++) {
                assertThat(queue.peek()).isEqualTo("a");
            }
            assertThat(calls).hasValue(10);
            calls.set(1);
            assertThat(lease(queue).deliveries()).isEqualTo(1);
            assertThat(dead).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void deadLetters_thatThrow_keepTheElement(Durability durability) throws InterruptedException {
        try (DiskQueue<String> queue = builder(durability)
                .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                .maxDeliveries(1)
                .deadLetters(letter -> {
                    throw new IllegalStateException("full");
                })
                .open()) {
            queue.add("a");
            assertThat(lease(queue).nack()).isTrue();
            assertThatThrownBy(queue::lease).isInstanceOf(IllegalStateException.class);
            assertThat(queue).containsExactly("a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void append_givesASequence_thatGetAndRemoveTake(Durability durability) {
        try (DiskQueue<String> queue = builder(durability).open()) {
            List<Long> sequences = new ArrayList<>();
            for (String element : List.of("a", "b", "c")) {
                sequences.add(queue.append(element));
            }
            assertThat(sequences).containsExactly(1L, 2L, 3L);
            assertThat(queue.get(2)).isEqualTo("b");
            assertThat(queue.remove(2)).isTrue();
            assertThat(queue.remove(2)).isFalse();
            assertThat(queue.get(2)).isNull();
            assertThat(queue.get(0)).isNull();
            assertThat(queue.get(4)).isNull();
            assertThat(queue.remove(4)).isFalse();
            Lease<String> lease = requireNonNull(queue.lease());
            assertThat(queue.remove(1)).isTrue();
            assertThat(lease.ack()).isFalse();
            assertThat(queue).containsExactly("c");
        }
    }

    @Test
    void remove_ofANumberFromAQueueOfNumbers_isASequence() {
        Codec<Long> numbers = new Codec<>() {
            @Override
            public byte[] encode(Long element) {
                return Long.toString(element).getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public Long decode(byte[] payload) {
                return Long.valueOf(new String(payload, StandardCharsets.UTF_8));
            }
        };
        try (DiskQueue<Long> queue = builder(Durability.WRITTEN).codec(numbers).open()) {
            queue.addAll(List.of(7L, 1L));
            assertThat(queue.remove(1L)).isTrue();
            assertThat(queue).containsExactly(1L);
            assertThat(queue.remove((Object) 1L)).isTrue();
            assertThat(queue).isEmpty();
        }
    }

    @Test
    void remove_fromAQueueOfNamedCursorsOnly_isRefused() {
        try (DiskQueue<String> queue =
                builder(Durability.WRITTEN).namedCursorsOnly().open()) {
            queue.addAll(List.of("a", "b"));
            assertThatThrownBy(() -> queue.remove("a")).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> queue.remove(1)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> queue.removeIf("a"::equals)).isInstanceOf(UnsupportedOperationException.class);
            assertThat(queue.cursor("named").poll()).isEqualTo("a");
        }
    }

    /** The lease ends while the letter is stored, and another call stores the element, too. */
    @ParameterizedTest
    @EnumSource
    void lease_whoseDeadLetterTookLongerThanIt_isGivenToNobody(Durability durability) throws InterruptedException {
        AtomicReference<QueueCursor<String>> cursor = new AtomicReference<>();
        AtomicInteger letters = new AtomicInteger();
        try (DiskQueue<String> queue = builder(durability)
                .leases(10, Duration.ofMillis(1))
                .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                .maxDeliveries(1)
                .deadLetters(letter -> {
                    if (letters.incrementAndGet() == 1) {
                        while (letters.get() == 1) {
                            assertThat(cursor.get().lease()).isNull();
                        }
                    }
                })
                .open()) {
            cursor.set(queue);
            queue.add("a");
            assertThat(lease(queue).nack()).isTrue();
            assertThat(queue.lease()).isNull();
            assertThat(queue).isEmpty();
            assertThat(letters).hasValue(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void nack_afterALaterElementCarriedTheLease_keepsItsDelayOverAReopen(Durability durability)
            throws InterruptedException {
        try (DiskQueue<String> queue = builder(durability).open()) {
            queue.add("one");
            Lease<String> one = lease(queue);
            queue.add("two");
            queue.flush();
            assertThat(one.nack(LONG)).isTrue();
        }
        try (DiskQueue<String> queue = builder(durability).open()) {
            assertThat(lease(queue).element()).isEqualTo("two");
            assertThat(queue.lease()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void remove_ofAnElementThatIsNotWrittenYet_keepsItFromAllCalls(Durability durability) throws InterruptedException {
        try (DiskQueue<String> queue = builder(durability).open()) {
            QueueCursor<String> named = queue.cursor("named");
            for (String element : List.of("a", "b", "c")) {
                queue.add(element);
            }
            assertThat(queue.remove(1)).isTrue();
            assertThat(named.remove(2)).isTrue();
            assertThat(queue.peek()).isEqualTo("b");
            assertThat(lease(queue).element()).isEqualTo("b");
            assertThat(queue.poll()).isEqualTo("c");
            assertThat(queue.poll()).isNull();
            assertThat(named.poll()).isEqualTo("a");
            assertThat(named.poll()).isEqualTo("c");
            assertThat(named.poll()).isNull();
        }
    }
}

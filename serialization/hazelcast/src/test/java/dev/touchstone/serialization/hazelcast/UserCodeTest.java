package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.EntryProcessor;
import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactReader;
import dev.touchstone.serialization.CompactWriter;
import dev.touchstone.serialization.schema.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Codecs, processors and listeners of users that throw, block or begin more work: whoever called hears of it, nobody else does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UserCodeTest {
    private static final int CHAINS = 300;

    private final Cluster cluster = new Cluster();
    private final List<Integer> ports = Cluster.freePorts(2);
    private final Map<Cluster.Side, HazelcastInstance> ours = new HashMap<>();

    @BeforeAll
    void start() {
        ours.putAll(cluster.sides(ports));
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private <V> CompactMap<Integer, V> map(Cluster.Side side, String name, CompactCodec<V> codec) {
        return CompactMap.of(Objects.requireNonNull(ours.get(side)), name, codec);
    }

    /** Reads trades until it is told to throw. */
    private static final class FailingCodec implements CompactCodec<Trade> {
        private final Trade.Codec codec = new Trade.Codec();
        private volatile @Nullable Supplier<Throwable> failure;

        @Override
        public Class<Trade> type() {
            return Trade.class;
        }

        @Override
        public Schema schema() {
            return codec.schema();
        }

        @Override
        public void write(CompactWriter writer, Trade trade) {
            codec.write(writer, trade);
        }

        @Override
        public Trade read(CompactReader reader) {
            Supplier<Throwable> now = failure;
            if (now != null) {
                FailingCodec.<RuntimeException>raise(now.get());
            }
            return codec.read(reader);
        }

        @SuppressWarnings("unchecked")
        private static <E extends Throwable> void raise(Throwable e) throws E {
            throw (E) e;
        }
    }

    @ParameterizedTest
    @EnumSource
    void codecThatThrows_isHeardOfByItsCallerAlone(Cluster.Side side) throws InterruptedException {
        String name = "failing-" + UUID.randomUUID();
        FailingCodec codec = new FailingCodec();
        CompactMap<Integer, Trade> failing = map(side, name, codec);
        CompactMap<Integer, Trade> sound = map(side, name, new Trade.Codec());
        sound.set(1, Trade.of(1));
        BlockingQueue<Trade> told = new LinkedBlockingQueue<>();
        failing.addEntryListener(event -> told.add(Objects.requireNonNull(event.value())));
        List<Supplier<Throwable>> failures = List.of(
                () -> new IllegalStateException("made up"),
                () -> new AssertionError("made up"),
                () -> new NoClassDefFoundError("made up"),
                () -> new StackOverflowError("made up"),
                () -> new OutOfMemoryError("made up"));
        int number = 1;
        for (Supplier<Throwable> failure : failures) {
            codec.failure = failure;
            assertThatThrownBy(() -> failing.get(1)).hasStackTraceContaining("made up");
            assertThatThrownBy(failing::values).hasStackTraceContaining("made up");
            assertThatThrownBy(() -> failing.getAll(Set.of(1))).hasStackTraceContaining("made up");
            assertThatThrownBy(() -> failing.getAsync(1).toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasStackTraceContaining("made up");
            Trade next = Trade.of(++number);
            assertThatThrownBy(() -> failing.put(1, next)).hasStackTraceContaining("made up");
            assertThat(sound.get(1)).as("was put all the same").isEqualTo(next);
            codec.failure = null;
            Trade last = Trade.of(++number);
            sound.set(1, last);
            Trade heard = told.poll(60, TimeUnit.SECONDS);
            while (heard != null && !heard.equals(last)) { // of the put, if the event came late
                heard = told.poll(60, TimeUnit.SECONDS);
            }
            assertThat(heard).as("events go on after %s", failure.get()).isEqualTo(last);
        }
    }

    @ParameterizedTest
    @EnumSource
    void listenerThatThrowsOrBlocks_doesNotHurtOthers(Cluster.Side side) throws InterruptedException {
        CompactMap<Integer, Trade> map = map(side, "heard-" + UUID.randomUUID(), new Trade.Codec());
        CountDownLatch end = new CountDownLatch(1);
        BlockingQueue<Integer> told = new LinkedBlockingQueue<>();
        map.addEntryListener(event -> {
            throw new AssertionError("made up");
        });
        map.addEntryListener(event -> told.add(event.key()));
        for (int key = 0; key < 100; key++) {
            map.set(key, Trade.of(key));
        }
        for (int i = 0; i < 100; i++) {
            assertThat(told.poll(60, TimeUnit.SECONDS)).isNotNull();
        }
        map.addEntryListener(event -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        for (int key = 0; key < 1000; key++) {
            assertThat(map.put(key % 100, Trade.of(key))).isNotNull();
        }
        assertThat(map.values(FieldPredicate.greaterEqual("number", 0))).hasSize(100);
        end.countDown();
    }

    /** Throws on the thread of a partition. */
    record Throwing(boolean isError) implements EntryProcessor<Integer, Object, String>, Serializable {
        @Override
        public String process(Map.Entry<Integer, Object> entry) {
            entry.setValue("not to be kept");
            if (isError) {
                throw new StackOverflowError("made up");
            }
            throw new IllegalStateException("made up");
        }
    }

    @ParameterizedTest
    @EnumSource
    void processorThatThrows_changesNothing(Cluster.Side side) {
        CompactMap<Integer, Trade> map = map(side, "processed-" + UUID.randomUUID(), new Trade.Codec());
        map.setAll(Map.of(1, Trade.of(1), 2, Trade.of(2)));
        for (boolean isError : new boolean[] {false, true}) {
            Throwing throwing = new Throwing(isError);
            assertThatThrownBy(() -> map.executeOnKey(1, throwing)).hasStackTraceContaining("made up");
            assertThatThrownBy(() -> map.executeOnKeys(Set.of(1, 2), throwing)).hasStackTraceContaining("made up");
            assertThatThrownBy(() -> map.executeOnEntries(throwing)).hasStackTraceContaining("made up");
            assertThatThrownBy(() ->
                            map.submitToKey(1, throwing).toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .hasStackTraceContaining("made up");
            assertThatThrownBy(() -> map.submitToKeys(Set.of(1), throwing)
                            .toCompletableFuture()
                            .get(60, TimeUnit.SECONDS))
                    .hasStackTraceContaining("made up");
            assertThat(map.getAll(Set.of(1, 2))).isEqualTo(Map.of(1, Trade.of(1), 2, Trade.of(2)));
        }
    }

    /** Each answer needs a schema that this instance has not seen, and begins a write that needs a new one: on Hazelcast's threads. */
    @ParameterizedTest
    @EnumSource
    void asynchronousChains_withNewSchemas_end(Cluster.Side side) throws Exception {
        String name = "chained-" + UUID.randomUUID();
        HazelcastInstance writer = cluster.client(ports);
        for (int i = 0; i < CHAINS; i++) {
            Schema schema = Counter.schema(name + "-" + i);
            CompactMap.<Integer, Counter>of(writer, name, new Counter.Codec(schema))
                    .set(i, new Counter(i));
        }
        List<CompletableFuture<?>> chains = new ArrayList<>();
        for (int i = 0; i < CHAINS; i++) {
            int key = i;
            CompactMap<Integer, Counter> one = map(side, name, new Counter.Codec(Counter.schema(name + "-" + i)));
            CompactMap<Integer, Counter> other = map(side, name, new Counter.Codec(Counter.schema(name + "-new-" + i)));
            chains.add(one.getAsync(key)
                    .thenCompose(counter -> other.setAsync(CHAINS + key, Objects.requireNonNull(counter)))
                    .toCompletableFuture());
        }
        CompletableFuture.allOf(chains.toArray(new CompletableFuture<?>[0])).get(120, TimeUnit.SECONDS);
        assertThat(map(side, name, new Counter.Codec(Counter.schema(name))).size())
                .isEqualTo(2 * CHAINS);
    }
}

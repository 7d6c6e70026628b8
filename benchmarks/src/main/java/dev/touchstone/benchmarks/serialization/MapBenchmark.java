package dev.touchstone.benchmarks.serialization;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.serialization.cluster.Cluster;
import dev.touchstone.benchmarks.serialization.cluster.HazelcastFlags;
import dev.touchstone.benchmarks.serialization.cluster.Topology;
import dev.touchstone.benchmarks.serialization.peer.MapUnderTest;
import dev.touchstone.benchmarks.serialization.peer.OwnedEntries;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Timeout;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.infra.ThreadParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * The base of the benchmarks of a Hazelcast map: a cluster, a map that is full before the first iteration and stays so, and the cost of its
 * entries. All subjects have the JVM flags that Hazelcast asks for.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 10, time = 2)
@Timeout(time = 2, timeUnit = TimeUnit.MINUTES)
@Fork(
        value = 1,
        jvmArgsPrepend = {
            HazelcastFlags.MODULES,
            HazelcastFlags.REF,
            HazelcastFlags.LANG,
            HazelcastFlags.SELECTORS,
            HazelcastFlags.MANAGEMENT,
            HazelcastFlags.SYSTEM
        },
        jvmArgsAppend = {"-Xms1G", "-Xmn640m"}) // all that fill() makes is young at its end
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up
public abstract class MapBenchmark {

    private static final int BATCH = 1000;
    static final String MAP = "records";

    @SuppressWarnings("unused") // so that it is made
    private static volatile byte[] garbage = {};

    @Param
    public RecordSize size;

    @Param
    public Topology topology;

    /** Number of the map's entries. */
    @Param("100000")
    public int entries;

    /** Number of clients that connect to members in JVMs of their own, and share the calling threads. */
    @Param("1")
    public int clients;

    private @Nullable Cluster shared;
    private Cluster cluster;
    private final List<Client> connected = new ArrayList<>();
    private volatile OwnedEntries.Cost cost = OwnedEntries.Cost.NONE;
    private int measured;
    private boolean telling;
    private String mapName = MAP;

    /** Takes a cluster of the topology that is there, and stays; for the checks. */
    final void use(Cluster started) {
        shared = started;
    }

    /** Starts a cluster with a map full of one subject's values, without a near cache. */
    final void open(DeclaredSubject type, IntFunction<Object> records) throws IOException {
        open(type, false, records);
    }

    /**
     * Starts a cluster with a map full of one subject's values.
     *
     * @param nearCache whether each client, or the member of this JVM, has a near cache of the map, which is full then too
     */
    final void open(DeclaredSubject type, boolean nearCache, IntFunction<Object> records) throws IOException {
        mapName = nearCache ? Topology.NEAR_CACHED_MAP : MAP;
        cluster = shared != null ? shared : topology.open(clients);
        try {
            map().clear();
            for (HazelcastInstance client : cluster.clients().subList(0, clients)) {
                IMap<Integer, Object> map = client.getMap(mapName);
                connected.add(new Client(client, map, type.open(MapUnderTest.class, client, map, size)));
            }
            fill(records);
            if (nearCache) {
                connected.forEach(client -> fillNearCache(client.map()));
            }
        } catch (RuntimeException e) {
            closeCluster();
            throw e;
        }
    }

    private void fill(IntFunction<Object> records) {
        MapUnderTest subject = subject();
        Map<Integer, Object> batch = new HashMap<>();
        for (int key = 0; key < entries; key++) {
            batch.put(key, subject.prepare(records.apply(key)));
            if (batch.size() == BATCH || key == entries - 1) {
                subject.setAll(batch);
                batch.clear();
            }
        }
        collectYoung();
    }

    private void fillNearCache(IMap<Integer, Object> map) {
        for (int from = 0; from < entries; from += BATCH) {
            map.getAll(IntStream.range(from, Math.min(from + BATCH, entries))
                    .boxed()
                    .collect(Collectors.toSet()));
        }
    }

    /**
     * Has the collector move the entries once, as it has in a member that has run for a while. A scan of entries that lie as they were put takes
     * twice as long as one of those that were moved, in the table's order, and it would be chance which of them a fork gets.
     */
    private static void collectYoung() {
        long before = collections();
        while (collections() == before) {
            garbage = new byte[1 << 16];
        }
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    /** Ends what was started. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        map().destroy();
        connected.clear();
        closeCluster();
    }

    private void closeCluster() {
        if (shared == null) {
            cluster.close();
        }
    }

    final HazelcastInstance hazelcast() {
        return cluster.hazelcast();
    }

    /** The first client's. */
    final MapUnderTest subject() {
        return connected.get(0).subject();
    }

    /** The first client's. */
    final IMap<Integer, Object> map() {
        return cluster.hazelcast().getMap(mapName);
    }

    /** Makes the map find equal strings without a scan. */
    final void addIndex() {
        map().addIndex(new IndexConfig(IndexType.HASH, "stringField"));
    }

    /** Decides whether this iteration reports the members' cost: only the last measured one does. */
    @Setup(Level.Iteration)
    public void beginIteration(IterationParams iteration) {
        cost = OwnedEntries.Cost.NONE;
        measured += iteration.getType() == IterationType.MEASUREMENT ? 1 : 0;
        telling = measured == iteration.getCount() && iteration.getType() == IterationType.MEASUREMENT;
    }

    /** Here all threads wait for one another, so that the map is still there. */
    @TearDown(Level.Iteration)
    public void endIteration() throws IOException {
        if (telling) {
            cost = OwnedEntries.cost(cluster.hazelcast(), mapName);
            measured = 0;
        }
    }

    /**
     * A way to the map.
     *
     * @param subject puts records into it
     */
    record Client(HazelcastInstance hazelcast, IMap<Integer, Object> map, MapUnderTest subject) {}

    /** A calling thread with its client. Tells what the map's entries cost, after the last measured iteration. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Caller {

        private @Nullable MapBenchmark benchmark;
        private @Nullable Client client;
        private int thread;

        @Setup(Level.Trial)
        public void begin(ThreadParams params) {
            thread = params.getThreadIndex();
        }

        /** The thread's client: JMH gives a state no benchmark whose class has others below it. */
        final Client of(MapBenchmark measured) {
            Client own = client;
            if (own == null) {
                own = measured.connected.get(thread % measured.connected.size());
                client = own;
                benchmark = measured;
            }
            return own;
        }

        /** Entries of all members, without backups. */
        public long ownedEntries() {
            return cost().entries();
        }

        /** Bytes that the members say these take, by an estimate from constants. */
        public long ownedBytes() {
            return cost().bytes();
        }

        /** The same, for one entry. */
        public long bytesPerEntry() {
            return cost().bytesPerEntry();
        }

        /** Returns the bytes that an entry really takes in the members' heaps. */
        public long heapBytesPerEntry() {
            return cost().heapBytesPerEntry();
        }

        private OwnedEntries.Cost cost() {
            // JMH adds up what threads and iterations say: one of them does.
            return thread == 0 && benchmark != null ? benchmark.cost : OwnedEntries.Cost.NONE;
        }
    }
}

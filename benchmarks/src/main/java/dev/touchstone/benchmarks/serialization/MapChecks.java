package dev.touchstone.benchmarks.serialization;

import static dev.touchstone.benchmarks.serialization.CodecChecks.demand;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import com.hazelcast.nearcache.NearCacheStats;
import com.hazelcast.sql.SqlResult;
import com.hazelcast.sql.SqlRow;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.serialization.cluster.SharedClusters;
import dev.touchstone.benchmarks.serialization.cluster.Topology;
import dev.touchstone.benchmarks.serialization.peer.PlainRecords;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import dev.touchstone.harness.run.check.CheckFailedException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.infra.ThreadParams;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.options.TimeValue;

/** Checks that a map of one kind of values works in the methods that JMH would time; otherwise its figures mean nothing. */
final class MapChecks {

    private static final int ENTRIES = 250;
    private static final int CALLS = 100;
    private static final int EVENT_SECONDS = 20;
    private static final String DIRECT =
            "Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.";

    private final String subject;
    private final Map<String, String> params;
    private final SharedClusters clusters;
    private final MapBenchmark.Caller caller = new MapBenchmark.Caller();

    /**
     * Makes the checks.
     *
     * @param params of the workload, except for its entries
     */
    MapChecks(String subject, Map<String, String> params, SharedClusters clusters) {
        this.subject = subject;
        this.params = params;
        this.clusters = clusters;
    }

    /** Checks that the members own what was put in, at the seed's cost, and that each call sets a random key to what was meant. */
    void write() throws CheckFailedException, IOException {
        RecordWriteBenchmark benchmark = prepared(new RecordWriteBenchmark());
        benchmark.subject = subject;
        benchmark.nearCache = nearCache();
        benchmark.open();
        try {
            benchmark.set(caller);
            demandCost(benchmark, "write");
            demandNearCache(benchmark);
            benchmark.map().clear();
            IMap<Integer, Object> observed = observed(benchmark);
            CountDownLatch events = new CountDownLatch(CALLS);
            UUID listener = observed.addEntryListener(new Sets(events), false);
            for (int call = 0; call < CALLS; call++) {
                benchmark.set(caller);
            }
            demandEvents(events);
            observed.removeEntryListener(listener);
            Set<Map.Entry<Integer, Object>> entries = observed.entrySet();
            demandVariety("keys that were set", entries.size());
            for (Map.Entry<Integer, Object> entry : entries) {
                int key = entry.getKey();
                demand("key of the map", key, Math.floorMod(key, ENTRIES));
                demand("written, to another client", PlainRecords.of(entry.getValue()), benchmark.size.written());
                demand("written", PlainRecords.of(benchmark.subject().get(key)), benchmark.size.written());
                demand("written, as the map reads it", written(benchmark, key), benchmark.size.written());
            }
        } finally {
            benchmark.close();
        }
    }

    /** The members own what was put in, at the seed's cost; each call gets one of the records, and a key the record that it was put in with. */
    void read() throws CheckFailedException, IOException {
        RecordReadBenchmark benchmark = prepared(new RecordReadBenchmark());
        benchmark.subject = subject;
        benchmark.nearCache = nearCache();
        benchmark.open();
        try {
            Set<Object> got = new HashSet<>();
            got.add(PlainRecords.of(benchmark.get(caller)));
            demandCost(benchmark, "read");
            demandNearCache(benchmark);
            List<Object> records = benchmark.size.random(ENTRIES);
            for (int key = 0; key < ENTRIES; key++) {
                demand("entry " + key, PlainRecords.of(benchmark.subject().get(key)), records.get(key));
            }
            Set<Object> known = new HashSet<>(records);
            for (int call = 0; call < CALLS; call++) {
                got.add(PlainRecords.of(benchmark.get(caller)));
            }
            demand("whether it gets entries of the map", known.containsAll(got), true);
            demandVariety("records that it gets", got.size());
            demandFresh(benchmark, records);
        } finally {
            benchmark.close();
        }
    }

    /** Checks that a value that another client has changed is the one that is got, unless a near cache may hold the one before. */
    private void demandFresh(RecordReadBenchmark benchmark, List<Object> records)
            throws CheckFailedException, IOException {
        if (nearCache()) {
            return;
        }
        IMap<Integer, Object> observed = observed(benchmark);
        Object before = Objects.requireNonNull(observed.get(0));
        observed.set(0, Objects.requireNonNull(observed.get(1)));
        demand("entry 0 after a change", PlainRecords.of(benchmark.subject().get(0)), records.get(1));
        observed.set(0, before);
    }

    /** The older engine finds the entries that have the string, and no others. */
    void predicate() throws CheckFailedException, IOException {
        PredicateQueryBenchmark benchmark = queried(new PredicateQueryBenchmark());
        benchmark.subject = subject;
        benchmark.open();
        try {
            Set<Integer> expected = DeclaredSubject.of(subject).ceiling() ? Set.of() : matching(benchmark.matches);
            demand("rows", benchmark.query(caller, new Blackhole(DIRECT)), expected.size());
            demandEntries(benchmark);
            Set<Integer> found = new TreeSet<>();
            for (Map.Entry<Integer, Object> entry : benchmark.map().entrySet(benchmark.predicate())) {
                found.add(entry.getKey());
                String string = RecordSize.string(PlainRecords.of(entry.getValue()));
                demand("string of what was found", string, benchmark.matches.wanted());
            }
            demand("keys of what was found", found, expected);
        } finally {
            benchmark.close();
        }
    }

    /** SQL finds the entries that have the string, and no others. */
    void sql() throws CheckFailedException, IOException {
        SqlQueryBenchmark benchmark = queried(new SqlQueryBenchmark());
        benchmark.subject = subject;
        benchmark.open();
        try {
            Set<Integer> expected = matching(benchmark.matches);
            demand("rows", benchmark.query(caller, new Blackhole(DIRECT)), expected.size());
            demandEntries(benchmark);
            Set<Integer> found = new TreeSet<>();
            String wanted = benchmark.matches.wanted();
            try (SqlResult result = benchmark.hazelcast().getSql().execute(SqlQueryBenchmark.QUERY, wanted)) {
                for (SqlRow row : result) {
                    found.add(row.getObject(0));
                    demand("string of what was found", row.getObject(1), wanted);
                }
            }
            demand("keys of what was found", found, expected);
        } finally {
            benchmark.close();
        }
    }

    /** Returns the benchmark's map as a client sees it that the benchmark does not use. */
    private IMap<Integer, Object> observed(MapBenchmark benchmark) throws IOException {
        return clusters.observer(benchmark.topology).getMap(benchmark.map().getName());
    }

    private static void demandEvents(CountDownLatch events) throws CheckFailedException, IOException {
        try {
            if (!events.await(EVENT_SECONDS, TimeUnit.SECONDS)) {
                throw new CheckFailedException("expected an entry to be set by each of calls=" + CALLS
                        + ", another client has not heard of " + events.getCount());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Checks that calls of random keys meet many of them: of so many calls and entries some 80 are expected. */
    private static void demandVariety(String what, int different) throws CheckFailedException {
        if (different < CALLS / 2 || different > CALLS + 1) {
            throw new CheckFailedException(
                    what + ": expected " + CALLS / 2 + " to " + CALLS + " different ones, got " + different);
        }
    }

    private boolean nearCache() {
        return Boolean.parseBoolean(params.getOrDefault("nearCache", "false"));
    }

    /** Returns the record that {@code IMap.get} reads, from the near cache where there is one. */
    private static Object written(MapBenchmark benchmark, int key) {
        return PlainRecords.of(Objects.requireNonNull(benchmark.map().get(key)));
    }

    /** Checks that the map has a full near cache, or none, as the workload says. */
    private void demandNearCache(MapBenchmark benchmark) throws CheckFailedException {
        NearCacheStats stats = benchmark.map().getLocalMapStats().getNearCacheStats();
        demand("whether there is a near cache", stats != null, nearCache());
        if (stats != null) {
            demand("whether it holds most entries: " + stats, stats.getOwnedEntryCount() > ENTRIES / 2, true);
        }
    }

    private <B extends MapBenchmark> B prepared(B benchmark) throws IOException {
        benchmark.size = RecordSize.valueOf(param("size"));
        benchmark.topology = Topology.valueOf(param("topology"));
        benchmark.entries = ENTRIES;
        benchmark.use(clusters.of(benchmark.topology));
        benchmark.clients = 1;
        caller.begin(new ThreadParams(0, 1, 0, 1, 0, 1, 0, 1, 0, 1));
        return benchmark;
    }

    private <B extends QueryBenchmark> B queried(B benchmark) throws IOException {
        benchmark.matches = Matches.valueOf(param("matches"));
        benchmark.indexed = Boolean.parseBoolean(param("indexed"));
        return prepared(benchmark);
    }

    private String param(String name) {
        return Objects.requireNonNull(params.get(name), name);
    }

    private static Set<Integer> matching(Matches matches) {
        return IntStream.range(0, ENTRIES)
                .filter(key -> Matches.string(key, "").equals(matches.wanted()))
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void demandCost(MapBenchmark benchmark, String table) throws CheckFailedException, IOException {
        demandEntries(benchmark);
        long bytes = SeedCosts.read().bytesPerEntry(table, benchmark.size, subject);
        demand("bytesPerEntry", caller.bytesPerEntry(), bytes);
        demand("ownedBytes", caller.ownedBytes(), bytes * ENTRIES);
    }

    /** Checks the cost of the members' entries that an iteration would report. */
    private void demandEntries(MapBenchmark benchmark) throws CheckFailedException, IOException {
        benchmark.beginIteration(new IterationParams(IterationType.MEASUREMENT, 1, TimeValue.NONE, 1));
        benchmark.endIteration();
        demand("ownedEntries", caller.ownedEntries(), (long) ENTRIES);
        boolean isFuller = caller.heapBytesPerEntry() * ENTRIES > caller.ownedBytes() / 2;
        demand("whether the heap holds them: " + caller.heapBytesPerEntry() + " bytes each", isFuller, true);
    }

    /** Counts the entries that anybody sets. */
    private record Sets(CountDownLatch events)
            implements EntryAddedListener<Integer, Object>, EntryUpdatedListener<Integer, Object> {
        @Override
        public void entryAdded(EntryEvent<Integer, Object> event) {
            events.countDown();
        }

        @Override
        public void entryUpdated(EntryEvent<Integer, Object> event) {
            events.countDown();
        }
    }
}

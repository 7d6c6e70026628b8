package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.index.cluster.ClusterUnderTest;
import dev.touchstone.benchmarks.index.cluster.PriceCluster;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The heap that prices take on a Hazelcast member in this JVM, without backups: the growth of what is left after collections. */
final class ClusterMemory {
    private static final PriceCluster.Layout LAYOUT = new PriceCluster.Layout(1, false, false);
    private static final int COLLECTIONS = 4;

    /** Names of the rows by the names of the subjects, in the order of the rows. */
    private static final Map<String, String> ROWS = new TreeMap<>(Map.of(
            "HAZELCAST_BITMAP", "Hazelcast, bitmap index",
            "HAZELCAST_GET", "Hazelcast, no index",
            "HAZELCAST_HASH", "Hazelcast, hash index of all fields",
            "HAZELCAST_KEY", "Hazelcast, hash index of one string",
            "HAZELCAST_SORTED", "Hazelcast, sorted index of all fields",
            "OURS_SHARDED", "ours, sharded over Hazelcast"));

    private ClusterMemory() {}

    /** Measures with all of the seed's prices, or the first ones. */
    static List<PriceMemory.Row> measure(int most) throws IOException {
        List<PriceMemory.Row> rows = new ArrayList<>();
        for (Map.Entry<String, String> row : ROWS.entrySet()) {
            rows.add(new PriceMemory.Row(row.getValue(), 0, bytes(DeclaredSubject.of(row.getKey()), most)));
        }
        return rows;
    }

    private static long bytes(DeclaredSubject declared, int most) throws IOException {
        PriceIndex schema = PriceData.SEED.index(List.of());
        PriceData.Numbered prices = PriceData.SEED.prices(most);
        try (ClusterUnderTest subject = declared.open(ClusterUnderTest.class, schema, false);
                PriceCluster cluster = PriceCluster.start(declared, subject, LAYOUT)) {
            long empty = usedBytes();
            subject.load(prices);
            cluster.awaitBackups();
            return usedBytes() - empty;
        }
    }

    private static long usedBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}

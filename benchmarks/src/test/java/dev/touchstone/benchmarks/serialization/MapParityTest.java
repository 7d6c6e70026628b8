package dev.touchstone.benchmarks.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.map.IMap;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.SubjectsOf;
import dev.touchstone.benchmarks.serialization.cluster.Cluster;
import dev.touchstone.benchmarks.serialization.cluster.Topology;
import dev.touchstone.benchmarks.serialization.peer.MapUnderTest;
import dev.touchstone.benchmarks.serialization.peer.OwnedEntries;
import dev.touchstone.benchmarks.serialization.peer.PlainRecords;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** All kinds of values give back what they were given from a member's map, and cost the members what the seed's tables say. */
@Timeout(60)
final class MapParityTest {

    private static final int ENTRIES = 100;

    private static Cluster cluster;

    @BeforeAll
    static void open() throws IOException {
        cluster = Topology.EMBEDDED.open(1);
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @ParameterizedTest
    @MethodSource("subjectsAndSizes")
    void get_eachSubject_equalRecord(String subject, RecordSize size) throws IOException {
        IMap<Integer, Object> map = cluster.hazelcast().getMap("get-" + subject + size);
        MapUnderTest values = values(subject, map, size);
        List<Object> records = size.random(ENTRIES);
        for (int key = 0; key < ENTRIES; key++) {
            values.set(key, values.prepare(records.get(key)));
        }
        for (int key = 0; key < ENTRIES; key++) {
            assertThat(PlainRecords.of(values.get(key))).isEqualTo(records.get(key));
        }
    }

    @ParameterizedTest
    @EnumSource
    void ours_readByTheMapItself_equalRecord(RecordSize size) throws IOException {
        IMap<Integer, Object> map = cluster.hazelcast().getMap("compact-" + size);
        MapUnderTest values = values("OURS", map, size);
        values.set(1, values.prepare(size.written()));
        assertThat(map.get(1)).isEqualTo(size.written());
    }

    @ParameterizedTest
    @MethodSource("subjectsAndSizes")
    void cost_writtenAndRead_figuresOfTheSeed(String subject, RecordSize size) throws IOException {
        SeedCosts costs = SeedCosts.read();
        assertThat(cost(subject, size, "write", List.of(size.written())))
                .isEqualTo(costs.bytesPerEntry("write", size, subject));
        assertThat(cost(subject, size, "read", size.random(ENTRIES)))
                .isEqualTo(costs.bytesPerEntry("read", size, subject));
    }

    private static long cost(String subject, RecordSize size, String name, List<Object> records) throws IOException {
        IMap<Integer, Object> map = cluster.hazelcast().getMap(name + subject + size);
        MapUnderTest values = values(subject, map, size);
        for (int key = 0; key < ENTRIES; key++) {
            values.set(key, values.prepare(records.get(key % records.size())));
        }
        OwnedEntries.Cost cost = OwnedEntries.cost(cluster.hazelcast(), map.getName());
        assertThat(cost.entries()).isEqualTo(ENTRIES);
        assertThat(cost.bytes()).isEqualTo(ENTRIES * cost.bytesPerEntry());
        return cost.bytesPerEntry();
    }

    private static MapUnderTest values(String subject, IMap<Integer, Object> map, RecordSize size) throws IOException {
        return DeclaredSubject.of(subject).open(MapUnderTest.class, cluster.hazelcast(), map, size);
    }

    private static Stream<Arguments> subjectsAndSizes() {
        return SubjectsOf.Workloads.subjects(SubjectsOf.Workloads.of(RecordWriteBenchmark.class))
                .flatMap(subject -> Stream.of(RecordSize.values()).map(size -> Arguments.of(subject, size)));
    }
}

package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.query.Predicates;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two halves of a cluster, with different schemas, find each other. */
@Tag("slow")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SplitBrainTest {
    private static final int ENTRIES = 500;
    private static final int PER_SCHEMA = 10;

    private final Cluster cluster = new Cluster();
    private final List<Integer> ports = Cluster.freePorts(2);

    /** A half: its member knows itself only, until it is told of the other. */
    private final class Half {
        final int first;
        final Config config;
        final HazelcastInstance member;
        final List<HazelcastInstance> writers;

        Half(int side) {
            first = side * ENTRIES;
            int port = ports.get(side);
            config = Cluster.memberConfig(cluster.name, port, List.of(port));
            config.setProperty("hazelcast.merge.first.run.delay.seconds", "1");
            config.setProperty("hazelcast.merge.next.run.delay.seconds", "1");
            member = cluster.member(config);
            writers = List.of(member, cluster.client(List.of(port)));
        }

        void write(String typeName) {
            for (int i = first; i < first + ENTRIES; i++) {
                String name = i % 2 == 0 ? typeName + i / PER_SCHEMA : "both-" + typeName;
                CompactMap.<Integer, Counter>of(
                                writers.get(i % writers.size()), "counters", new Counter.Codec(Counter.schema(name)))
                        .set(i, new Counter(i));
            }
        }
    }

    @Test
    void mergedCluster_knowsTheSchemasOfBothHalves() throws Exception {
        try (Cluster all = cluster) {
            List<Half> halves = List.of(new Half(0), new Half(1));
            CountDownLatch merged = new CountDownLatch(1);
            for (Half half : halves) {
                half.member.getLifecycleService().addLifecycleListener(event -> {
                    if (event.getState() == LifecycleState.MERGED) {
                        merged.countDown();
                    }
                });
                half.write("before-");
            }
            assertThat(halves.get(0).member.getCluster().getMembers()).hasSize(1);
            for (Half half : halves) {
                ports.forEach(port -> half.config
                        .getNetworkConfig()
                        .getJoin()
                        .getTcpIpConfig()
                        .addMember(Cluster.HOST + ":" + port));
            }
            merged.await();
            assertThat(halves.get(0).member.getCluster().getMembers()).hasSize(2);
            check(halves, all.client(ports));
            // The same schemas from those who sent them to one half only, and new ones.
            for (Half half : halves) {
                half.write("before-");
                check(halves, all.client(ports));
                half.write("after-");
            }
            check(halves, all.client(ports));
        }
    }

    private static void check(List<Half> halves, HazelcastInstance fresh) {
        List<HazelcastInstance> readers = new ArrayList<>(List.of(fresh));
        halves.forEach(half -> readers.addAll(half.writers));
        for (HazelcastInstance reader : readers) {
            IMap<Integer, GenericRecord> theirs = reader.getMap("counters");
            assertThat(theirs.keySet(Predicates.greaterEqual("number", 0))).hasSize(2 * ENTRIES);
            assertThat(theirs.keySet(FieldPredicate.between("number", 0, 2 * ENTRIES)))
                    .hasSize(2 * ENTRIES);
            CompactMap<Integer, Counter> ours =
                    CompactMap.of(reader, "counters", new Counter.Codec(Counter.schema("reads-only")));
            for (int i = 0; i < 2 * ENTRIES; i += 7) {
                assertThat(Objects.requireNonNull(theirs.get(i)).getInt32("number"))
                        .isEqualTo(i);
                assertThat(Objects.requireNonNull(ours.getView(i)).value("number"))
                        .isEqualTo(i);
            }
        }
    }
}

package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.query.Predicates;
import dev.touchstone.serialization.schema.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members are killed, and the whole cluster is restarted, while values with new schemas are written. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MemberLossTest {
    private static final int WRITERS = 2;

    private final Cluster cluster = new Cluster();

    private OwnJvm startMember(int port, List<Integer> ports) throws Exception {
        List<String> args = new ArrayList<>(List.of(cluster.name, Integer.toString(port)));
        ports.forEach(each -> args.add(Integer.toString(each)));
        return OwnJvm.start(MemberMain.class, args.toArray(new String[0]));
    }

    @Test
    void killedMember_whileNewSchemasAreWritten_losesNone() throws Exception {
        killDuring(2000, 20);
    }

    @Test
    @Tag("slow")
    void killedMember_while100000ValuesWithNewSchemasAreWritten_losesNone() throws Exception {
        killDuring(100_000, 50);
    }

    private void killDuring(int writes, int writesPerSchema) throws Exception {
        List<Integer> ports = Cluster.freePorts(2);
        cluster.member(ports.get(0), ports);
        try (OwnJvm victim = startMember(ports.get(1), ports)) {
            victim.await("up");
            HazelcastInstance client = cluster.client(ports);
            CountDownLatch half = new CountDownLatch(writes / 2);
            ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int first = writer;
                running.add(writers.submit(() -> {
                    for (int i = first; i < writes; i += WRITERS) {
                        map(client, i / writesPerSchema).set(i, new Counter(i));
                        half.countDown();
                    }
                }));
            }
            half.await();
            victim.kill();
            for (Future<?> each : running) {
                each.get();
            }
            writers.shutdown();
            checkAll(cluster.client(ports), writes);
        } finally {
            cluster.close();
        }
    }

    private static CompactMap<Integer, Counter> map(HazelcastInstance instance, int schema) {
        return CompactMap.of(instance, "counters", new Counter.Codec(Counter.schema("counter-" + schema)));
    }

    /** A client that has written nothing reads all, by Hazelcast and by us. */
    private static void checkAll(HazelcastInstance fresh, int count) {
        IMap<Integer, GenericRecord> theirs = fresh.getMap("counters");
        assertThat(theirs.keySet(Predicates.greaterEqual("number", 0))).hasSize(count);
        assertThat(theirs.keySet(FieldPredicate.between("number", 0, count))).hasSize(count);
        CompactMap<Integer, Counter> ours = map(fresh, 0);
        for (int i = 0; i < count; i += 7) {
            assertThat(Objects.requireNonNull(theirs.get(i)).getInt32("number")).isEqualTo(i);
            assertThat(Objects.requireNonNull(ours.getView(i)).value("number")).isEqualTo(i);
        }
    }

    @Test
    void restartedCluster_hasTheSchemasOfAClientAgain() {
        List<Integer> ports = Cluster.freePorts(2);
        try (Cluster before = cluster) {
            Schema schema = Counter.schema("counter-0");
            HazelcastInstance one = before.member(ports.get(0), ports);
            HazelcastInstance two = before.member(ports.get(1), ports);
            HazelcastInstance client = before.client(ports);
            CompactMap<Integer, Counter> map = map(client, 0);
            Map<Integer, Counter> values = new HashMap<>();
            for (int i = 0; i < 100; i++) {
                values.put(i, new Counter(i));
            }
            map.setAll(values);
            byte[] record = Objects.requireNonNull(map.getBytes(1));
            one.getLifecycleService().terminate();
            two.getLifecycleService().terminate();

            HazelcastInstance again = before.member(ports.get(0), ports);
            before.member(ports.get(1), ports);
            assertThat(map.get(1)).as("nothing was kept").isNull();
            assertThat(CompactMap.schemas(again).find(schema.id()))
                    .as("the client reconnected")
                    .isEqualTo(schema);
            map.setBytes(1, record);
            map.setAll(values);
            checkAll(before.client(ports), 100);
            assertThat(map(again, 0).get(99)).isEqualTo(new Counter(99));
        }
    }
}

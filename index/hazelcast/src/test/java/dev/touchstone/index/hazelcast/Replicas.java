package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The replicas of a cluster in this JVM, and the updates that were acknowledged, by their versions. */
final class Replicas implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    final Cluster cluster;
    final ReplicaOptions options;
    final Map<Long, PriceBatch> acknowledged = new ConcurrentSkipListMap<>();
    private final Map<Integer, Node> nodes = new ConcurrentSkipListMap<>();

    /** A member, its replica, and the prices of that. */
    record Node(HazelcastInstance member, ReplicatedPriceIndex replica, Replica prices) {}

    Replicas(int members, ReplicaOptions options) {
        this.options = options;
        cluster = new Cluster(members, config -> ReplicatedPriceIndex.configure(config, options));
    }

    static ReplicaOptions options(int minMembers, int logEntries) {
        return new ReplicaOptions("prices", minMembers, logEntries, Duration.ofSeconds(20));
    }

    /** Starts members by their numbers, each with an empty index, and waits until they are live. */
    void start(int... members) throws InterruptedException {
        for (int member : members) {
            open(member, Replica.inMemory(RandomBatches.empty()));
        }
        for (int member : members) {
            assertThat(replica(member).awaitLive(PATIENCE))
                    .as("member %s: %s", member, replica(member).status())
                    .isTrue();
        }
    }

    ReplicatedPriceIndex open(int member, Replica replica) {
        return add(member, cluster.start(member), replica);
    }

    ReplicatedPriceIndex add(int member, HazelcastInstance started, Replica replica) {
        ReplicatedPriceIndex opened = ReplicatedPriceIndex.open(started, replica, options);
        nodes.put(member, new Node(started, opened, replica));
        return opened;
    }

    ReplicatedPriceIndex replica(int member) {
        return node(member).replica();
    }

    /** Returns the replicas of the members that have not ended. */
    List<ReplicatedPriceIndex> replicas() {
        return nodes.values().stream().map(Node::replica).toList();
    }

    /** Returns the replica of a member, or null if the member has ended. */
    @Nullable
    ReplicatedPriceIndex find(int member) {
        Node node = nodes.get(member);
        return node == null ? null : node.replica();
    }

    /** Returns the cluster and the term of the prices that a live member has. */
    Replica.Lineage lineageOf(int member) {
        return Objects.requireNonNull(pricesOf(member).lineage());
    }

    /** Returns what holds the prices of a member. */
    Replica pricesOf(int member) {
        return node(member).prices();
    }

    /** Returns the replica of a member that was opened with one that can be held up. */
    SlowReplica slow(int member) {
        return (SlowReplica) pricesOf(member);
    }

    HazelcastInstance member(int member) {
        return node(member).member();
    }

    private Node node(int member) {
        return Objects.requireNonNull(nodes.get(member), () -> "no member " + member);
    }

    /** Updates at a member, as often as the cluster cannot take the update, and notes what was acknowledged. */
    long update(int member, PriceBatch batch) throws Exception {
        while (true) {
            try {
                long version = replica(member).update(batch);
                acknowledge(version, batch);
                return version;
            } catch (ReplicaUnavailableException e) { // nothing has changed
                assertThat(replica(member).awaitLive(PATIENCE))
                        .as(e.getMessage())
                        .isTrue();
            }
        }
    }

    void acknowledge(long version, PriceBatch batch) {
        @Nullable PriceBatch before = acknowledged.put(version, batch);
        assertThat(before).as("two updates got version " + version).isNull();
    }

    /** Kills a member without a word to the others, or has it leave. */
    void end(int member, boolean isKilled) {
        Node node = Objects.requireNonNull(nodes.remove(member), () -> "no member " + member);
        if (isKilled) {
            node.member().getLifecycleService().terminate();
            node.replica().close();
        } else {
            node.replica().close();
            node.member().shutdown();
        }
    }

    /** Checks that all replicas have the prices that the acknowledged updates make, all of which must be known. */
    void assertAllHaveAcknowledged() throws InterruptedException {
        PriceIndex expected = RandomBatches.empty();
        for (Map.Entry<Long, PriceBatch> each : acknowledged.entrySet()) {
            assertThat(expected.update(each.getValue())).isEqualTo(each.getKey());
        }
        for (int member : nodes.keySet()) {
            assertThat(replica(member).awaitVersion(expected.version(), PATIENCE))
                    .as(
                            "member %s: %s, expected version %s",
                            member, replica(member).status(), expected.version())
                    .isTrue();
            assertSame(replica(member).index(), expected);
        }
    }

    /** Checks that all replicas are alike, have all acknowledged versions, and no more others than updates had an unknown outcome. */
    void assertAllHave(int unknown) throws InterruptedException {
        long version =
                acknowledged.keySet().stream().mapToLong(Long::longValue).max().orElse(1);
        for (int member : nodes.keySet()) {
            assertThat(replica(member).awaitLive(PATIENCE)).isTrue();
            assertThat(replica(member).awaitVersion(version, PATIENCE)).isTrue();
        }
        PriceIndex expected = replica(nodes.keySet().iterator().next()).index();
        for (int member : nodes.keySet()) {
            assertThat(replica(member).awaitVersion(expected.version(), PATIENCE))
                    .isTrue();
            assertSame(replica(member).index(), expected);
        }
        assertThat(expected.version() - 1 - acknowledged.size()).isBetween(0L, (long) unknown);
        if (expected.version() - 1 == acknowledged.size()) {
            assertAllHaveAcknowledged();
        }
    }

    static void assertSame(PriceIndex index, PriceIndex expected) {
        assertThat(index.version()).isEqualTo(expected.version());
        assertThat(all(index)).isEqualTo(all(expected));
    }

    /** All prices in the order of the index. */
    static List<Price> all(PriceIndex index) {
        List<Price> all = new ArrayList<>();
        index.forEach(index.query(), () -> false, all::add);
        return all;
    }

    @Override
    public void close() {
        nodes.values().forEach(node -> node.replica().close());
        cluster.close();
    }
}

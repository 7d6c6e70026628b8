package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Price;
import dev.touchstone.index.hazelcast.ReplicaStatus.State;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.math.BigDecimal;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Prices of one cluster and those of another. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicaClusterTest {
    private static final int LOG = 1000;

    /** Returns an index with so many updates, which other indexes of the tests do not have. */
    private static PriceIndex foreign(int updates) {
        PriceIndex index = RandomBatches.empty();
        for (int i = 0; i < updates; i++) {
            index.update(new PriceBatch().put(Price.of("foreign", "o" + i, Map.of(), BigDecimal.ONE)));
        }
        return index;
    }

    private static Replica recovered(int updates, @Nullable UUID cluster) throws Exception {
        return SlowReplica.recovered(foreign(updates), cluster == null ? null : new Replica.Lineage(cluster, 1));
    }

    private static void awaitReason(ReplicatedPriceIndex replica, String reason) {
        while (true) {
            String now = replica.status().failure();
            if (now != null && now.contains(reason)) {
                return;
            }
            assertThat(replica.status().state()).isEqualTo(State.JOINING);
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void join_withLaterPricesOfAnotherCluster_failsThatReplicaAlone() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(2, LOG))) {
            replicas.start(0, 1);
            replicas.update(0, new PriceBatch().put(Price.of("p", "o", Map.of(), BigDecimal.ONE)));
            UUID other = UUID.randomUUID();
            ReplicatedPriceIndex foreign = replicas.open(2, recovered(9, other));
            assertThat(foreign.awaitLive(Replicas.PATIENCE)).isFalse();
            assertThat(foreign.status().failure())
                    .contains(
                            "prices are of another cluster",
                            "cluster=" + other,
                            "expected=" + replicas.lineageOf(0).cluster());
            assertThat(foreign.index().stats().prices()).isEqualTo(9);
            replicas.end(2, false);
            replicas.update(1, new PriceBatch().put(Price.of("q", "o", Map.of(), BigDecimal.TEN)));
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void join_withLaterPricesOfNoCluster_takesThoseOfTheCluster() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(2, LOG))) {
            replicas.start(0, 1);
            replicas.update(0, new PriceBatch().put(Price.of("p", "o", Map.of(), BigDecimal.ONE)));
            replicas.open(2, recovered(9, null));
            assertThat(replicas.replica(2).awaitLive(Replicas.PATIENCE)).isTrue();
            assertThat(replicas.lineageOf(2)).isEqualTo(replicas.lineageOf(0));
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void beginEpoch_enoughMembersHavePricesOfOneCluster_leadsWithTheirs() throws Exception {
        UUID own = UUID.randomUUID();
        try (Replicas replicas = new Replicas(3, Replicas.options(2, LOG))) {
            ReplicatedPriceIndex foreign = replicas.open(0, recovered(9, UUID.randomUUID()));
            awaitReason(foreign, "too few members");
            replicas.open(1, recovered(2, own));
            awaitReason(foreign, "members have prices of several clusters");
            replicas.open(2, recovered(3, own));
            for (int member = 1; member < 3; member++) {
                assertThat(replicas.replica(member).awaitLive(Replicas.PATIENCE))
                        .isTrue();
                assertThat(replicas.lineageOf(member).cluster()).isEqualTo(own);
                assertThat(replicas.replica(member).index().stats().prices()).isEqualTo(3);
            }
            assertThat(foreign.awaitLive(Replicas.PATIENCE)).isFalse();
            assertThat(foreign.status().state()).isEqualTo(State.FAILED);
        }
    }

    @Test
    void beginEpoch_oneMemberHasPricesOfACluster_leadsWithThem() throws Exception {
        UUID own = UUID.randomUUID();
        try (Replicas replicas = new Replicas(2, Replicas.options(2, LOG))) {
            replicas.open(0, recovered(9, null));
            replicas.open(1, recovered(2, own));
            for (int member = 0; member < 2; member++) {
                assertThat(replicas.replica(member).awaitLive(Replicas.PATIENCE))
                        .isTrue();
                assertThat(replicas.lineageOf(member).cluster()).isEqualTo(own);
                assertThat(replicas.replica(member).index().stats().prices()).isEqualTo(2);
            }
        }
    }

    /** A member that was cut off, and has applied entries of its own that nobody else has. */
    @Test
    void join_withMoreUpdatesOfAnEarlierTerm_takesThoseOfTheCluster() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(2, LOG))) {
            replicas.start(0, 1, 2);
            replicas.update(0, new PriceBatch().put(Price.of("p", "o", Map.of(), BigDecimal.ONE)));
            Replica.Lineage before = replicas.lineageOf(2);
            replicas.end(2, true);
            replicas.update(1, new PriceBatch().put(Price.of("q", "o", Map.of(), BigDecimal.TEN)));
            awaitTermAfter(replicas, before.term());
            replicas.open(2, SlowReplica.recovered(foreign(99), before));
            assertThat(replicas.replica(2).awaitLive(Replicas.PATIENCE)).isTrue();
            replicas.assertAllHaveAcknowledged();
            assertThat(replicas.lineageOf(2)).isEqualTo(replicas.lineageOf(0));
        }
    }

    @Test
    void end_ofAMemberWhileNobodyUpdates_beginsATerm() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(2, LOG))) {
            replicas.start(0, 1, 2);
            long before = replicas.lineageOf(2).term();
            replicas.end(2, true);
            awaitTermAfter(replicas, before);
        }
    }

    /** Waits until the first two members are in a later term. */
    private static void awaitTermAfter(Replicas replicas, long before) {
        for (int member = 0; member < 2; member++) {
            while (replicas.lineageOf(member).term() <= before) {
                LockSupport.parkNanos(100_000);
            }
        }
    }
}

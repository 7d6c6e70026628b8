package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.Price;
import dev.touchstone.index.hazelcast.ReplicaStatus.State;
import dev.touchstone.index.price.PriceBatch;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members that are in the list of members, but whose replicas do not confirm what another one does. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicaConfirmationTest {
    private static final ReplicaOptions SHORT = new ReplicaOptions("prices", 2, 1000, Duration.ofSeconds(4));

    private static PriceBatch batch(String id) {
        return new PriceBatch().put(Price.of(id, "o", Map.of(), BigDecimal.ONE));
    }

    private static SlowReplica openSlow(Replicas replicas, int member) throws Exception {
        SlowReplica slow = new SlowReplica();
        assertThat(replicas.open(member, slow).awaitLive(Replicas.PATIENCE)).isTrue();
        return slow;
    }

    @Test
    void update_thatNoOtherReplicaApplies_isNotAcknowledged() throws Exception {
        try (Replicas replicas = new Replicas(3, SHORT)) {
            ReplicatedPriceIndex writer = replicas.open(0, Replica.inMemory(RandomBatches.empty()));
            SlowReplica first = openSlow(replicas, 1);
            SlowReplica second = openSlow(replicas, 2);
            assertThat(writer.awaitLive(Replicas.PATIENCE)).isTrue();
            assertThatThrownBy(() -> writer.update(batch("p"))).isInstanceOf(UnknownOutcomeException.class);
            assertThat(writer.index().version()).isEqualTo(2); // its own replica has applied it
            replicas.acknowledge(2, batch("p"));
            first.mayApply.countDown();
            replicas.update(0, batch("q"));
            second.mayApply.countDown();
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void update_thatOneOfFourOtherReplicasApplies_isNotAcknowledgedByThree() throws Exception {
        ReplicaOptions options = new ReplicaOptions("prices", 3, 1000, SHORT.timeout());
        try (Replicas replicas = new Replicas(5, options)) {
            ReplicatedPriceIndex writer = replicas.open(0, Replica.inMemory(RandomBatches.empty()));
            for (int member = 1; member < 5; member++) {
                ReplicatedPriceIndex unused = replicas.open(member, new SlowReplica());
            }
            for (ReplicatedPriceIndex each : replicas.replicas()) {
                assertThat(each.awaitLive(Replicas.PATIENCE)).isTrue();
            }
            replicas.slow(1).mayApply.countDown();
            assertThatThrownBy(() -> writer.update(batch("p"))).isInstanceOf(UnknownOutcomeException.class);
            replicas.acknowledge(2, batch("p"));
            replicas.slow(2).mayApply.countDown();
            replicas.update(1, batch("q"));
            replicas.slow(3).mayApply.countDown();
            replicas.slow(4).mayApply.countDown();
            replicas.assertAllHaveAcknowledged();
        }
    }

    @Test
    void update_whileAReplicaHangs_asksItFewQuestions() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(2, 1000))) {
            replicas.start(0, 1);
            SlowReplica hanging = openSlow(replicas, 2);
            for (int i = 0; i < 500; i++) {
                replicas.update(i % 2, batch("p" + i));
            }
            long waiting = replicas.member(2)
                    .getExecutorService("prices.replicas")
                    .getLocalExecutorStats()
                    .getPendingTaskCount();
            assertThat(waiting).isLessThan(20);
            hanging.mayApply.countDown();
            replicas.update(0, batch("q"));
            replicas.assertAllHaveAcknowledged();
        }
    }

    /** A member without a replica stands for one that the list of members still has, though nothing reaches it. */
    @Test
    void update_afterALossThatNoOtherReplicaConfirms_raisesNeitherTermNorVersion() throws Exception {
        try (Replicas replicas = new Replicas(3, SHORT)) {
            replicas.start(0, 1, 2);
            replicas.update(0, batch("p"));
            long term = replicas.lineageOf(0).term();
            replicas.replica(1).close();
            replicas.end(2, true);
            while (replicas.member(0).getCluster().getMembers().size() > 2) {
                LockSupport.parkNanos(100_000);
            }
            assertThatThrownBy(() -> replicas.replica(0).update(batch("q"))).isInstanceOf(IOException.class);
            assertThat(replicas.lineageOf(0).term()).isEqualTo(term);
            assertThat(replicas.replica(0).index().version()).isEqualTo(2);
            replicas.start(2);
            replicas.update(0, batch("r"));
            assertThat(replicas.lineageOf(0).term()).isGreaterThan(term);
        }
    }

    @Test
    void promise_thatAReplicaCannotKeep_failsThatReplicaAlone() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(2, 1000))) {
            ReplicatedPriceIndex broken = replicas.open(0, new SlowReplica());
            replicas.start(1, 2);
            replicas.slow(0).isBroken = true;
            replicas.end(2, true);
            while (broken.status().state() != State.FAILED) {
                LockSupport.parkNanos(100_000);
            }
            assertThat(broken.status().failure()).contains("disk is full");
            replicas.start(2);
            assertThat(replicas.update(1, batch("p"))).isEqualTo(2);
            assertThat(replicas.replica(2).awaitVersion(2, Replicas.PATIENCE)).isTrue();
        }
    }

    @Test
    void beginEpoch_leaderCannotKeepItsLineage_failsThatReplicaAlone() throws Exception {
        Replica.Lineage lineage = new Replica.Lineage(UUID.randomUUID(), 1);
        try (Replicas replicas = new Replicas(3, Replicas.options(2, 1000))) {
            SlowReplica unwritable = SlowReplica.recovered(RandomBatches.empty(), lineage);
            unwritable.isLineageBroken = true;
            ReplicatedPriceIndex broken = replicas.open(0, unwritable);
            replicas.open(1, SlowReplica.recovered(RandomBatches.empty(), lineage));
            replicas.open(2, SlowReplica.recovered(RandomBatches.empty(), lineage));
            assertThat(replicas.replica(1).awaitLive(Replicas.PATIENCE))
                    .as("status=%s", replicas.replica(1).status())
                    .isTrue();
            assertThat(broken.status().state()).isEqualTo(State.FAILED);
        }
    }

    /** A promise whose term never began, as of a member that was killed before it wrote its entry. */
    @Test
    void update_afterAPromiseThatCameToNothing_beginsALaterTerm() throws Exception {
        try (Replicas replicas = new Replicas(3, Replicas.options(2, 1000))) {
            replicas.start(0, 1, 2);
            replicas.pricesOf(0).promise(50);
            replicas.pricesOf(1).promise(50);
            replicas.update(2, batch("p"));
            assertThat(replicas.lineageOf(2).term()).isGreaterThan(50);
            assertThat(replicas.replica(0).status().state()).isEqualTo(State.LIVE);
            replicas.assertAllHaveAcknowledged();
        }
    }
}

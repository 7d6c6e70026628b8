package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.hazelcast.ReplicaStatus.State;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica that cannot keep its lineage, such as one whose disk is full when its cluster starts. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicaBrokenFileTest {
    /** A recovered replica that cannot write the file of its cluster. */
    private record Unwritable(Replica replica) implements Replica {
        @Override
        public PriceIndex index() {
            return replica.index();
        }

        @Override
        public List<Outcome> apply(List<PriceBatch> batches) throws IOException {
            return replica.apply(batches);
        }

        @Override
        public void replace(PriceIndex next) throws IOException {
            replica.replace(next);
        }

        @Override
        public boolean isRecovered() {
            return true;
        }

        @Override
        public @Nullable Lineage lineage() {
            return replica.lineage();
        }

        @Override
        public void belongTo(Lineage next) throws IOException {
            throw new IOException("no space left on device");
        }

        @Override
        public long promised() {
            return replica.promised();
        }

        @Override
        public void promise(long term) throws IOException {
            replica.promise(term);
        }
    }

    @Test
    void beginEpoch_leaderCannotKeepItsLineage_failsThatReplicaAlone() throws Exception {
        Replica.Lineage lineage = new Replica.Lineage(UUID.randomUUID(), 1);
        try (Replicas replicas = new Replicas(3, Replicas.options(2, 1000))) {
            ReplicatedPriceIndex broken =
                    replicas.open(0, new Unwritable(SlowReplica.recovered(RandomBatches.empty(), lineage)));
            replicas.open(1, SlowReplica.recovered(RandomBatches.empty(), lineage));
            replicas.open(2, SlowReplica.recovered(RandomBatches.empty(), lineage));
            assertThat(replicas.replica(1).awaitLive(Duration.ofSeconds(30)))
                    .as("status=%s", replicas.replica(1).status())
                    .isTrue();
            assertThat(broken.status().state()).isEqualTo(State.FAILED);
        }
    }
}

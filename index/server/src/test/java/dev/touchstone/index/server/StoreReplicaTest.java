package dev.touchstone.index.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.hazelcast.Replica;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.store.ClusterFile;
import dev.touchstone.index.server.store.PriceStore;
import dev.touchstone.index.server.store.StoreDamagedException;
import dev.touchstone.index.server.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster, the term and the promise that the replica of a store keeps beside its prices. */
class StoreReplicaTest {
    private final UUID cluster = UUID.randomUUID();

    @TempDir
    Path folder;

    private PriceStore store() throws IOException {
        return PriceStore.create(folder.resolve("store"), PriceIndex.builder().build(List.of()), StoreOptions.DEFAULT);
    }

    private StoreReplica replica(PriceStore store) throws IOException {
        return new StoreReplica(store, true, new ClusterFile(folder.resolve("store")));
    }

    @Test
    void promise_ofALaterProcess_isStillKept() throws IOException {
        try (PriceStore store = store()) {
            StoreReplica first = replica(store);
            first.belongTo(new Replica.Lineage(cluster, 3));
            first.promise(5);
            StoreReplica second = replica(store);
            assertThat(second.promised()).isEqualTo(5);
            assertThat(second.lineage()).isEqualTo(new Replica.Lineage(cluster, 3));
            second.belongTo(new Replica.Lineage(cluster, 4));
            assertThat(replica(store).promised()).isEqualTo(5);
            second.belongTo(new Replica.Lineage(cluster, 6));
            assertThat(replica(store).promised()).isEqualTo(6);
        }
    }

    @Test
    void promise_ofAStoreOfNoCluster_isKeptWithItsFirstLineage() throws IOException {
        try (PriceStore store = store()) {
            StoreReplica replica = replica(store);
            assertThat(replica.promised()).isEqualTo(-1);
            replica.promise(7);
            assertThat(replica(store).lineage()).isNull();
            replica.belongTo(new Replica.Lineage(cluster, 2));
            assertThat(replica(store).promised()).isEqualTo(7);
        }
    }

    @Test
    void open_withAFileThatHasNoPromise_saysThatItIsDamaged() throws IOException {
        try (PriceStore store = store()) {
            replica(store).belongTo(new Replica.Lineage(cluster, 3));
            Path file = folder.resolve("store").resolve("cluster");
            Files.writeString(file, Files.readString(file).replace(" 3 3 ", " 3 "));
            assertThatThrownBy(() -> replica(store))
                    .isInstanceOf(StoreDamagedException.class)
                    .hasMessageContaining("expected=a UUID, two terms and their CRC-32");
        }
    }
}

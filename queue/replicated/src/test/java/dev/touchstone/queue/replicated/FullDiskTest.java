package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.replicated.faults.CutFileIo;
import dev.touchstone.queue.replication.NotProposedException;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader whose disk has no room for another segment of its log. */
class FullDiskTest {
    private static final int ENTRY_BYTES = 16 << 10;

    @TempDir
    Path folder;

    @Test
    void propose_diskIsFull_tellsFileAndCause() throws Exception {
        CutFileIo io = new CutFileIo(folder.resolve("removed"));
        Group group = new Group(folder, 1);
        String address = group.addresses.get(0);
        CountingMachine machine = new CountingMachine();
        try (ReplicationGroup member =
                new JraftEngine(Group.STORAGE, io).start(group.options(address, group.addresses), machine)) {
            Group.await("the leader", member::leads);
            Group.offer(member, "a");
            io.setFull(true);
            String file = group.folderOf(address).toString();
            assertThat(firstFailure(member, 100)).hasMessageContaining(file).hasMessageContaining("No space left");
            Group.await("the end", () -> machine.events.contains("ended"));
            assertThat(firstFailure(member, 1))
                    .isInstanceOf(NotProposedException.class)
                    .hasMessageContaining(file)
                    .hasMessageContaining("No space left");
            assertThatThrownBy(() -> Group.get(Group.barrier(member)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file)
                    .hasMessageContaining("No space left");
        }
    }

    private static IOException firstFailure(ReplicationGroup member, int entries) {
        List<CompletableFuture<@Nullable Void>> outcomes = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            outcomes.add(Group.propose(member, "x".repeat(ENTRY_BYTES)));
        }
        for (CompletableFuture<@Nullable Void> outcome : outcomes) {
            try {
                Group.get(outcome);
            } catch (IOException e) {
                return e;
            }
        }
        throw new AssertionError("no entry was refused");
    }
}

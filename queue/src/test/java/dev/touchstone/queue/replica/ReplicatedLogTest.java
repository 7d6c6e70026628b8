package dev.touchstone.queue.replica;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.ReplicationEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts of a member that its engine refuses. */
class ReplicatedLogTest {
    @TempDir
    Path folder;

    /** The state that fails with its machine cannot be closed without a failure of its own, which says less. */
    @Test
    void open_engineHasEndedTheMachineForDamage_throwsTheDamage() {
        CorruptLogException damage = new CorruptLogException(folder.resolve("members"), 0, "checksum", "crc 1", "none");
        ReplicationEngine engine = (started, machine) -> {
            machine.ended(damage);
            throw damage;
        };
        GroupOptions member =
                new GroupOptions("127.0.0.1:7100", List.of(), folder.resolve("group"), Duration.ofSeconds(1), null);

        LogOptions options = LogOptions.of(folder, LogOptions.Commit.MEMORY, 64 << 10);
        assertThatThrownBy(() -> new ReplicatedLog(options, new DiskFileIo(), Duration.ofSeconds(1), engine, member))
                .isSameAs(damage);
    }
}

package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DiskGuardTest {
    @TempDir
    Path tmp;

    private final AtomicLong free = new AtomicLong(1_000);
    private final DiskGuard guard = new DiskGuard(1_000, free::get);

    private StopSignal watch(String name, int bytes) throws IOException {
        Path workspace = Files.createDirectory(tmp.resolve(name));
        Files.write(workspace.resolve("file"), new byte[bytes]);
        StopSignal stop = new StopSignal();
        guard.watch(name, workspace, stop);
        return stop;
    }

    @Test
    void look_withTooLittleRoom_stopsTheBuildThatTakesMost_andNoOtherUntilThatIsGone() throws IOException {
        StopSignal small = watch("small", 100_000);
        StopSignal large = watch("large", 3_000_000);
        StopSignal sparse = watch("sparse", 0);
        try (RandomAccessFile file =
                new RandomAccessFile(tmp.resolve("sparse/hole").toFile(), "rw")) {
            file.setLength(1L << 40);
        }
        guard.look();
        assertThat(large.isStopped()).isFalse();
        free.set(999);
        guard.look();
        guard.look();
        assertThat(large.stopped()).hasValueSatisfying(by -> {
            assertThat(by.cause()).isEqualTo(StopSignal.Cause.NO_SPACE);
            assertThat(by.reason()).contains("bytes free=999 bytes to keep free=1000 bytes of the workspace=30");
        });
        assertThat(small.isStopped() || sparse.isStopped()).isFalse();
        guard.forget("large");
        guard.look();
        assertThat(small.isStopped()).isTrue();
        assertThat(sparse.isStopped()).isFalse();
    }

    @Test
    void look_whileFoldersThatNoBuildUsesCanGo_stopsNoBuild() throws IOException {
        AtomicLong left = new AtomicLong(999);
        DiskGuard patient = new DiskGuard(1_000, new DiskGuard.Device() {
            @Override
            public long freeBytes() {
                return left.get();
            }

            @Override
            public void makeRoom() {
                left.set(1_000);
            }
        });
        StopSignal stop = new StopSignal();
        patient.watch("a", tmp, stop);
        patient.look();
        assertThat(stop.isStopped()).isFalse();
        assertThat(left).hasValue(1_000);
    }

    /** Names in what `du` says of folders that it may not read, or that are gone, are the script's. */
    @Test
    void look_atAFolderThatHidesItsSize_stopsIt() throws IOException {
        StopSignal large = watch("large", 3_000_000);
        StopSignal hidden = watch("hidden", 0);
        Path folder = Files.createDirectory(tmp.resolve("hidden/99999999999999999999 x"));
        Files.setPosixFilePermissions(folder, Set.of());
        free.set(999);
        guard.look();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        assertThat(hidden.isStopped()).isTrue();
        assertThat(large.isStopped()).isFalse();
    }

    @Test
    void look_atABuildThatWritesToADeletedFile_stopsIt() throws IOException {
        StopSignal large = watch("large", 3_000_000);
        StopSignal deleted = watch("deleted", 0);
        Path path = tmp.resolve("deleted/gone");
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            Files.delete(path);
            file.write(new byte[4_000_000]);
            free.set(999);
            guard.look();
        }
        assertThat(deleted.isStopped()).isTrue();
        assertThat(large.isStopped()).isFalse();
    }

    @Test
    void look_atADeviceThatCannotBeAsked_stopsNothing() throws IOException {
        DiskGuard broken = new DiskGuard(1_000, () -> {
            throw new IOException("on purpose");
        });
        StopSignal stop = new StopSignal();
        broken.watch("a", tmp, stop);
        broken.look();
        assertThat(stop.isStopped()).isFalse();
    }

    @Test
    void build_onADeviceWithoutRoom_isKilledAtOnce() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "trap '' TERM; touch here; while :; do sleep 1; done");
        BuildAgentBuilder builder = TestAgent.builder(tmp.resolve("agent")).keepFreeBytes(Long.MAX_VALUE);
        try (TestAgent agent = TestAgent.of(builder)) {
            Outcome outcome = agent.run(TestJob.of("j", repo));
            assertThat(outcome.code()).as(outcome.message()).isEqualTo(OutcomeCode.NO_SPACE);
            assertThat(outcome.message()).contains("device has too little room", "bytes to keep free=");
        }
    }
}

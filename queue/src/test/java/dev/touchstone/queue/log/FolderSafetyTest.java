package dev.touchstone.queue.log;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that nobody but their owner can read, links that nobody follows, and folders that a power cut leaves. */
class FolderSafetyTest {
    private static final byte[] RECORD = new byte[100];
    private static final String PRECIOUS = "another program's file ".repeat(1000);

    @TempDir
    Path temporary;

    private Path folder;
    private Path precious;

    @BeforeEach
    void begin() throws IOException {
        folder = temporary.resolve("made/by/the/queue");
        precious = Files.writeString(temporary.resolve("precious"), PRECIOUS);
    }

    private RecordLog open(Commit commit) throws IOException {
        return RecordLog.open(LogOptions.of(folder, commit, 64 << 10));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    @ParameterizedTest
    @EnumSource
    void files_areTheOwnersOnly(Commit commit) throws IOException {
        try (RecordLog log = open(commit)) {
            for (int i = 0; i < 2000; i++) {
                Logs.append(log, RECORD);
            }
            log.cursors().get("audit");
            log.flush();
            try (Stream<Path> files = Files.list(folder)) {
                List<Path> all = files.toList();
                assertThat(all).hasSizeGreaterThan(5);
                for (Path file : all) {
                    try {
                        assertThat(permissions(file)).as("%s", file).isEqualTo("rw-------");
                    } catch (NoSuchFileException renamed) {
                        // a spare file that the log has finished since the folder was listed
                    }
                }
            }
        }
        for (Path made = folder;
                !made.equals(temporary);
                made = made.resolve("..").normalize()) {
            assertThat(permissions(made)).as("%s", made).isEqualTo("rwx------");
        }
    }

    @Test
    void folder_thatExists_isLeftAsItIs() throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
        open(Commit.DEVICE).close();
        assertThat(permissions(folder)).isEqualTo("rwxr-x---");
    }

    @Test
    void folder_thatIsALink_isTheUsersChoice() throws IOException {
        Path real = Files.createDirectory(temporary.resolve("real"));
        folder = Files.createSymbolicLink(temporary.resolve("linked"), real);
        try (RecordLog log = open(Commit.PAGE_CACHE)) {
            Logs.append(log, RECORD);
            log.flush();
        }
        assertThat(real.resolve("CURSOR-a")).isRegularFile();
    }

    @Test
    void folder_withParentSteps_isWhereTheSystemFindsIt() throws IOException {
        folder = temporary.resolve("absent/../queue");
        open(Commit.PAGE_CACHE).close();
        assertThat(temporary.resolve("queue/CURSOR-a")).isRegularFile();

        Path far = Files.createDirectories(temporary.resolve("far/away"));
        Path linked = Files.createSymbolicLink(temporary.resolve("linked"), far);
        folder = linked.resolve("../behind");
        open(Commit.PAGE_CACHE).close();
        assertThat(temporary.resolve("far/behind/CURSOR-a")).isRegularFile();
        assertThat(temporary.resolve("behind")).doesNotExist();
    }

    @Test
    void newFolders_areForcedFromTheTopDown() throws IOException {
        List<Path> forced = new ArrayList<>();
        DiskFileIo io = new DiskFileIo(forced::add);
        io.createFolder(folder);
        assertThat(forced)
                .containsExactly(
                        temporary,
                        temporary.resolve("made"),
                        temporary.resolve("made/by"),
                        temporary.resolve("made/by/the"));
        io.createFolder(folder);
        assertThat(forced).hasSize(4);
        assertThatThrownBy(() -> io.createFolder(precious.resolve("below"))).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOCK", "CURSOR-a", "CURSOR-b", "0000000000000001.seg"})
    void link_inPlaceOfAFile_isRefusedByNameAndItsTargetUntouched(String name) throws IOException {
        try (RecordLog log = open(Commit.DEVICE)) {
            Logs.append(log, RECORD);
            log.cursors().get("audit");
        }
        Path link = folder.resolve(name);
        Files.delete(link);
        Files.createSymbolicLink(link, precious);
        assertThatThrownBy(() -> open(Commit.DEVICE))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("file type")
                .hasMessageContaining(link.toString())
                .hasMessageContaining("symbolic link");
        assertThat(precious).hasContent(PRECIOUS);
        assertThat(link).isSymbolicLink();
        Files.delete(link);
        if (SegmentStore.isSegment(link)) {
            assertThatThrownBy(() -> open(Commit.DEVICE))
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageContaining("one with sequence 1");
        } else {
            open(Commit.DEVICE).close();
        }
    }

    /** A pipe that nobody writes to: whoever opens it waits for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"LOCK", "CURSOR-a", "CURSOR-b", "BUFFER"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void pipe_inPlaceOfAFile_isRefusedByName(String name) throws Exception {
        open(Commit.PAGE_CACHE).close();
        Path pipe = folder.resolve(name);
        Files.deleteIfExists(pipe);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> open(Commit.PAGE_CACHE))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("file type")
                .hasMessageContaining(pipe.toString())
                .hasMessageContaining("special file");
        Files.delete(pipe);
        Files.createDirectory(pipe);
        assertThatThrownBy(() -> open(Commit.PAGE_CACHE))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("got=folder");
        Files.delete(pipe);
        open(Commit.PAGE_CACHE).close();
    }

    @Test
    void link_inPlaceOfAFileThatAnInterruptHasClosed_isRefused() throws Exception {
        Files.createDirectories(folder);
        Path file = folder.resolve("file");
        try (FileIo.DataFile open = new DiskFileIo().create(file, FileIo.Access.WRITE)) {
            Files.delete(file);
            Files.createSymbolicLink(file, precious);
            Field channel = ReopeningFile.class.getDeclaredField("channel");
            channel.setAccessible(true);
            ((Channel) requireNonNull(channel.get(open)))
                    .close(); // as the JDK does for an interrupt in the middle of a call
            assertThatThrownBy(() -> open.write(ByteBuffer.allocate(10), 0))
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageContaining(file.toString());
        }
        assertThat(precious).hasContent(PRECIOUS);
    }

    @Test
    void lock_ofAFolderInUse_namesItsOwner() throws IOException {
        try (RecordLog log = open(Commit.DEVICE)) {
            assertThat(log.size()).isZero();
            assertThatThrownBy(() -> new DiskFileIo().lock(folder.resolve("LOCK"), Duration.ZERO))
                    .isInstanceOf(LogLockedException.class)
                    .hasMessageContaining("pid=" + ProcessHandle.current().pid());
        }
    }
}

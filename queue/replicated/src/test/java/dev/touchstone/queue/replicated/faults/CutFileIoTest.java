package dev.touchstone.queue.replicated.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Power cuts of the simulated files: unforced bytes go, forced ones stay. */
class CutFileIoTest {
    @TempDir
    Path folder;

    private final SplittableRandom random = new SplittableRandom(Long.getLong("seed", System.nanoTime()));
    private CutFileIo io;
    private Path file;

    @BeforeEach
    void make() throws IOException {
        Path log = Files.createDirectory(folder.resolve("log"));
        io = new CutFileIo(folder.resolve("removed"));
        file = log.resolve("file");
    }

    private void write(Path path, FileIo.Access access, String text, boolean forces) throws IOException {
        try (FileIo.DataFile data = io.create(path, access)) {
            data.write(ByteBuffer.wrap(text.getBytes(UTF_8)), 0);
            if (forces) {
                data.force();
            }
        }
    }

    @RepeatedTest(10)
    void cut_forcedBytesAndName_areThere() throws Exception {
        write(file, FileIo.Access.WRITE, "forced", true);
        io.forceFolder(folder.resolve("log"));
        io.cut(random);
        assertThat(Files.readString(file)).isEqualTo("forced");
    }

    @RepeatedTest(10)
    void cut_writtenThrough_isThere() throws Exception {
        write(file, FileIo.Access.WRITE_THROUGH, "through", false);
        io.forceFolder(folder.resolve("log"));
        io.cut(random);
        assertThat(Files.readString(file)).isEqualTo("through");
    }

    @Test
    void cut_withoutForce_losesBytesNowAndThen() throws Exception {
        int lost = 0;
        for (int i = 0; i < 64; i++) {
            make(i);
            write(file, FileIo.Access.WRITE, "old", true);
            io.forceFolder(folder.resolve("log-" + i));
            write(file, FileIo.Access.WRITE, "newer", false);
            io.cut(random);
            String left = Files.readString(file);
            assertThat(left).isIn("old", "newer", "new", "old\0\0");
            lost += left.startsWith("old") ? 1 : 0;
        }
        assertThat(lost).isBetween(1, 63);
    }

    private void make(int number) throws IOException {
        Path log = Files.createDirectory(folder.resolve("log-" + number));
        io = new CutFileIo(folder.resolve("removed-" + number));
        file = log.resolve("file");
    }

    @Test
    void cut_namesNotForced_areTakenBackFromTheLastOn() throws Exception {
        boolean sawOld = false;
        boolean sawNew = false;
        for (int i = 0; i < 64; i++) {
            make(i);
            write(file, FileIo.Access.WRITE, "old", true);
            io.forceFolder(folder.resolve("log-" + i));
            Path temporary = file.resolveSibling("temporary");
            write(temporary, FileIo.Access.WRITE, "new", true);
            io.rename(temporary, file);
            io.cut(random);
            String left = Files.readString(file);
            assertThat(left).isIn("old", "new");
            assertThat(left.equals("new") && Files.exists(temporary)).isFalse();
            sawOld |= left.equals("old");
            sawNew |= left.equals("new");
        }
        assertThat(sawOld && sawNew).isTrue();
    }

    @Test
    void cut_writeUnderWay_isTornAndNeverReturns() throws Exception {
        byte[] zeros = new byte[64 << 10];
        try (FileIo.DataFile data = io.create(file, FileIo.Access.WRITE)) {
            data.write(ByteBuffer.wrap(zeros), 0);
            data.force();
        }
        io.forceFolder(folder.resolve("log"));
        FileIo.DataFile through = io.open(file, FileIo.Access.WRITE_THROUGH);
        CountDownLatch started = new CountDownLatch(1);
        byte[] ones = new byte[zeros.length];
        Arrays.fill(ones, (byte) 1);
        MemberLinks.start("writes", () -> {
            try {
                while (true) {
                    through.write(ByteBuffer.wrap(ones), 0);
                    through.write(ByteBuffer.wrap(zeros), 0);
                    started.countDown();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        io.cut(random);
        int set = 0;
        for (byte each : Files.readAllBytes(file)) {
            set += each;
        }
        assertThat(set).as("bytes of the torn write, or of the one before").isBetween(1, ones.length - 1);
    }

    @Test
    void full_fileGrowsOrIsMade_isRefused() throws Exception {
        write(file, FileIo.Access.WRITE, "some", true);
        io.setFull(true);
        assertThatThrownBy(() -> write(file, FileIo.Access.WRITE, "longer", true))
                .hasMessageContaining("No space");
        assertThatThrownBy(() -> write(file.resolveSibling("other"), FileIo.Access.WRITE, "a", true))
                .hasMessageContaining("No space");
        write(file, FileIo.Access.WRITE, "same", true);
        io.setFull(false);
        write(file, FileIo.Access.WRITE, "longer", true);
        assertThat(Files.readString(file)).isEqualTo("longer");
    }
}

package dev.touchstone.index.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AtomicFileWriterTest {
    private static final String LEFT_OVER = "prices.index.0123456789abcdef-00000000000000ff.next";

    @TempDir
    Path folder;

    private static PriceIndex index() {
        return PriceIndex.builder().string("s").build(List.of(Price.of("a", "o", Map.of("s", "x"), BigDecimal.ONE)));
    }

    private Path file() {
        return folder.resolve("prices.index");
    }

    @Test
    void write_deletesWhatKilledWritersLeft() throws IOException {
        Files.createFile(folder.resolve(LEFT_OVER));

        index().write(file());

        assertThat(names()).containsExactly("prices.index");
    }

    @Test
    void open_deletesWhatKilledWritersLeft() throws IOException {
        index().write(file());
        for (boolean isMapped : List.of(false, true)) {
            Files.createFile(folder.resolve(LEFT_OVER));
            PriceIndex read = isMapped ? PriceIndex.map(file()) : PriceIndex.open(file());
            assertThat(read.stats().prices()).isEqualTo(1);
            assertThat(names()).containsExactly("prices.index");
        }
    }

    @Test
    void write_leavesOtherFilesAlone() throws IOException {
        List<String> others = List.of(
                "other.index.0123456789abcdef-00000000000000ff.next",
                "prices.index.next",
                "prices.index.0123456789abcdef-00000000000000ff.next.txt",
                "prices.index.0123456789abcdefg-0000000000000ff.next",
                "pricesxindex.0123456789abcdef-00000000000000ff.next");
        for (String other : others) {
            Files.createFile(folder.resolve(other));
        }

        index().write(file());

        assertThat(names()).containsAll(others);
    }

    @Test
    void write_leavesTheFileOfAWriterOfThisJvm() throws IOException {
        try (AtomicFileWriter other = AtomicFileWriter.create(file())) {
            index().write(file());
            PriceIndex.open(file());

            assertThat(names()).hasSize(2);
            other.channel().write(java.nio.ByteBuffer.wrap(new byte[] {1}));
            other.replace();
        }
        assertThat(names()).containsExactly("prices.index");
        assertThat(Files.size(file())).isEqualTo(1);
    }

    /** Holds the lock of a file, as a writer in another JVM does, until its input ends. */
    static final class Holder {
        public static void main(String[] args) throws IOException {
            try (FileChannel channel =
                            FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                System.out.println(Objects.requireNonNull(lock).isValid());
                System.in.read();
            }
        }
    }

    @Test
    void write_leavesTheFileOfAWriterOfAnotherJvm_untilThatIsKilled() throws IOException, InterruptedException {
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        folder.resolve(LEFT_OVER).toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(holder.getInputStream().read()).isEqualTo('t');
            index().write(file());
            assertThat(names()).containsExactlyInAnyOrder("prices.index", LEFT_OVER);
        } finally {
            holder.destroyForcibly();
        }
        assertThat(holder.waitFor(30, TimeUnit.SECONDS)).isTrue();
        index().write(file());
        assertThat(names()).containsExactly("prices.index");
    }

    /** Checks that nothing but a regular file is taken for one of a killed writer: opening a pipe would wait for ever, and a link leads elsewhere. */
    @Test
    void open_leavesLinksPipesAndFolders() throws IOException, InterruptedException {
        index().write(file());
        Path other = Files.writeString(folder.resolve("other"), "other");
        Path leftOver = folder.resolve(LEFT_OVER);
        try (FileChannel channel = FileChannel.open(other, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            Files.createSymbolicLink(leftOver, other);
            PriceIndex.open(file());
            index().write(file());
            assertThat(leftOver).isSymbolicLink();
            assertThat(isLocked(other)).isEqualTo(Objects.requireNonNull(lock).isValid());
            assertThat(other).hasContent("other");
        }
        Files.delete(leftOver);
        Files.createDirectory(leftOver);
        PriceIndex.open(file());
        Files.delete(leftOver);
        Process pipe = new ProcessBuilder("mkfifo", leftOver.toString()).start();
        assertThat(pipe.waitFor()).isZero();
        PriceIndex.open(file());
        assertThat(names()).contains(LEFT_OVER);
    }

    /** Returns whether a process other than this one finds a lock on a file. */
    private static boolean isLocked(Path file) throws IOException, InterruptedException {
        Process holder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Asker.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int first = holder.getInputStream().read();
        holder.waitFor();
        return first == 't';
    }

    /** Prints whether another process holds a lock on a file. */
    static final class Asker {
        public static void main(String[] args) throws IOException {
            try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
                System.out.println(channel.tryLock() == null);
            }
        }
    }

    /** Checks that an interrupt after the file was replaced does not make the write fail, which would say that the old file is there. */
    @Test
    void forceFolder_byAnInterruptedThread_isDoneAndLeavesTheThreadInterrupted() throws IOException {
        Thread.currentThread().interrupt();
        AtomicFileWriter.forceFolder(folder);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void write_byAnInterruptedThread_leavesTheOldFile() throws IOException {
        index().write(file());
        byte[] before = Files.readAllBytes(file());
        PriceIndex later = index();
        later.update(new PriceBatch().remove("o", "a"));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> later.write(file())).isInstanceOf(IOException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(file()).hasBinaryContent(before);
        assertThat(names()).containsExactly("prices.index");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** Skips a test where files have no POSIX permissions. */
    private void needPermissions() {
        assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "rw-r-----", "rw-rw-rw-", "r--r--r--", "rwxr-x--x"})
    void write_overAFile_keepsItsPermissions(String permissions) throws IOException {
        needPermissions();
        index().write(file());
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(permissions));
        for (int i = 0; i < 2; i++) {
            index().write(file());
            assertThat(mode(file())).isEqualTo(permissions);
            assertThat(PriceIndex.open(file()).stats().prices()).isEqualTo(1);
        }
    }

    @Test
    void write_withoutAFileBefore_hasTheDefaultPermissions() throws IOException {
        needPermissions();
        index().write(file());
        assertThat(mode(file())).isEqualTo(mode(Files.createFile(folder.resolve("other"))));
    }

    @Test
    void write_withPermissions_hasThese() throws IOException {
        needPermissions();
        index().write(file());
        index().write(file(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
        assertThat(mode(file())).isEqualTo("rw-r-----");
    }

    /** Checks that the permissions of a link, which everybody has, are not those of the file. */
    @Test
    void write_overALink_hasThePermissionsOfItsTarget() throws IOException {
        needPermissions();
        Path target = Files.writeString(folder.resolve("target"), "target");
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r-----"));
        Files.createSymbolicLink(file(), target);
        index().write(file());
        assertThat(mode(file())).isEqualTo("rw-r-----");
        assertThat(file()).isRegularFile().isNotEqualTo(target);
        assertThat(target).hasContent("target");
    }

    @Test
    void create_besideAFile_isForItsWriterOnly_untilItReplacesTheFile() throws IOException {
        needPermissions();
        Files.createFile(file());
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-r--"));
        try (AtomicFileWriter next = AtomicFileWriter.create(file())) {
            for (String name : names()) {
                assertThat(mode(folder.resolve(name))).isEqualTo(name.endsWith(".next") ? "rw-------" : "rw-rw-r--");
            }
            Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
            next.replace();
        }
        assertThat(mode(file())).isEqualTo("rw-r-----");
        try (AtomicFileWriter next = AtomicFileWriter.create(file())) {
            Files.delete(file());
            next.replace();
        }
        assertThat(mode(file())).isEqualTo("rw-------");
    }

    @Test
    void write_overAFileOfAnotherOwnerAndGroup_keepsThem() throws IOException {
        needPermissions();
        index().write(file());
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r-----"));
        try {
            Files.setAttribute(file(), "unix:gid", 12345);
            Files.setAttribute(file(), "unix:uid", 54321);
        } catch (IOException | RuntimeException e) {
            abort("the user may not give files to others, or there are no owners: " + e);
        }
        index().write(file());
        assertThat(Files.readAttributes(file(), "unix:uid,gid,permissions"))
                .containsEntry("uid", 54321)
                .containsEntry("gid", 12345)
                .containsEntry("permissions", PosixFilePermissions.fromString("rw-r-----"));
    }

    @ParameterizedTest
    @CsvSource({
        "rw-rw----, true, rw-rw----",
        "rw-rw----, false, rw-------",
        "rw-rw-r--, false, rw-r--r--",
        "rwxr-x--x, false, rwx--x--x",
        "rw-r--rw-, false, rw-r--rw-",
        "---------, false, ---------",
    })
    void permissions_ofAnotherGroup_areThoseOfEverybodyAtMost(String before, boolean isSameGroup, String expected) {
        assertThat(AtomicFileWriter.permissions(PosixFilePermissions.fromString(before), isSameGroup))
                .isEqualTo(PosixFilePermissions.fromString(expected));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> String.valueOf(path.getFileName())).toList();
        }
    }
}

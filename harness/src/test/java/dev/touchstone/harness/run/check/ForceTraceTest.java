package dev.touchstone.harness.run.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines in the form of {@code strace} 6.1, counted as forces or not. */
class ForceTraceTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Path file = Path.of("");
    private ForceTrace trace = new ForceTrace(file, file);

    @BeforeEach
    void open() throws IOException {
        file = Files.createFile(folder.resolve("forces.txt"));
        trace = new ForceTrace(file, Path.of("/d/own"));
    }

    @Test
    void count_callsOfTheFoldersFiles_onlyThoseThatSucceeded() throws IOException {
        write("""
                7 fsync(3</d/own/a>)          = 0
                7 fdatasync(4</d/own/b/c>) = 0
                7 fdatasync(4</d/own/b/c>) = -1 EIO (Input/output error)
                7 fdatasync(5</d/other/a>) = 0
                7 fsync(6</d/own>) = 0
                7 write(4</d/own/b/c>, ""..., 512) = 512
                """);
        assertThat(trace.count()).isEqualTo(2);
    }

    @Test
    void count_callThatIsInterrupted_whenItHasReturned() throws IOException {
        write("7 fdatasync(3</d/own/a> <unfinished ...>\n8 fsync(4</d/own/b> <unfinished ...>\n");
        assertThat(trace.count()).isZero();
        write("7 <... fdatasync resumed>)        = 0\n8 <... fsync resum");
        assertThat(trace.count()).isEqualTo(1);
        write("ed>) = 0\n");
        assertThat(trace.count()).isEqualTo(2);
    }

    @Test
    void count_writes_whereTheDescriptorIsSynchronous() throws IOException {
        write("""
                7 openat(AT_FDCWD</d>, "/d/own/a", O_WRONLY|O_CREAT|O_DSYNC, 0644) = 3</d/own/a>
                7 pwrite64(3</d/own/a>, ""..., 512, 0) = 512
                7 openat(AT_FDCWD</d>, "/d/own/a", O_WRONLY) = 4</d/own/a>
                7 pwrite64(4</d/own/a>, ""..., 512, 0) = 512
                7 openat(AT_FDCWD</d>, "/d/own/a", O_RDWR) = 3</d/own/a>
                7 pwrite64(3</d/own/a>, ""..., 512, 0) = 512
                """);
        assertThat(trace.count()).isEqualTo(1);
    }

    @Test
    void count_writes_otherProcessWithTheSameDescriptor_doesNotMatter() throws IOException {
        write("""
                7 openat(AT_FDCWD</d>, "/d/own/spare", O_WRONLY|O_CREAT|O_DSYNC, 0644) = 3</d/own/spare>
                8 openat(AT_FDCWD</d>, "/d/other/a", O_RDWR) = 3</d/other/a>
                7 pwrite64(3</d/own/renamed>, ""..., 512, 0) = 512
                8 pwrite64(3</d/other/a>, ""..., 512, 0) = 512
                """);
        assertThat(trace.count()).isEqualTo(1);
    }

    @Test
    void count_mappedFiles_byTheirRange() throws IOException {
        write("""
                7 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_SHARED, 3</d/own/a>, 0) = 0x7f0000002000
                7 mmap(NULL, 8192, PROT_READ|PROT_WRITE, MAP_SHARED, 4</d/other/a>, 0) = 0x7f0000008000
                7 msync(0x7f0000003000, 4096, MS_SYNC) = 0
                7 msync(0x7f0000003000, 4096, MS_ASYNC) = 0
                7 msync(0x7f0000008000, 4096, MS_SYNC) = 0
                """);
        assertThat(trace.count()).isEqualTo(1);
    }

    private void write(String lines) throws IOException {
        Files.writeString(file, lines, StandardOpenOption.APPEND);
    }
}

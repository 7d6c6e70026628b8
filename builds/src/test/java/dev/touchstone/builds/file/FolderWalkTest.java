package dev.touchstone.builds.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a walk ends whatever a script, or a process that it has left, puts in the place of files and folders. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a pipe is opened where no interrupt is heard
class FolderWalkTest {
    private static final Path TREE = Path.of("workspace/src");
    private static final Duration SHORT = Duration.ofMillis(100);

    @TempDir
    Path tmp;

    private Path tree;

    @BeforeEach
    void makeTree() throws IOException {
        tree = Files.createDirectories(tmp.resolve(TREE));
    }

    private static void run(String... words) throws IOException {
        Process made = new ProcessBuilder(words).start();
        try {
            assertThat(made.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(made.exitValue()).isZero();
    }

    private static void replaceByPipe(Path path) throws IOException {
        Files.delete(path);
        run("mkfifo", path.toString());
    }

    /** Does something to each folder and file that the walk comes to. */
    private interface Deed {
        void on(FolderWalk.Entry entry) throws IOException;
    }

    private static FolderWalk.Visitor visitor(Deed onFolder, Deed onFile) {
        return new FolderWalk.Visitor() {
            @Override
            public boolean enter(FolderWalk.Entry folder) throws IOException {
                onFolder.on(folder);
                return true;
            }

            @Override
            public void visit(FolderWalk.Entry entry) throws IOException {
                onFile.on(entry);
            }
        };
    }

    private static FolderWalk walk(Deed onFolder, Deed onFile) {
        return new FolderWalk(visitor(onFolder, onFile), 3);
    }

    @Test
    void folder_thatIsAPipe_isRefused() throws IOException {
        replaceByPipe(tree);
        assertThatThrownBy(() -> FolderWalk.walk(tmp, TREE, visitor(entry -> {}, entry -> {})))
                .hasMessage(TREE + ": is no folder: name=src");
    }

    @Test
    void folder_thatBecomesAPipe_endsTheWalk() throws IOException {
        Files.createDirectory(tree.resolve("a"));
        FolderWalk walk = walk(entry -> replaceByPipe(tree.resolve("a")), entry -> {});
        assertThatThrownBy(() -> walk.walk(tmp, TREE, SHORT))
                .hasMessageContainingAll("a: cannot be opened within PT0.1S", "pipe");
    }

    @Test
    void file_thatBecomesAPipe_endsTheWalk() throws IOException {
        Path file = Files.createFile(tree.resolve("a"));
        List<String> opened = new ArrayList<>();
        FolderWalk walk = walk(entry -> {}, entry -> {
            replaceByPipe(file);
            entry.open().close();
            opened.add("a");
        });
        assertThatThrownBy(() -> walk.walk(tmp, TREE, SHORT)).hasMessageContainingAll("a: cannot be opened", "pipe");
        assertThat(opened).isEmpty();
    }

    @Test
    void file_thatBecomesAPipeWithAWriter_isNotRead() throws IOException {
        Path file = Files.createFile(tree.resolve("a"));
        Process[] writer = new Process[1];
        FolderWalk walk = walk(entry -> {}, entry -> {
            replaceByPipe(file);
            writer[0] = new ProcessBuilder("bash", "-c", "exec 3<>\"$0\"; echo; read -r", file.toString()).start();
            assertThat(writer[0].getInputStream().read()).isEqualTo('\n');
            entry.open().close();
        });
        assertThatThrownBy(() -> walk.walk(tmp, TREE, Duration.ofSeconds(60)))
                .hasMessageContaining("a: is no plain file any more");
        writer[0].destroy();
    }

    @Test
    void folder_ofMoreEntriesThanThereIsMemoryFor_isRefused() throws IOException {
        for (int i = 0; i < 3; i++) {
            Files.createFile(tree.resolve("file" + i));
        }
        List<String> seen = new ArrayList<>();
        walk(entry -> {}, entry -> seen.add(entry.path().toString())).walk(tmp, TREE, SHORT);
        assertThat(seen).containsExactly("file0", "file1", "file2");
        Files.createFile(tree.resolve("file3"));
        assertThatThrownBy(() -> walk(entry -> {}, entry -> {}).walk(tmp, TREE, SHORT))
                .hasMessageContaining("more entries than most=3");
    }

    @Test
    void walk_thatIsInterrupted_tellsTheVisitorNothingMore() throws IOException {
        Files.createFile(tree.resolve("a"));
        Files.createFile(tree.resolve("b"));
        Thread caller = Thread.currentThread();
        List<String> told = new ArrayList<>();
        FolderWalk walk = walk(entry -> {}, entry -> {
            caller.interrupt();
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            told.add(entry.path().toString());
        });
        assertThatThrownBy(() -> walk.walk(tmp, TREE, Duration.ofSeconds(60)))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(told).containsExactly("a");
    }

    @Test
    void failure_ofTheVisitor_isTheCallers() {
        FolderWalk.Visitor visitor = visitor(entry -> {}, entry -> {
            throw new StackOverflowError("of the visitor");
        });
        assertThatThrownBy(() -> {
                    Files.createFile(tree.resolve("a"));
                    FolderWalk.walk(tmp, TREE, visitor);
                })
                .isInstanceOf(StackOverflowError.class);
    }
}

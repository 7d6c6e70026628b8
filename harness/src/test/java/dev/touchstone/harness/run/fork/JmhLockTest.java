package dev.touchstone.harness.run.fork;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JmhLockTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final List<String> said = new ArrayList<>();

    @Test
    void acquire_free_isTakenInSilence() throws IOException {
        acquire(Duration.ZERO).close();
        acquire(Duration.ZERO).close();
        assertThat(said).isEmpty();
    }

    @Test
    void acquire_heldTooLong_failsAndNamesTheHolder() throws Exception {
        Process holder = holder();
        try {
            assertThatThrownBy(() -> acquire(Duration.ofMillis(50)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("another JMH run still holds the lock: file=" + file())
                    .hasMessageContaining("pid=" + holder.pid())
                    .hasMessageContaining("waited=50ms; wait for that run, end it, or give a longer --lock-wait");
            assertThat(said).singleElement().asString().contains("Another JMH run holds", "pid=" + holder.pid());
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    void acquire_heldForAWhile_isTakenAfter() throws Exception {
        Process holder = holder();
        try {
            JmhLock lock = JmhLock.acquire(file(), Duration.ofSeconds(30), line -> {
                said.add(line);
                holder.destroyForcibly();
            });
            lock.close();
            assertThat(said).hasSize(1);
        } finally {
            holder.destroyForcibly();
        }
    }

    private JmhLock acquire(Duration wait) throws IOException {
        return JmhLock.acquire(file(), wait, said::add);
    }

    private Path file() {
        return folder.resolve("jmh.lock");
    }

    /** Starts another JVM that takes the lock and keeps it. */
    private Process holder() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        file().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat((char) process.getInputStream().read()).isEqualTo('h');
        return process;
    }

    /** Program that holds the lock until it is ended. */
    static final class Holder {
        private Holder() {}

        @SuppressWarnings("try") // the lock is held, not used
        public static void main(String[] args) throws Exception {
            Path file = Path.of(args[0]);
            try (JmhLock lock = JmhLock.acquire(file, Duration.ZERO, line -> {})) {
                System.out.write('h');
                System.out.flush();
                int unused = System.in.read(); // until the test ends this process
            }
        }
    }
}

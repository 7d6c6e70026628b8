package dev.touchstone.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a benchmark comes out as a failed check, with its reason. */
class CheckRunnerTest {
    private static final int MESSAGES = 100;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final Queue<Integer> queue = new ArrayDeque<>();

    @Test
    void run_readerOfNothing_fails() throws Exception {
        assertThat(error(check(() -> {
                    Integer read = queue.poll(); // nobody wrote
                    return read == null ? 0 : 1;
                })))
                .isEqualTo("expected 1 element, got 0");
    }

    @Test
    void run_loserOfAMessage_fails() throws Exception {
        assertThat(error(check(() -> {
                    for (int i = 0; i < MESSAGES; i++) {
                        if (i != 42) {
                            queue.add(i);
                        }
                    }
                    return queue.size() == MESSAGES ? 1 : 0;
                })))
                .isEqualTo("expected 1 element, got 0");
    }

    @Test
    void run_checkThatThrowsOrHasNoClass_failsAndTheOthersRun() throws Exception {
        List<CheckResult> results = new ArrayList<>();
        CheckRunner.run(
                List.of(
                        check(() -> {
                            throw new NoClassDefFoundError("gone");
                        }),
                        check(() -> 1)),
                folder,
                results::add);
        assertThat(results).extracting(CheckResult::error).containsExactly("NoClassDefFoundError: gone", null);
        assertThat(folder).isEmptyDirectory();
    }

    private String error(SemanticCheck check) throws Exception {
        List<CheckResult> results = new ArrayList<>();
        CheckRunner.run(List.of(check), folder, results::add);
        return String.valueOf(results.get(0).error());
    }

    private static SemanticCheck check(Work work) {
        return new SemanticCheck() {
            @Override
            public String workload() {
                return "w";
            }

            @Override
            public String subject() {
                return "OURS";
            }

            @Override
            public void run(Path dataFolder) throws CheckFailedException {
                int got = work.done();
                if (got != 1) {
                    throw new CheckFailedException("expected 1 element, got " + got);
                }
            }
        };
    }

    private interface Work {
        int done();
    }
}

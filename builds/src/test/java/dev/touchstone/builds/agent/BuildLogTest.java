package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.agent.isolation.IsolationMode;
import dev.touchstone.builds.agent.isolation.IsolationOptions;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class BuildLogTest {
    private static final String TOKEN = "t0psecret-value";

    @TempDir
    Path tmp;

    @Test
    void readLog_bytesOfAllKinds_isExact() throws IOException {
        byte[] bytes = new byte[3_000_000];
        long seed = 7;
        new Random(seed).nextBytes(bytes);
        Files.write(tmp.resolve("bytes"), bytes);
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "cat " + tmp + "/bytes");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            assertThat(agent.run(TestJob.of("j", repo)).code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(output(agent.logBytes("j"))).isEqualTo(bytes);
            assertThat(agent.run(TestJob.of("k", repo).secret("TOKEN", TOKEN)).code())
                    .isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(output(agent.logBytes("k"))).isEqualTo(bytes);
        }
    }

    @Test
    void readLog_whileItGrows_givesWhatWasTold() throws IOException {
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"), "echo begun", "while [ ! -e " + tmp + "/go ]; do sleep 0.01; done", "echo ended");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Recorder recorder = agent.start(TestJob.of("j", repo));
            Waits.until("the first line", () -> agent.log("j").endsWith("begun\n"));
            long length = agent.logBytes("j").length;
            Waits.until("the listener", () -> recorder.bytes() == length);
            assertThat(agent.agent().readLog("j", 1, length, ByteBuffer.allocate(10)))
                    .isZero();
            assertThat(agent.agent().readLog("j", 1, length + 1_000, ByteBuffer.allocate(10)))
                    .isZero();
            assertThatThrownBy(() -> agent.agent().readLog("j", 1, -1, ByteBuffer.allocate(10)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> agent.agent().readLog("j", 2, 0, ByteBuffer.allocate(10)))
                    .isInstanceOf(UnknownJobException.class);
            Files.createFile(tmp.resolve("go"));
            Outcome outcome = recorder.await();
            assertThat(recorder.bytes()).isLessThanOrEqualTo(outcome.logBytes());
            assertThat(agent.agent().readLog("j", 1, outcome.logBytes(), ByteBuffer.allocate(10)))
                    .isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "SANDBOX"})
    void readLog_scriptThatOpensItsOutputAgain_losesNothing(IsolationMode mode) throws IOException {
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "echo one",
                ": >/proc/self/fd/1",
                "echo two >/dev/stdout",
                "echo three | tee /dev/stderr >/dev/null",
                "truncate --size 0 /dev/stdout 2>/dev/null",
                "python3 -c 'import os; os.ftruncate(1, 0)' 2>/dev/null",
                "dd if=/dev/zero of=/dev/stdout count=0 2>/dev/null",
                "echo four");
        try (TestAgent agent = agent(mode)) {
            for (TestJob job :
                    List.of(TestJob.of("a", repo), TestJob.of("b", repo).secret("TOKEN", TOKEN))) {
                assertThat(agent.run(job).code()).isEqualTo(OutcomeCode.SUCCEEDED);
            }
            assertThat(output(agent.logBytes("a"))).asString().isEqualTo("one\ntwo\nthree\nfour\n");
            assertThat(output(agent.logBytes("b"))).isEqualTo(output(agent.logBytes("a")));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "SANDBOX"})
    void readLog_floodFromALeftover_endsWithTheScript(IsolationMode mode) throws IOException {
        String word = "flood" + System.nanoTime();
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"), "env -i setsid /usr/bin/yes " + word + " & yes more & sleep 0.2; echo last");
        try (TestAgent agent = agent(mode)) {
            Outcome outcome = agent.run(TestJob.of("a", repo));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(outcome.truncated()).isFalse();
            assertThat(agent.logLength("a")).isEqualTo(outcome.logBytes());
            Waits.until(
                    "the end of the flood",
                    () -> ProcessHandle.allProcesses()
                            .noneMatch(process ->
                                    process.info().commandLine().orElse("").endsWith(word)));
        }
    }

    private TestAgent agent(IsolationMode mode) throws IOException {
        if (mode == IsolationMode.SANDBOX) {
            Sandboxes.assume();
        }
        return TestAgent.of(TestAgent.builder(tmp.resolve("agent")).isolation(IsolationOptions.NONE.with(mode)));
    }

    @Test
    void maxLogBytes_exceeded_cutsWithMarkerAndScriptRunsOn() throws IOException {
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"), "yes | head -c 30000000", "touch " + tmp + "/seen", "echo last");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("j", repo).maxLogBytes(100_000));
            assertThat(outcome.code()).isEqualTo(OutcomeCode.SUCCEEDED);
            assertThat(outcome.truncated()).isTrue();
            assertThat(tmp.resolve("seen")).exists();
            byte[] log = agent.logBytes("j");
            assertThat(outcome.logBytes()).isEqualTo(log.length).isBetween(100_000L, 100_600L);
            String end = new String(log, 100_000, log.length - 100_000, StandardCharsets.UTF_8);
            assertThat(end)
                    .startsWith("\n---> Log truncated: it is longer than 100000 bytes\n\n---> Build succeeded\n")
                    .doesNotContain("last");
            assertThat(tmp.resolve("agent/jobs/j-1/log")).hasSize(log.length);
        }
    }

    @Test
    void maxLogBytes_ofExactlyTheLog_cutsNothing() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo last");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            agent.run(TestJob.of("a", repo));
            long upToEnd = agent.log("a").indexOf("last\n") + 5L;
            assertThat(agent.run(TestJob.of("b", repo).maxLogBytes(upToEnd)).truncated())
                    .isFalse();
            assertThat(agent.run(TestJob.of("c", repo).maxLogBytes(upToEnd - 1)).truncated())
                    .isTrue();
        }
    }

    @Test
    void maxLogBytes_inTheMiddleOfASecret_showsNothingOfIt() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "echo", "printf \"x$TOKEN\"", "echo", "sleep 0.1");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            agent.run(TestJob.of("a", repo).env("TOKEN", TOKEN));
            long limit = agent.log("a").indexOf("x" + TOKEN) + 8L;
            Outcome outcome =
                    agent.run(TestJob.of("b", repo).secret("TOKEN", TOKEN).maxLogBytes(limit));
            assertThat(outcome.truncated()).isTrue();
            assertThat(agent.log("b")).contains("\nx****\n---> Log truncated").doesNotContain("t0ps");
        }
    }

    @Test
    void secrets_inOutputAndMessages_neverLeaveTheAgent() throws IOException {
        GitRepo repo = GitRepo.withScript(
                tmp.resolve("repo"),
                "printf 'a t0ps'; sleep 0.05; printf 'ecret-val'; sleep 0.05; echo 'ue b'",
                "echo -n \"user:$TOKEN\" | base64",
                "sleep 0.05",
                "exit 3");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            Outcome outcome = agent.run(TestJob.of("j", repo).secret("TOKEN", TOKEN));
            assertThat(outcome.exitCode()).isEqualTo(3);
            String log = agent.log("j");
            assertThat(log).contains("\na **** b\n").doesNotContain(TOKEN, "dDBwc2Vjcm", "wcHNlY3JldC");
            assertThat(outcome.logBytes()).isEqualTo(log.length());
            assertThat(Files.exists(tmp.resolve("agent/jobs/j-1/log"))).isFalse();
            assertThat(tmp.resolve("agent/jobs/j-1/masked")).hasContent(log);
            assertThat(Files.readString(tmp.resolve("agent/jobs/j-1/job"), StandardCharsets.ISO_8859_1))
                    .doesNotContain(TOKEN);
        }
    }

    @Test
    void secrets_tooShort_areRefused() throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), "true");
        try (TestAgent agent = TestAgent.in(tmp.resolve("agent"))) {
            assertThatThrownBy(() -> agent.start(TestJob.of("j", repo).secret("TOKEN", "abc")))
                    .isInstanceOfSatisfying(
                            AssignmentRefusedException.class,
                            e -> assertThat(e.code()).isEqualTo(OutcomeCode.REFUSED));
            assertThatThrownBy(() -> agent.start(TestJob.of("j", repo).secretName("NONE")))
                    .isInstanceOf(AssignmentRefusedException.class);
        }
    }

    private static byte[] output(byte[] log) {
        byte[] runner = "(using runner \"bash\")\n".getBytes(StandardCharsets.UTF_8);
        byte[] end = "\n---> Build succeeded".getBytes(StandardCharsets.UTF_8);
        int from = indexOf(log, runner, 0) + runner.length;
        int to = log.length;
        for (int at = indexOf(log, end, 0); at >= 0; at = indexOf(log, end, at + 1)) {
            to = at;
        }
        return Arrays.copyOfRange(log, from, to);
    }

    private static int indexOf(byte[] text, byte[] part, int from) {
        for (int at = from; at <= text.length - part.length; at++) {
            if (Arrays.equals(text, at, at + part.length, part, 0, part.length)) {
                return at;
            }
        }
        return -1;
    }
}

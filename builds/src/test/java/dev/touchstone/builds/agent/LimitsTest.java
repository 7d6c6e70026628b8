package dev.touchstone.builds.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.touchstone.builds.agent.limit.ControlGroups;
import dev.touchstone.builds.agent.limit.Limits;
import dev.touchstone.builds.agent.limit.LimitsMissingException;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scripts that use more of the machine than they may, or that outlive their build, in real control groups. */
@Timeout(120)
class LimitsTest {
    private static final long MEMORY = 64 << 20;

    @TempDir
    Path tmp;

    private TestAgent agent(Limits limits) throws IOException {
        try {
            ControlGroups.check(limits);
        } catch (LimitsMissingException e) {
            abort("no control groups for limits=" + limits + ": " + e.getMessage());
        }
        return TestAgent.of(TestAgent.builder(tmp.resolve("agent")).limits(limits));
    }

    private String log(Limits limits, OutcomeCode expected, String... script) throws IOException {
        GitRepo repo = GitRepo.withScript(tmp.resolve("repo"), script);
        try (TestAgent agent = agent(limits)) {
            Outcome outcome = agent.run(TestJob.of("j", repo));
            assertThat(outcome.code()).as(agent.log("j")).isEqualTo(expected);
            return agent.log("j");
        }
    }

    @Test
    void memory_beyondTheLimit_endsTheBuild() throws IOException {
        Limits limits = new Limits(MEMORY, 0, 0);
        assertThat(log(limits, OutcomeCode.SCRIPT_FAILED, "head -c 500000000 /dev/zero | tail; echo survived"))
                .contains("met its limit of memory: all processes were killed, which wanted more than " + MEMORY)
                .doesNotContain("survived");
    }

    @Test
    void processes_beyondTheLimit_areRefused() throws IOException {
        Limits limits = new Limits(0, 20, 0);
        assertThat(log(
                        limits,
                        OutcomeCode.SCRIPT_FAILED,
                        "for i in $(seq 100); do sleep 300 & done 2>/dev/null",
                        "echo survived"))
                .contains("met its limit of processes: ", " beyond 20 at a time", "---> Ended ");
    }

    @Test
    void processors_beyondTheLimit_areWaitedFor() throws IOException {
        Limits limits = new Limits(0, 0, 0.2);
        String script = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; "
                + "grep -h -E '^nr_throttled [1-9]' \"$(grep cgroup2 /proc/self/mountinfo | head -1 | cut -d' ' -f5)$(grep ^0:: /proc/self/cgroup | cut -c4-)/cpu.stat\"";
        assertThat(log(limits, OutcomeCode.SUCCEEDED, script)).contains("nr_throttled ");
    }
}

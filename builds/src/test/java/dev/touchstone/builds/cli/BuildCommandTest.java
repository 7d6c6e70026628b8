package dev.touchstone.builds.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.BuildCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuildCommandTest {
    @ParameterizedTest
    @CsvSource({
        "TIMED_OUT, timed out: after 60 s, timed out: after 60 s",
        "CANCELLED, cancelled: by a command, cancelled: by a command",
        "QUEUE_TIMED_OUT, no agent has the label, queue timed out: no agent has the label",
        "SCRIPT_FAILED, exit status 3, script failed: exit status 3",
    })
    void failure_saysItsCodeOnce(BuildCode code, String message, String said) {
        assertThat(BuildCommand.failure(code, message)).isEqualTo(said);
    }
}

package dev.touchstone.builds.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentPolicyTest {
    private final EnvironmentPolicy policy = new EnvironmentPolicy(
            Map.of("PATH", "/bin", "LC_ALL", "C", "SECRET", "x", "LD_PRELOAD", "y", "MINE", "z"),
            Set.of("PATH", "LC_*", "MINE"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LD_PRELOAD",
                "LD_LIBRARY_PATH",
                "DYLD_INSERT_LIBRARIES",
                "BASH_ENV",
                "ENV",
                "GIT_DIR",
                "GIT_SSH_COMMAND",
                "GIT_CONFIG_COUNT",
                "BASH_FUNC_ls%%",
                "SHELLOPTS",
                "PS4",
                "IFS",
                "NODE_OPTIONS",
                "WORKSPACE",
                "SRCDIR",
                "BUILDS_JOB_MARK",
                "",
                "1A",
                "A-B",
                "A B",
                "A=B",
                "A\n",
                "É"
            })
    void check_refusedName_isSaid(String name) {
        assertThatThrownBy(() -> policy.check(Map.of(name, "hidden-value")))
                .isInstanceOf(EnvironmentRefusedException.class)
                .hasMessageNotContaining("hidden-value");
    }

    @Test
    void check_badValues_areRefusedWithoutShowingThem() {
        for (String value : new String[] {"a\0b", "x".repeat(200_000)}) {
            assertThatThrownBy(() -> policy.check(Map.of("A", value))).isInstanceOf(EnvironmentRefusedException.class);
        }
    }

    @Test
    void compose_allLayers_laterOnesWin() {
        policy.check(Map.of("PATH", "/opt", "A", "1"));
        assertThat(policy.compose(Map.of("PATH", "/opt", "A", "1"), Map.of("WORKSPACE", "/w")))
                .isEqualTo(Map.of("PATH", "/opt", "LC_ALL", "C", "MINE", "z", "A", "1", "WORKSPACE", "/w"));
    }
}

package dev.touchstone.harness.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugin.logging.SystemStreamLog;
import org.junit.jupiter.api.Test;

class CompareMojoTest {
    private final List<String> warnings = new ArrayList<>();
    private final SystemStreamLog log = new SystemStreamLog() {
        @Override
        public void warn(CharSequence content) {
            warnings.add(content.toString());
        }
    };

    @Test
    void judge_decided_neitherFailureNorWarning() throws Exception {
        CompareMojo.judge(0, true, log);
        assertThat(warnings).isEmpty();
    }

    @Test
    void judge_slower_failsAndSaysSo() {
        assertThatThrownBy(() -> CompareMojo.judge(1, false, log))
                .isInstanceOf(MojoFailureException.class)
                .hasMessageContaining("slower");
    }

    @Test
    void judge_undecided_warnsUnlessThatIsAFailure() throws Exception {
        CompareMojo.judge(3, false, log);
        assertThat(warnings).singleElement().asString().contains("undecided");
        assertThatThrownBy(() -> CompareMojo.judge(3, true, log))
                .isInstanceOf(MojoFailureException.class)
                .hasMessageContaining("undecided");
    }

    @Test
    void judge_nothingCompared_isAnErrorOfTheBuild() {
        for (int code : new int[] {2, 4, 137}) {
            assertThatThrownBy(() -> CompareMojo.judge(code, false, log)).isInstanceOf(MojoExecutionException.class);
        }
    }
}

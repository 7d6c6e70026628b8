package dev.touchstone.builds.agent.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.touchstone.builds.agent.isolation.IsolationOptions;
import dev.touchstone.builds.agent.limit.ControlGroup;
import dev.touchstone.builds.agent.limit.ControlGroups;
import dev.touchstone.builds.agent.limit.Limits;
import dev.touchstone.builds.agent.limit.LimitsMissingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of {@link ProcessTreeTest} in control groups, and what only they can find. */
class GroupedProcessTreeTest extends ProcessTreeTest {
    private final List<ControlGroup> groups = new ArrayList<>();
    private final List<ControlGroups> lives = new ArrayList<>();

    @Override
    IsolationOptions options() throws IOException {
        try {
            ControlGroups.check(Limits.NONE);
        } catch (LimitsMissingException e) {
            abort("no control groups: " + e.getMessage());
        }
        return super.options();
    }

    @BeforeEach
    void openGroups() throws IOException {
        lives.add(ControlGroups.open(tmp, Limits.NONE));
    }

    @Override
    Command confined(Command command) throws IOException {
        groups.add(lives.get(0).begin());
        return command.in(groups.get(groups.size() - 1));
    }

    @AfterEach
    void removeGroups() {
        for (ControlGroup group : groups) {
            Path entry = Path.of(group.entered(List.of()).get(3));
            assertThat(entry).exists();
            group.close();
            assertThat(entry.resolve("..")).doesNotExist();
        }
        lives.forEach(ControlGroups::close);
    }

    @Test
    void sweep_processWithoutMarkInASessionOfItsOwn_isKilled() throws IOException {
        ProcessTree tree = ended("env -i setsid /bin/sleep 300 & exit 0");
        ControlGroup group = groups.get(0);
        assertThat(group.isPopulated()).isTrue();
        assertThat(sweep(tree)).isEqualTo(new ProcessTree.Ending(1, 0));
        assertThat(group.isPopulated()).isFalse();
        group.checkEntered();
    }

    @Test
    void open_groupsOfAnEarlierLife_areEnded() throws IOException {
        ProcessTree tree = ended("env -i setsid /bin/sleep 300 & exit 0");
        assertThat(tree.exitCode()).isZero();
        lives.add(ControlGroups.open(tmp, Limits.NONE));
        assertThat(groups.get(0).isPopulated()).isFalse();
        assertThat(Files.exists(Path.of(groups.get(0).entered(List.of()).get(3))))
                .isFalse();
        groups.clear();
    }
}

package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.report.Comparability.Difference;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Forks;
import dev.touchstone.harness.store.RunInfo;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ComparabilityTest {
    @Test
    void of_sameMachineAndSettings_nothing() {
        assertThat(Comparability.of(
                        input(clean("3 x 1s"), Fixtures.environment(false)),
                        input(clean("3 x 1s"), Fixtures.environment(false))))
                .isEmpty();
    }

    @Test
    void of_anotherFileSystem_namesTheFields() {
        assertThat(Comparability.of(Fixtures.environment(false), Fixtures.environment(true)))
                .extracting(Difference::toString)
                .containsExactly("file system: ext4, tmpfs", "device: /dev/vda1, tmpfs");
    }

    @Test
    void of_otherMeasurementAndDirtyBuild_namesThem() {
        ReportInput one = input(clean("3 x 1s"), Fixtures.environment(false));
        ReportInput other = input(Fixtures.runInfo(3, false), Fixtures.environment(false));
        assertThat(Comparability.of(one, other))
                .extracting(Difference::field)
                .containsExactly("warmup", "measurement", "dirty");
    }

    @Test
    void of_otherFlags_namesTheCell() {
        ReportInput one = input(clean("x"), Fixtures.environment(false));
        ForkResult fork = Forks.of("w").score(1);
        ForkResult flagged = new ForkResult(
                fork.cell(),
                fork.workload(),
                fork.subject(),
                1,
                fork.params(),
                0,
                0,
                fork.startedAt(),
                1,
                null,
                fork.primary(),
                fork.secondary(),
                List.of("-Xmx2g"),
                fork.noise(),
                fork.build(),
                0,
                null,
                null,
                null);
        ReportInput other =
                new ReportInput(one.run(), one.environment(), one.matrix(), List.of(flagged), SeedFigures.none());
        assertThat(Comparability.of(one, other))
                .containsExactly(new Difference("JVM flags of w/t1/OURS", "-Xmx1g", "-Xmx2g"));
    }

    private static RunInfo clean(String measurement) {
        RunInfo run = Fixtures.runInfo(3, false);
        TreeMap<String, String> settings = new TreeMap<>();
        settings.put("measurement", measurement);
        return new RunInfo(
                run.schema(),
                run.profile(),
                run.commandLine(),
                run.version(),
                run.commit(),
                false,
                run.startedAt(),
                run.finishedAt(),
                run.dataFolder(),
                false,
                run.cells(),
                3,
                run.jdk(),
                null,
                settings);
    }

    private static ReportInput input(RunInfo run, Environment environment) {
        return new ReportInput(
                run, environment, Fixtures.matrix(), List.of(Forks.of("w").score(1)), SeedFigures.none());
    }
}

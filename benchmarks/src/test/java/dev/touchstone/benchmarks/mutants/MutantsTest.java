package dev.touchstone.benchmarks.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.touchstone.harness.cli.Main;
import dev.touchstone.harness.run.ForkFlags;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.check.CellCheck;
import dev.touchstone.harness.run.check.CheckJvms;
import dev.touchstone.harness.run.check.CheckResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The check of each broken subject fails, as {@code verify} would run it, and passes while the subject is whole. */
@Timeout(300)
final class MutantsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final List<String> IN_EVERY_BUILD = List.of(
            "chronicle-without-sync",
            "mvstore-without-sync",
            "ceiling-without-dsync",
            "write-drops-one-in-fifty",
            "write-hangs",
            "mailbox-answers-itself",
            "echo-without-a-message",
            "encode-gives-one-array",
            "decode-gives-one-record",
            "lucene-answers-nothing",
            "map-answers-the-first",
            "noops-of-a-limit-one-of-all",
            "script-does-not-run");

    @TempDir
    private Path folder;

    @Test
    void mutants_ofEachPart_atLeastTwo() throws Exception {
        assertThat(matrix().workloads().stream().map(Matrix.Workload::part).distinct())
                .allSatisfy(part -> assertThat(Mutants.all())
                        .filteredOn(mutant -> mutant.part().equals(part))
                        .hasSizeGreaterThanOrEqualTo(2));
        assertThat(Mutants.all().stream().map(Mutant::name))
                .doesNotHaveDuplicates()
                .containsAll(IN_EVERY_BUILD);
    }

    @ParameterizedTest
    @MethodSource
    void verify_someMutants_notices(Mutant mutant) throws Exception {
        demandNoticed(mutant);
    }

    private static Stream<Mutant> verify_someMutants_notices() {
        return Mutants.all().stream().filter(mutant -> IN_EVERY_BUILD.contains(mutant.name()));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource
    void verify_eachMutant_notices(Mutant mutant) throws Exception {
        demandNoticed(mutant);
    }

    private static Stream<Mutant> verify_eachMutant_notices() {
        return Mutants.all().stream();
    }

    @Tag("slow")
    @Test
    @Timeout(3600)
    void verify_cellsOfAllMutants_passUnbroken() throws Exception {
        List<String> cells = Mutants.all().stream().map(Mutant::cell).collect(Collectors.toList());
        assertThat(run(cells, "", DEADLINE))
                .hasSameSizeAs(cells.stream().distinct().toList())
                .allSatisfy(result -> {
                    assertThat(result.error()).as(result.toString()).isNull();
                });
    }

    private void demandNoticed(Mutant mutant) throws Exception {
        boolean hangs = mutant.name().endsWith("-hangs");
        List<CheckResult> results = run(List.of(mutant.cell()), mutant.name(), hangs ? SHORT : DEADLINE);
        assertThat(results).hasSize(1);
        assumeTrue(
                results.get(0).unobserved() == null,
                () -> mutant + " needs what is not there: " + results.get(0).unobserved());
        System.out.println(
                mutant + " at " + mutant.cell() + ": " + results.get(0).error());
        assertThat(results.get(0).error())
                .as(mutant.name())
                .isNotNull()
                .as("a machine that is too slow, or a mutant that fails by itself, is no evidence")
                .doesNotContainPattern("TimeoutException|IndexOutOfBounds|ClassCast|NullPointer");
        if (hangs) {
            assertThat(results.get(0).error()).startsWith("not done after 5 s");
        }
    }

    private List<CheckResult> run(List<String> cells, String mutant, Duration deadline) throws Exception {
        Matrix matrix = matrix();
        List<CellCheck> checks = CellCheck.all(getClass().getClassLoader(), matrix).stream()
                .filter(check -> cells.contains(check.cell()))
                .toList();
        assertThat(checks).isNotEmpty();
        List<CheckResult> results = new ArrayList<>();
        List<String> main = List.of("-D" + MutantWrapper.PROPERTY + "=" + mutant, Main.class.getName(), "verify");
        new CheckJvms(new ForkFlags(matrix, Runtime.version().feature()), folder, main, deadline)
                .run(checks, results::add);
        return results;
    }

    private static Matrix matrix() throws Exception {
        return MatrixReader.fromClassPath(MutantsTest.class.getClassLoader());
    }
}

package dev.touchstone.harness.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What GitHub would refuse, or do more than it should: names, references, permissions, pins. */
@SuppressWarnings({"NullAway", "BooleanLiteral"
}) // what a workflow lacks fails the test; the keys of a YAML map may be booleans
class WorkflowTest {
    private static final Path ROOT = Path.of("..");
    private static final Path WORKFLOWS = ROOT.resolve(".github").resolve("workflows");
    private static final Set<String> TOP = Set.of("name", "on", "permissions", "concurrency", "jobs", "env");
    private static final Set<String> JOB = Set.of(
            "name", "needs", "if", "runs-on", "timeout-minutes", "permissions", "outputs", "steps", "env", "strategy");
    private static final Set<String> STEP =
            Set.of("name", "id", "if", "uses", "with", "run", "env", "shell", "continue-on-error");
    private static final Pattern PINNED = Pattern.compile("[\\w.-]+/[\\w./-]+@[0-9a-f]{40}");
    private static final Pattern SCRIPT = Pattern.compile("(?:^|[ |&;=])((?:scripts|\\.ci)/[a-z-]+)");
    private static final Pattern OUTPUT = Pattern.compile("(steps|needs)\\.([\\w-]+)\\.outputs\\.([\\w-]+)");

    static List<Path> workflows() throws IOException {
        try (Stream<Path> files = Files.list(WORKFLOWS)) {
            return files.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void keys_everyLevel_areGitHubs(Path file) throws IOException {
        Map<String, Object> workflow = read(file);
        assertThat(workflow.keySet()).isSubsetOf(TOP).contains("name", "on", "permissions", "jobs");
        jobs(workflow).forEach((name, job) -> {
            assertThat(job.keySet()).as(name).isSubsetOf(JOB).contains("runs-on", "timeout-minutes", "steps");
            for (Map<String, Object> step : steps(job)) {
                assertThat(step.keySet()).as(step.toString()).isSubsetOf(STEP);
                assertThat(step.containsKey("uses") ^ step.containsKey("run"))
                        .as("one of uses and run: " + step)
                        .isTrue();
            }
        });
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void actions_all_arePinnedToACommitAndSayWhichVersion(Path file) throws IOException {
        for (Map<String, Object> step : allSteps(read(file))) {
            if (step.containsKey("uses")) {
                assertThat(step.get("uses").toString()).matches(PINNED);
            }
        }
        assertThat(Files.readAllLines(file).stream().filter(line -> line.contains("uses: ")))
                .allSatisfy(line -> assertThat(line).matches(".* # v\\d+[.]\\d+[.]\\d+"));
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void permissions_workflowAndJobs_readAndWhatPublishingNeeds(Path file) throws IOException {
        Map<String, Object> workflow = read(file);
        assertThat(map(workflow.get("permissions"))).isEqualTo(Map.of("contents", "read"));
        jobs(workflow).forEach((name, job) -> {
            Map<String, Object> own = map(job.getOrDefault("permissions", Map.of("contents", "read")));
            assertThat(own).containsEntry("contents", "read");
            assertThat(own.keySet()).isSubsetOf("contents", "issues", "checks", "pull-requests", "actions");
            boolean runsTheBuild = steps(job).stream()
                    .map(Map::toString)
                    .anyMatch(step -> step.contains("scripts/nightly --") || step.contains("ci-compare measure"));
            assertThat(runsTheBuild && own.containsValue("write"))
                    .as(name + " both runs the build and may write")
                    .isFalse();
        });
    }

    /** What comes from outside reaches a shell through the environment only, never as a part of its text. */
    @ParameterizedTest
    @MethodSource("workflows")
    void run_all_haveNoExpressionsAndCallScriptsThatAreThere(Path file) throws IOException {
        for (Map<String, Object> step : allSteps(read(file))) {
            String run = step.getOrDefault("run", "").toString();
            assertThat(run).doesNotContain("${{");
            SCRIPT.matcher(run)
                    .results()
                    .map(found -> found.group(1))
                    .forEach(script ->
                            assertThat(ROOT.resolve(script)).isRegularFile().isExecutable());
        }
    }

    @ParameterizedTest
    @MethodSource("workflows")
    void references_outputs_nameStepsAndJobsThatGiveThem(Path file) throws IOException {
        Map<String, Object> workflow = read(file);
        Map<String, Map<String, Object>> jobs = jobs(workflow);
        jobs.forEach((name, job) -> OUTPUT.matcher(job.toString()).results().forEach(found -> {
            if (found.group(1).equals("needs")) {
                assertThat(job.get("needs").toString()).contains(found.group(2));
                assertThat(map(jobs.get(found.group(2)).get("outputs"))).containsKey(found.group(3));
            } else {
                assertThat(givenBy(job, found)).as(found.group()).isTrue();
            }
        }));
    }

    @Test
    void nightly_schedule_callsTheScriptThatAnybodyCanRun() throws IOException {
        Map<String, Object> workflow = read(WORKFLOWS.resolve("nightly.yml"));
        Map<String, Object> on = map(workflow.get("on"));
        assertThat(on).containsOnlyKeys("schedule", "workflow_dispatch");
        assertThat(on.get("schedule").toString()).matches("\\[\\{cron=\\d+ \\d+ \\* \\* \\*}]");
        assertThat(workflow).containsKey("concurrency");
        List<Map<String, Object>> steps = allSteps(workflow);
        assertThat(steps).anySatisfy(step -> assertThat(step.toString()).contains("scripts/nightly --budget"));
        assertThat(steps).anySatisfy(step -> assertThat(step.toString()).contains("scripts/nightly-issues"));
        assertThat(steps).anySatisfy(step -> assertThat(step.toString()).contains("actions/upload-artifact@"));
    }

    @Test
    void nightly_caches_areKeptByNobodyWhoRunsBenchmarks() throws IOException {
        Map<String, Map<String, Object>> jobs = jobs(read(WORKFLOWS.resolve("nightly.yml")));
        assertThat(jobs.get("measure")).doesNotContainKey("permissions");
        assertThat(jobs.get("caches").toString())
                .contains("gh cache delete", "--sort created_at --order desc")
                .doesNotContain("actions/checkout");
        assertThat(map(jobs.get("caches").get("permissions")))
                .isEqualTo(Map.of("contents", "read", "actions", "write"));
    }

    @Test
    void compare_calledByOthers_measuresWithoutRightsAndPublishesWithoutTheBuild() throws IOException {
        Map<String, Object> workflow = read(WORKFLOWS.resolve("compare.yml"));
        Map<String, Object> call = map(map(workflow.get("on")).get("workflow_call"));
        Set<String> inputs = map(call.get("inputs")).keySet();
        Pattern.compile("inputs\\.([\\w-]+)")
                .matcher(jobs(workflow).toString())
                .results()
                .forEach(used -> assertThat(inputs).contains(used.group(1)));
        Map<String, Map<String, Object>> jobs = jobs(workflow);
        assertThat(jobs).containsOnlyKeys("measure", "publish");
        assertThat(jobs.get("measure")).doesNotContainKey("permissions");
        assertThat(jobs.get("measure").toString()).contains("scripts/ci-compare measure", "actions/cache@");
        assertThat(jobs.get("publish").toString())
                .contains("scripts/ci-compare publish")
                .doesNotContain("mvn");
        assertThat(map(jobs.get("publish").get("permissions")))
                .isEqualTo(Map.of("contents", "read", "checks", "write", "issues", "write", "pull-requests", "write"));
    }

    private static boolean givenBy(Map<String, Object> job, MatchResult reference) {
        return steps(job).stream()
                .filter(step -> reference.group(2).equals(step.get("id")))
                .anyMatch(step -> step.toString().contains(reference.group(3)));
    }

    private static Map<String, Object> read(Path file) throws IOException {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        Map<Object, Object> loaded = new Yaml(new SafeConstructor(options)).load(Files.readString(file));
        if (loaded.containsKey(Boolean.TRUE)) {
            loaded.put("on", loaded.remove(Boolean.TRUE)); // YAML 1.1 reads the key "on" as a truth value
        }
        return map(loaded);
    }

    private static Map<String, Map<String, Object>> jobs(Map<String, Object> workflow) {
        Map<String, Map<String, Object>> jobs = new LinkedHashMap<>();
        map(workflow.get("jobs")).forEach((name, job) -> jobs.put(name, map(job)));
        return jobs;
    }

    private static List<Map<String, Object>> allSteps(Map<String, Object> workflow) {
        return jobs(workflow).values().stream()
                .flatMap(job -> steps(job).stream())
                .toList();
    }

    private static List<Map<String, Object>> steps(Map<String, Object> job) {
        List<Map<String, Object>> steps = new ArrayList<>();
        ((List<?>) job.get("steps")).forEach(step -> steps.add(map(Objects.requireNonNull(step))));
        return steps;
    }

    @SuppressWarnings("unchecked") // YAML's maps; a key that is no text fails where it is read
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }
}

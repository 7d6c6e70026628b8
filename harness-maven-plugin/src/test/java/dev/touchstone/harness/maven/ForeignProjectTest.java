package dev.touchstone.harness.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.harness.store.Calibration;
import dev.touchstone.harness.store.HostId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first comparison of the guide, and more, in a stranger's project outside of this repository: JMH benchmarks among its tests, which know
 * nothing of the harness, and no matrix. Maven runs offline, with the artefacts of this build in a repository of its own before the user's.
 */
@Tag("slow")
@Timeout(600)
class ForeignProjectTest {
    private static final Path ROOT = Path.of(System.getProperty("touchstone.root"));
    private static final String VERSION = version();
    private static final String ARCHETYPES = "org.apache.maven.plugins:maven-archetype-plugin:3.4.1";
    private static final Path POM = ROOT.resolve("harness-maven-plugin/src/main/resources/archetype-resources/pom.xml");
    private static final String BENCHMARK = """
            package org.example;

            import org.openjdk.jmh.annotations.Benchmark;
            import org.openjdk.jmh.annotations.Param;
            import org.openjdk.jmh.annotations.Scope;
            import org.openjdk.jmh.annotations.State;
            import org.openjdk.jmh.infra.Blackhole;

            @State(Scope.Benchmark)
            public class WorkBenchmark {
                @Param({"1", "2"})
                public int times;

                @Benchmark
                public void work() {
                    Blackhole.consumeCPU(times * WORK);
                }
            }
            """;
    private static final String SHORT_FORKS = "-Dtouchstone.warmup=1x50ms,-Dtouchstone.measure=2x50ms";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path project;

    private String output = "";

    @BeforeEach
    void makeProject() throws Exception {
        Path touchstone = folder.resolve("repository/dev/touchstone");
        copyPom("touchstone", ROOT.resolve("pom.xml"), touchstone);
        for (String module : List.of("build-support", "cli-support", "harness", "harness-maven-plugin")) {
            copyPom(module, ROOT.resolve(module).resolve("pom.xml"), touchstone);
            jar(
                    ROOT.resolve(module).resolve("target/classes"),
                    touchstone.resolve(module + "/" + VERSION + "/" + module + "-" + VERSION + ".jar"));
        }
        project = Files.createDirectories(folder.resolve("foreign"));
        Files.createDirectories(folder.resolve("tmp"));
        Files.writeString(project.resolve("pom.xml"), pom());
        Calibration.OPEN.write(project.resolve("results"), HostId.ofThisMachine()); // this machine may be busy
        benchmark(500);
    }

    @Test
    void goals_inAStrangersProject_packCompareAndReport() throws Exception {
        List<String> commands = block("console").lines().toList();
        assertThat(commands).hasSize(3);
        assertThat(documented(commands.get(0))).as(output).isZero();
        benchmark(1_500);
        assertThat(documented(commands.get(2), SHORT_FORKS.split(",", -1)))
                .as(output)
                .isEqualTo(1);
        assertThat(output)
                .contains("A cell is slower", "BUILD FAILURE", "WorkBenchmark.work.1/t1", "WorkBenchmark.work.2/t1");

        assertThat(compare("-Dtouchstone.rounds=1", "-Dtouchstone.workloads=work.1"))
                .as(output)
                .isZero();
        assertThat(output)
                .contains("[WARNING] No cell is slower, but some are undecided")
                .doesNotContain("work.2/");
        assertThat(compare("-Dtouchstone.rounds=1", "-Dtouchstone.failOnUndecided"))
                .as(output)
                .isEqualTo(1);

        assertThat(compare("-Dtouchstone.workloads=nonsense")).as(output).isEqualTo(1);
        assertThat(output).contains("Nothing was compared", "BUILD FAILURE");

        Path run;
        try (Stream<Path> found = Files.walk(project.resolve("results"))) {
            run = found.filter(file -> file.endsWith("forks.jsonl"))
                    .findAny()
                    .orElseThrow()
                    .resolveSibling("");
        }
        assertThat(maven("touchstone:report", "-Dtouchstone.run=" + run, "-Dtouchstone.csv=forks.csv"))
                .as(output)
                .isZero();
        assertThat(project.resolve("forks.csv")).content().contains("WorkBenchmark.work");
    }

    @Test
    void archetype_generatedProject_comparesItsSubjects() throws Exception {
        String[] words =
                ARCHETYPES.replaceFirst("org.apache.maven.plugins:", "").split(":", -1);
        Path plugin = Path.of(System.getProperty("localRepository"), "org/apache/maven/plugins", words[0], words[1]);
        assumeThat(plugin).as(ARCHETYPES + " is not in the local repository").exists();
        project = Files.createDirectories(folder.resolve("generated"));
        assertThat(documented(archetype(), "-DarchetypeCatalog=local"))
                .as(output)
                .isZero();

        project = project.resolve("joins");
        Calibration.OPEN.write(project.resolve("results"), HostId.ofThisMachine());
        String[] options = SHORT_FORKS.split(",", -1);
        assertThat(maven("touchstone:compare", "-Dtouchstone.rounds=6", options[0], options[1]))
                .as(output)
                .isZero();
        assertThat(output).contains("JoinBenchmark.join.10", "JoinBenchmark.join.100", "CONCATENATE");
    }

    /** Returns the guide's command that makes a project, with this version and with the plugin's full name: no repository is asked for it. */
    private static String archetype() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/harness.md"));
        int start = page.indexOf("$ mvn archetype:");
        String command = page.substring(start, page.indexOf("```", start));
        return command.replace("\\\n", "")
                .strip()
                .replaceAll("\\s+", " ")
                .replace(" archetype:", " " + ARCHETYPES + ":")
                .replace("0.1.0", VERSION);
    }

    /** Returns the archetype's pom, whose plugin is that of the guide. */
    private static String pom() throws IOException {
        String pom = Files.readString(POM)
                .replace("${touchstoneVersion}", VERSION)
                .replace("${jmhVersion}", "1.37")
                .replace("${groupId}", "org.example")
                .replace("${artifactId}", "foreign")
                .replace("${version}", "1");
        assertThat(pom).contains(block("xml").replace("0.1.0", VERSION).strip().replace("\n", "\n      "));
        return pom;
    }

    /** Runs a command that the guide prints, with further options. */
    private int documented(String line, String... options) throws Exception {
        assertThat(line).startsWith("$ mvn ");
        List<String> arguments =
                new ArrayList<>(List.of(line.substring("$ mvn ".length()).split(" ", -1)));
        arguments.addAll(List.of(options));
        return maven(arguments.toArray(new String[0]));
    }

    /** Returns the first block of a language in the guide's first comparison. */
    private static String block(String language) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/harness.md"));
        String section = page.substring(page.indexOf("## Quick start: a first comparison"));
        String fence = "```" + language + "\n";
        int start = section.indexOf(fence) + fence.length();
        return section.substring(start, section.indexOf("```", start));
    }

    private int compare(String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("touchstone:compare"));
        arguments.add("-Dtouchstone.sides=base.jar");
        arguments.addAll(List.of(SHORT_FORKS.split(",", -1)));
        arguments.addAll(List.of(options));
        return maven(arguments.toArray(new String[0]));
    }

    private int maven(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(ROOT.resolve("mvnw").toString(), "-o", "-B"));
        command.add("-Dmaven.repo.local=" + folder.resolve("repository"));
        command.add("-Dmaven.repo.local.tail=" + System.getProperty("localRepository"));
        command.addAll(List.of(arguments));
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // JMH's lock lies in this folder: the forks here need not wait for those of a measurement.
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + folder.resolve("tmp"));
        Process process = builder.start();
        try {
            int code = process.waitFor();
            output = Files.readString(log);
            return code;
        } finally {
            process.destroy();
        }
    }

    private void benchmark(int work) throws IOException {
        Path sources = Files.createDirectories(project.resolve("src/test/java/org/example"));
        Files.writeString(sources.resolve("WorkBenchmark.java"), BENCHMARK.replace("WORK", "" + work));
    }

    private static String version() {
        try {
            return Files.readString(ROOT.resolve("pom.xml")).split("</?version>", 3)[1];
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void copyPom(String artifact, Path pom, Path to) throws IOException {
        Path folder = Files.createDirectories(to.resolve(artifact).resolve(VERSION));
        Files.copy(pom, folder.resolve(artifact + "-" + VERSION + ".pom"));
    }

    private static void jar(Path classes, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream jar = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(new ZipEntry(classes.relativize(each).toString()));
                Files.copy(each, jar);
                jar.closeEntry();
            }
        }
    }
}

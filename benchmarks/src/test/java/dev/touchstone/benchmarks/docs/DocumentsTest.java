package dev.touchstone.benchmarks.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that README.md and every document below docs print what compiles and runs. {@code scripts/docs-commands} runs their sh blocks. */
@Timeout(600)
final class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Modules with classes that are not published as a library. */
    private static final Set<String> NOT_PUBLISHED = Set.of("benchmarks", "build-support", "consumer");

    /** The modules that have the same package as a peer on the class path, need other versions of a peer's libraries, or are loaded by Maven only. */
    private static final Set<String> LIKE_A_PEER = Set.of("jinterface", "harness-maven-plugin", "replicated-cli");

    /** The first word of a code span. */
    private static final Pattern NAME = Pattern.compile("`([a-z-]+)[^`]*`");

    @TempDir
    static Path work;

    private static DocumentTool tool;

    @BeforeAll
    static void compileTool() throws Exception {
        tool = DocumentTool.compiled(work);
    }

    @Test
    void check_everyDocument_noProblem() throws Exception {
        assertThat(tool.run(ROOT, DocumentTool.concat(List.of("check", "."), documents()))
                        .lines())
                .isEmpty();
    }

    @Test
    void javaBlocks_everyDocument_compileWithoutWarningAndEndWithZero() throws Exception {
        assertThat(tool.compileAndRun(ROOT, documents(), Duration.ofSeconds(60)))
                .isEmpty();
    }

    @Test
    void shBlocks_everyDocument_areSyntacticallyRight() throws Exception {
        Path scripts = Files.createTempDirectory(work, "sh");
        assertThat(tool.run(ROOT, DocumentTool.concat(List.of("sh", scripts.toString()), documents()))
                        .lines())
                .isEmpty();
        try (Stream<Path> files = Files.list(scripts)) {
            for (Path script : files.toList()) {
                assertThat(tool.start(ROOT, List.of("bash", "-n", script.toString()), Duration.ofSeconds(60))
                                .lines())
                        .isEmpty();
            }
        }
    }

    @Test
    void classPath_everyPublishedModule_isOnIt() throws Exception {
        List<Path> classPath = DocumentTool.classPath();
        try (Stream<Path> poms = Files.find(ROOT, 3, (file, a) -> file.endsWith("pom.xml"))) {
            List<Path> modules = poms.map(Path::getParent)
                    .filter(folder -> Files.exists(folder.resolve("src/main/java")))
                    .filter(folder ->
                            !NOT_PUBLISHED.contains(folder.getFileName().toString()))
                    .filter(folder -> !LIKE_A_PEER.contains(folder.getFileName().toString()))
                    .toList();
            assertThat(modules)
                    .hasSizeGreaterThan(10)
                    .allMatch(folder -> classPath.stream().anyMatch(entry -> entry.startsWith(folder)));
        }
    }

    @Test
    void harnessPage_subCommands_areThoseOfTheCapsule() throws Exception {
        String help = tool.runJava(
                        work,
                        System.getProperty("java.class.path"),
                        "dev.touchstone.harness.cli.Main",
                        List.of("--help"),
                        Duration.ofSeconds(60))
                .output();
        String page = Files.readString(ROOT.resolve("docs/harness.md"));

        List<String> named = section(page, "\n## Sub-commands\n", "\n## ")
                .filter(line -> line.startsWith("- `"))
                .flatMap(line ->
                        NAME.matcher(line.substring(0, line.indexOf(": "))).results())
                .map(name -> name.group(1))
                .toList();
        List<String> commands = section(help, "\nCommands:\n", "\n\n")
                .filter(line -> line.matches(" {2}\\S.*")) // a line that goes on is indented further
                .map(line -> line.trim().split(" ", 2)[0])
                .toList();

        assertThat(named).contains("quick", "migrate").containsExactlyInAnyOrderElementsOf(commands);
    }

    /** Returns the lines between a heading and the next end mark. */
    private static Stream<String> section(String text, String heading, String end) {
        int start = text.indexOf(heading) + heading.length();
        assertThat(text).contains(heading);
        return text.substring(start, text.indexOf(end, start)).lines();
    }

    private static List<String> documents() throws Exception {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            files.filter(file -> file.toString().endsWith(".md"))
                                    .sorted())
                    .map(file -> ROOT.relativize(file).toString())
                    .toList();
        }
    }
}

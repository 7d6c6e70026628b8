package dev.touchstone.buildsupport;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Breaks each rule in a small module of sources. */
class RulesTest {
    @TempDir
    Path folder;

    private final List<Path> files = new ArrayList<>();
    private Path sources;
    private Path classes;

    @BeforeEach
    void folders() {
        sources = folder.resolve("sources");
        classes = folder.resolve("classes");
    }

    @Test
    void cycles_throughTheRootPackage_namesBothEndsAndNotTheUser() throws IOException {
        type("api.Queue", "public class Queue { api.log.Log log; }");
        type("api.log.Log", "public class Log { api.Limits limits; }");
        type("api.Limits", "public class Limits {}");
        type("api.user.User", "public class User { api.Queue[] queue; }");

        assertThat(Rooms.cycles(compile()))
                .isEqualTo(Map.of(
                        "api", Map.of("api.log", "Queue uses Log"), "api.log", Map.of("api", "Log uses Limits")));
    }

    @Test
    void crowds_26Types_needsAReasonAnd41AreTooManyWithOne() throws IOException {
        type("api.package-info", "");
        IntStream.range(0, 26).forEach(number -> type("api.A" + number, ""));
        IntStream.range(0, 25).forEach(number -> type("api.small.A" + number, ""));
        IntStream.range(0, 41).forEach(number -> type("api.large.A" + number, ""));

        assertThat(Rooms.crowds(sources, files, Set.of(), Set.of())).isEqualTo(Map.of("api", 26, "api.large", 41));
        assertThat(Rooms.crowds(sources, files, Set.of("api", "api.large"), Set.of()))
                .isEqualTo(Map.of("api.large", 41));
        assertThat(Rooms.crowds(sources, files, Set.of("api"), Set.of("api.large")))
                .isEmpty();
    }

    @Test
    void sharedNames_inTwoPackages_areCounted() {
        type("api.History", "");
        type("api.log.History", "");
        type("api.Other", "");
        type("api.package-info", "");
        type("api.log.package-info", "");

        assertThat(Rooms.sharedNames(sources, files)).isEqualTo(Map.of("History", 2));
    }

    @Test
    void apiOnEngine_builderAndDoor_mayAndOthersMayNot() throws IOException {
        type("engine.Log", "public class Log {}");
        type("api.Queue", "public class Queue { static class Nested { engine.Log[] logs; } }");
        type("api.QueueBuilder", "public class QueueBuilder { engine.Log log; }");
        type("api.Queues", "public class Queues { engine.Log log; }");
        JavaClasses compiled = compile();

        assertThat(Rooms.apiOnEngine(compiled, Set.of("api"), Set.of("api.Queues")))
                .isEqualTo(Map.of("api.Queue", Set.of("engine.Log")));
        assertThat(Rooms.apiOnEngine(compiled, Set.of("api"), Set.of())).containsOnlyKeys("api.Queue", "api.Queues");
        assertThat(Rooms.apiOnEngine(compiled, Set.of("api", "engine"), Set.of()))
                .isEmpty();
    }

    @Test
    void doclint_missingTag_isRemarkedAtItsLine() throws IOException {
        type("api.Queue", """
                /** A queue. */
                public interface Queue {
                    /** Returns the size. */
                    int size();
                }
                """);

        assertThat(Doclint.remarks(classes, files)).singleElement().satisfies(remark -> {
            assertThat(remark.line()).isEqualTo(5);
            assertThat(remark.message()).isEqualTo("no @return");
        });
    }

    @Test
    void checkstyleReport_warningsAndErrors_returnsTheWarnings() throws Exception {
        Path report = Files.writeString(folder.resolve("result.xml"), """
                <checkstyle><file name="A.java">
                <error line="3" severity="warning" message="m" source="com.example.SummaryJavadocCheck"/>
                <error line="4" severity="error" message="n" source="com.example.FileLengthCheck"/>
                </file></checkstyle>
                """);

        assertThat(CheckstyleReport.warnings(report)).containsExactly(new Offence("SummaryJavadoc", "A.java", 3, "m"));
    }

    /** The root pom gives the rules to modules that have this folder. */
    @Test
    void everyModuleWithSources_hasAFolderOfTests() throws IOException {
        try (Stream<Path> poms = Files.find(
                Path.of(ModuleFiles.property("touchstone.root")), 3, (file, any) -> file.endsWith("pom.xml"))) {
            List<Path> modules = poms.map(Path::getParent)
                    .filter(module -> Files.exists(module.resolve("src/main/java")))
                    .filter(module -> !module.endsWith("samples/consumer")) // no module of this build
                    .toList();
            assertThat(modules)
                    .hasSizeGreaterThan(10)
                    .allSatisfy(module -> assertThat(module.resolve(
                                    module.endsWith("build-support") ? "src/check/java" : "src/test/java"))
                            .exists());
        }
    }

    private void type(String name, String source) {
        try {
            Path file = sources.resolve(name.replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            String header = "package " + name.substring(0, name.lastIndexOf('.')) + ";\n";
            files.add(Files.writeString(file, header + source));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JavaClasses compile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            Files.createDirectories(classes);
            boolean compiled = compiler.getTask(
                            null,
                            manager,
                            null,
                            List.of("-proc:none", "-d", classes.toString()),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            assertThat(compiled).isTrue();
        }
        return Rooms.importClasses(classes);
    }
}

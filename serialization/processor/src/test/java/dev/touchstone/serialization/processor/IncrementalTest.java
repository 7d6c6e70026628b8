package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What build tools rely on when they compile a part only. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IncrementalTest {
    private static final String INSIDE = """
            package p;
            import dev.touchstone.serialization.annotation.*;
            @Compact
            public sealed interface Inside {
                @Compact("one") record One(int a, Level level) implements Inside {}
                @Compact enum Level { LOW }
            }
            """;
    private static final String OUTSIDE = """
            package q;
            import dev.touchstone.serialization.annotation.*;
            @Compact("outside")
            public record Outside(p.Inside inside, p.Inside.One one, p.Inside.One[] all, p.Inside.Level level) {}
            """;

    @Test
    void type_compiledAloneAgainstClasses_givesTheSame(@TempDir Path folder) throws IOException {
        Compilation together = Compilation.of(INSIDE, OUTSIDE).clean();
        Compilation first = Compilation.of(INSIDE).clean();
        first.writeTo(folder);
        String classPath = folder + File.pathSeparator + System.getProperty("java.class.path");
        Compilation second = Compilation.withClassPath(classPath, List.of("-implicit:none"), OUTSIDE)
                .clean();
        Map<String, String> alone = new TreeMap<>();
        for (Compilation part : List.of(first, second)) {
            part.outputs.keySet().stream()
                    .filter(path -> path.endsWith(".java"))
                    .forEach(path -> alone.put(path, part.source(path)));
        }
        assertThat(second.outputs.keySet()).noneMatch(path -> path.startsWith("p/"));
        assertThat(alone).hasSizeGreaterThan(5);
        alone.forEach((path, source) -> assertThat(source).isEqualTo(together.source(path)));
    }

    @Test
    void processor_isDeclaredIsolating() throws IOException {
        try (InputStream in =
                CompactProcessor.class.getResourceAsStream("/META-INF/gradle/incremental.annotation.processors")) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip())
                    .isEqualTo(CompactProcessor.class.getName() + ",isolating");
        }
    }

    @Test
    void typeThatAnotherProcessorMakes_isWaitedFor() {
        String source = """
                package p;
                import dev.touchstone.serialization.annotation.*;
                @Compact public record Waiting(Made made) {}
                """;
        Compilation compilation = Compilation.of(List.of(new Maker(), new CompactProcessor()), List.of(), source);
        assertThat(compilation.clean().source("p/WaitingCodec.java")).contains("MadeCodec.INSTANCE");
    }

    @Test
    void option_decidesOnHazelcast() {
        String source = "package p;\n@dev.touchstone.serialization.annotation.Compact public record A(int a) {}\n";
        String option = "-A" + CompactProcessor.HAZELCAST + "=";
        String serializer = "p/ACompactSerializer.java";
        assertThat(Compilation.of(List.of(new CompactProcessor()), List.of(option + "false"), source)
                        .clean()
                        .outputs)
                .doesNotContainKey(serializer)
                .containsKey("p/ACodec.java");
        String without = System.getProperty("java.class.path")
                .replaceAll("[^" + File.pathSeparator + "]*hazelcast-[^" + File.pathSeparator + "]*", "");
        assertThat(Compilation.withClassPath(without, List.of(), source).clean().outputs)
                .doesNotContainKey(serializer);
        assertThat(Compilation.withClassPath(without, List.of(option + "true"), source).outputs)
                .containsKey(serializer);
    }

    /** Makes a class that a record already refers to. */
    private static final class Maker extends AbstractProcessor {
        private boolean isDone;

        @Override
        public Set<String> getSupportedAnnotationTypes() {
            return Set.of("*");
        }

        @Override
        public SourceVersion getSupportedSourceVersion() {
            return SourceVersion.latestSupported();
        }

        @Override
        public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
            if (!isDone) {
                isDone = true;
                try (Writer out =
                        processingEnv.getFiler().createSourceFile("p.Made").openWriter()) {
                    out.write(
                            "package p;\n@dev.touchstone.serialization.annotation.Compact public record Made(int a) {}\n");
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
            return false;
        }
    }
}

package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.Filer;
import javax.annotation.processing.ProcessingEnvironment;
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

    /** A build that compiles a changed type again, beside all classes that were made before, its own and those of what it refers to. */
    @Test
    void type_compiledAgainBesideItsFormerClasses_givesTheNewOnes(@TempDir Path folder) throws IOException {
        Compilation.of(INSIDE, OUTSIDE).clean().writeTo(folder);
        String changed = OUTSIDE.replace("p.Inside.Level level)", "p.Inside.Level level, int added)");
        String classPath = folder + File.pathSeparator + System.getProperty("java.class.path");
        List<String> options = List.of("-implicit:none", "-Xlint:-processing"); // warns of each class that is there
        Compilation again =
                Compilation.withClassPath(classPath, options, changed).clean();
        Compilation together = Compilation.of(INSIDE, changed).clean();
        assertThat(again.outputs.keySet()).isNotEmpty().noneMatch(path -> path.startsWith("p/"));
        assertThat(again.source("q/OutsideCodec.java"))
                .contains("ADDED_INDEX")
                .isEqualTo(together.source("q/OutsideCodec.java"));
        again.outputs.keySet().stream()
                .filter(path -> path.endsWith(".java") || path.endsWith(".schema"))
                .forEach(path -> assertThat(again.source(path)).isEqualTo(together.source(path)));
    }

    @Test
    void processor_isDeclaredIsolating() throws IOException {
        try (InputStream in =
                CompactProcessor.class.getResourceAsStream("/META-INF/gradle/incremental.annotation.processors")) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).strip())
                    .isEqualTo(CompactProcessor.class.getName() + ",isolating");
        }
    }

    /** Checks what Gradle asks of an isolating processor: one originating element for each file, the type that the file is made for. */
    @Test
    void generatedFile_namesTheOneTypeThatItIsMadeFor() {
        Map<String, List<String>> origins = new TreeMap<>();
        Compilation.of(List.of(new Recording(new CompactProcessor(), origins)), List.of(), INSIDE, OUTSIDE)
                .clean();
        assertThat(origins)
                .containsEntry("p.InsideCodec", List.of("p.Inside"))
                .containsEntry("p.Inside_OneCodec", List.of("p.Inside.One"))
                .containsEntry("p.Inside_OneView", List.of("p.Inside.One"))
                .containsEntry("p.Inside_LevelCompactSerializer", List.of("p.Inside.Level"))
                .containsEntry("META-INF/compact/p.Inside$One.schema", List.of("p.Inside.One"))
                .containsEntry("q.OutsideCodec", List.of("q.Outside"))
                .containsEntry("META-INF/compact/q.Outside.schema", List.of("q.Outside"))
                .hasSize(13);
        assertThat(origins.values()).allMatch(types -> types.size() == 1);
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

    /** The processor with a filer that notes the originating elements of each file. */
    private static final class Recording extends AbstractProcessor {
        private final CompactProcessor processor;
        private final Map<String, List<String>> origins;

        Recording(CompactProcessor processor, Map<String, List<String>> origins) {
            this.processor = processor;
            this.origins = origins;
        }

        @Override
        public Set<String> getSupportedAnnotationTypes() {
            return processor.getSupportedAnnotationTypes();
        }

        @Override
        public SourceVersion getSupportedSourceVersion() {
            return SourceVersion.latestSupported();
        }

        @Override
        public synchronized void init(ProcessingEnvironment environment) {
            super.init(environment);
            Filer filer = proxy(Filer.class, (method, arguments) -> {
                String name = arguments[method.getName().equals("createResource") ? 2 : 0].toString();
                Object[] elements = (Object[]) arguments[arguments.length - 1];
                origins.put(name, Arrays.stream(elements).map(Object::toString).toList());
                return method.invoke(environment.getFiler(), arguments);
            });
            processor.init(proxy(
                    ProcessingEnvironment.class,
                    (method, arguments) ->
                            method.getReturnType() == Filer.class ? filer : method.invoke(environment, arguments)));
        }

        private static <T> T proxy(Class<T> type, Call call) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(),
                    new Class<?>[] {type},
                    (self, method, arguments) -> call.on(method, arguments)));
        }

        private interface Call {
            Object on(Method method, Object[] arguments) throws ReflectiveOperationException;
        }

        @Override
        @SuppressWarnings("DoNotClaimAnnotations") // claims what the processor claims
        public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
            return processor.process(annotations, round);
        }
    }
}

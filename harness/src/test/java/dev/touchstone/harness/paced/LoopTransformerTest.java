package dev.touchstone.harness.paced;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JMH's generated class of the sample benchmark, before and after. */
class LoopTransformerTest {
    private static final String GENERATED =
            "/dev/touchstone/harness/sample/jmh_generated/CountBenchmark_count_jmhTest.class";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void paced_generatedClass_onlyTheThroughputLoopCalls() throws Exception {
        byte[] before = generated();
        byte[] after = LoopTransformer.paced(before);
        String loop = method(after, "count_thrpt_jmhStub");
        assertThat(loop.split("Pacing.begin:", -1)).hasSize(2);
        assertThat(loop.split("Pacing.isDone:", -1)).hasSize(2);
        assertThat(loop).doesNotContain("InfraControl.isDone:").contains("System.nanoTime:"); // the time of its end
        for (String other :
                List.of("count_avgt_jmhStub", "count_sample_jmhStub", "count_ss_jmhStub", "count_Throughput")) {
            assertThat(method(after, other)).as(other).isEqualTo(method(before, other));
        }
    }

    @Test
    void transform_otherClasses_untouched() {
        assertThat(new LoopTransformer().transform(null, "a/B", null, null, new byte[0]))
                .isNull();
    }

    @Test
    void paced_everyClassOfJmh_walkedToItsEnd() throws Exception {
        // Switches, long constants, wide instructions: whatever javac writes, the walk must not lose its step.
        for (String name : new TreeSet<>(List.of(
                "org/openjdk/jmh/runner/Runner",
                "org/openjdk/jmh/runner/options/CommandLineOptions",
                "org/openjdk/jmh/infra/Blackhole",
                "com/fasterxml/jackson/core/json/ReaderBasedJsonParser",
                "com/fasterxml/jackson/core/io/NumberOutput",
                "java/lang/String",
                "java/util/regex/Pattern"))) {
            byte[] bytes = bytes("/" + name + ".class");
            ClassFilePatch patch = new ClassFilePatch(bytes);
            patch.replaceAll("", ClassFilePatch.INVOKESTATIC, "no/Such", "method", 1);
            assertThat(patch.toByteArray()).as(name).isEqualTo(bytes);
        }
    }

    private String method(byte[] classFile, String name) throws IOException {
        Path file = Files.write(folder.resolve("X.class"), classFile);
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        ToolProvider.findFirst("javap").orElseThrow().run(out, out, "-c", "-p", file.toString());
        String[] parts = text.toString().split("\n\n", -1);
        for (String part : parts) {
            if (part.lines().findFirst().orElse("").contains(" " + name + "(")) {
                return part.replaceAll("#\\d+", "#");
            }
        }
        throw new AssertionError("no method " + name + " in " + text);
    }

    private static byte[] generated() throws IOException {
        return bytes(GENERATED);
    }

    private static byte[] bytes(String resource) throws IOException {
        try (InputStream in = LoopTransformerTest.class.getResourceAsStream(resource)) {
            return Objects.requireNonNull(in, resource).readAllBytes();
        }
    }
}

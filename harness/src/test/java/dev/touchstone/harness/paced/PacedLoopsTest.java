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
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes that JMH generated for the sample benchmarks, before and after. */
class PacedLoopsTest {
    private static final String GENERATED = "/dev/touchstone/harness/sample/jmh_generated/";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void in_generatedClass_onlyTheTwoLoopsCall() throws Exception {
        byte[] before = bytes(GENERATED + "CountBenchmark_count_jmhTest.class");
        byte[] after = PacedLoops.in(before);
        String loop = method(after, "count_thrpt_jmhStub");
        assertThat(loop.split("Pacing.begin:", -1)).hasSize(2);
        assertThat(loop.split("Pacing.isDone:", -1)).hasSize(2);
        assertThat(loop)
                .doesNotContain("InfraControl.isDone:", "Pacing.ended:")
                .contains("String count", "System.nanoTime:"); // the time of its end
        String shots = method(after, "count_ss_jmhStub");
        assertThat(shots.split("Pacing.begin:", -1)).hasSize(2);
        assertThat(shots.split("Pacing.volatileSpoiler:", -1)).hasSize(2);
        assertThat(shots.split("Pacing.ended:", -1)).hasSize(2);
        assertThat(shots).doesNotContain("InfraControl.volatileSpoiler:").contains("System.nanoTime:");
        for (String other :
                List.of("count_avgt_jmhStub", "count_sample_jmhStub", "count_Throughput", "count_SingleShotTime")) {
            assertThat(method(after, other)).as(other).isEqualTo(method(before, other));
        }
    }

    @Test
    void in_group_eachMethodBeginsWithItsName() throws Exception {
        byte[] after = PacedLoops.in(bytes(GENERATED + "ModesBenchmark_group_jmhTest.class"));
        for (String name : List.of("read", "write")) {
            assertThat(method(after, name + "_thrpt_jmhStub"))
                    .contains("String " + name, "Pacing.begin:", "Pacing.isDone:");
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

    private static byte[] bytes(String resource) throws IOException {
        try (InputStream in = PacedLoopsTest.class.getResourceAsStream(resource)) {
            return Objects.requireNonNull(in, resource).readAllBytes();
        }
    }
}

package dev.touchstone.harness.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.run.ReferenceLoad;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RulerProbeTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void measure_thisMachine_allFourAndNothingLeft() {
        RulerProbe probe = new RulerProbe(folder);
        ReferenceLoad ruler = probe.measure();
        for (ReferenceLoad.Kind kind : ReferenceLoad.Kind.values()) {
            assertThat(ruler.get(kind)).as(kind.work()).isPositive();
        }
        assertThat(ruler.memoryMicros() * 1e3 / 1_000)
                .as("ns of a read past the caches: no loop was thrown away")
                .isGreaterThan(1);
        assertThat(ruler.cpuMicros() * 1e3 / 10_000)
                .as("ns of a multiplication that waits for the one before")
                .isGreaterThan(0.2);
        assertThat(probe.result()).isNotZero();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void measure_noFolder_forceIsUnknown() {
        ReferenceLoad ruler = new RulerProbe(folder.resolve("none")).measure();
        assertThat(ruler.forceMicros()).isEqualTo(-1);
        assertThat(ruler.cpuMicros()).isPositive();
    }
}

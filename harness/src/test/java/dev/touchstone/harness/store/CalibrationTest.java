package dev.touchstone.harness.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.harness.file.ResultFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path results;

    @Test
    void of_forks_limitsLeaveRoomAndPressureIsACells() {
        List<ForkResult> forks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            forks.add(Forks.of("calm").noise(noise(i == 19 ? 2.0 : 0.2, 2)).score(1));
            forks.add(Forks.of("crowded").noise(noise(0.2, 80)).score(1));
        }
        Calibration learned = Calibration.of("2026-03-04T10:00:00Z", 20, List.of(1.0, 4.0), forks);
        assertThat(learned.floorPercent()).isEqualTo(4);
        assertThat(learned.complaint("calm/t1/OURS", noise(0.25, 4))).isEmpty();
        assertThat(learned.complaint("calm/t1/OURS", noise(0.4, 4)))
                .contains("CPU used by other processes, cores: 0.40, limit 0.30");
        assertThat(learned.complaint("calm/t1/OURS", noise(0, 20)))
                .contains("time in which a task waited for a CPU, %: 20.00, limit 5.00");
        assertThat(learned.complaint("crowded/t1/OURS", noise(0, 90))).isEmpty();
        assertThat(learned.complaint("another/t1/OURS", noise(0, 90)))
                .as("pressure of a cell not seen")
                .isEmpty();
    }

    @Test
    void complaint_notCalibrated_onlyPlainDisturbances() {
        assertThat(Calibration.NONE.complaint("c", noise(0.4, 99))).isEmpty();
        assertThat(Calibration.NONE.complaint("c", noise(1.2, 0))).isPresent();
        assertThat(Calibration.NONE.complaint("c", new Noise(0, 9, 0, 0, 0.0, 0.0)))
                .get()
                .asString()
                .contains("hypervisor");
        assertThat(Calibration.NONE.complaint("c", Noise.unknown())).isEmpty();
        assertThat(Calibration.OPEN.complaint("c", noise(9, 99))).isEmpty();
    }

    @Test
    void write_read_isTheSame() throws IOException {
        assertThat(Calibration.read(results, "host")).isEqualTo(Calibration.NONE);
        Calibration learned = Calibration.of(
                "2026-03-04T10:00:00Z",
                1,
                List.of(2.5),
                List.of(Forks.of("w").noise(noise(0.1, 1)).score(1)));
        learned.write(results, "host");
        assertThat(Calibration.read(results, "host")).isEqualTo(learned);
    }

    @Test
    void read_foreignFile_refusedWithItsName() throws IOException {
        Path file = Calibration.OPEN.write(results, "host");
        Files.writeString(file, Files.readString(file).replace("\"schema\" : 1", "\"schema\" : 9"));
        assertThatThrownBy(() -> Calibration.read(results, "host"))
                .isInstanceOf(ResultFormatException.class)
                .hasMessageContaining("calibration.json: schema: expected 1, got 9");
    }

    private static Noise noise(double foreign, double pressure) {
        return new Noise(foreign, 0, pressure, 0, 0.0, 1.0);
    }
}

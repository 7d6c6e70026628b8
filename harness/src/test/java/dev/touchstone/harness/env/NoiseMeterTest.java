package dev.touchstone.harness.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.touchstone.harness.store.Noise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NoiseMeterTest {
    @TempDir
    Path root;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong descendants = new AtomicLong();

    @Test
    void stop_ownAndForeignWork_areToldApart() throws IOException {
        // 10 s pass on two cores: 800 ticks busy, of them 100 own, 200 of a finished child, 300 of a living one.
        disks(1, 1, 100, 200);
        files("cpu 1000 0 0 5000 0 0 0 0 0 0", 50, 0, 1_000, 0);
        NoiseMeter meter = NoiseMeter.start(new SystemFiles(root), nanos::get, descendants::get);
        nanos.set(10_000_000_000L);
        descendants.set(3_000_000_000L);
        disks(3, 6, 600, 3_200);
        files("cpu 1800 0 0 6100 0 0 0 100 0 0", 150, 200, 501_000, 2_000_000);
        Noise noise = meter.stop();
        assertThat(noise.foreignCpuCores()).isEqualTo(0.2, within(1e-9));
        assertThat(noise.stealPercent()).isEqualTo(5, within(1e-9));
        assertThat(noise.pressureCpuPercent()).isEqualTo(5, within(1e-9));
        assertThat(noise.pressureIoPercent()).isEqualTo(20, within(1e-9));
        assertThat(noise.swapPages()).isEqualTo(7);
        assertThat(noise.diskBusyPercent()).as("the busier one").isEqualTo(30, within(1e-9));
    }

    @Test
    void stop_noFiles_everythingUnknown() {
        NoiseMeter meter = NoiseMeter.start(new SystemFiles(root), nanos::get, descendants::get);
        assertThat(meter.stop()).isEqualTo(Noise.unknown());
    }

    @Test
    void stop_thisMachine_isPlausible() {
        Noise noise = NoiseMeter.start().stop();
        assertThat(noise.foreignCpuCores()).isGreaterThanOrEqualTo(-1);
        assertThat(noise.stealPercent()).isBetween(-1.0, 100.0);
    }

    private void files(String stat, int own, int children, long cpuMicros, long ioMicros) throws IOException {
        write("proc/stat", stat);
        write("proc/self/stat", "1 (java) S 1 2 3 4 5 6 7 8 9 10 " + own + " 0 " + children + " 0 20 0");
        write("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=" + cpuMicros);
        write("proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=" + ioMicros);
    }

    private void disks(int swappedIn, int swappedOut, int firstMillis, int secondMillis) throws IOException {
        write("proc/vmstat", "pgpgin 12\npswpin " + swappedIn + "\npswpout " + swappedOut);
        write(
                "proc/diskstats",
                " 254 0 vda 1 2 3 4 5 6 7 8 0 " + firstMillis + " 9 0\n 8 0 sda 1 2 3 4 5 6 7 8 0 " + secondMillis
                        + " 9\n 7 0 loop0 1 2 3 4 5 6 7 8 0 99999 9");
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, text + "\n");
    }
}

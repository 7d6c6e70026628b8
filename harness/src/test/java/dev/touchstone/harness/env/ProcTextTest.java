package dev.touchstone.harness.env;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcTextTest {
    private static final String CPUINFO = """
            processor\t: 0
            model name\t: Example CPU @ 2.60GHz
            flags\t\t: fpu vme hypervisor avx2

            processor\t: 1
            model name\t: Example CPU @ 2.60GHz
            """;
    private static final String MOUNTINFO = """
            27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
            31 27 0:28 / /tmp rw,nosuid - tmpfs tmpfs rw,size=4k
            32 27 8:17 / /tmp/my\\040data rw,noatime shared:5 master:1 - xfs /dev/sdb1 rw,noquota
            33 27 8:18 / /tmpdata rw - ext4 /dev/sdb2 rw
            garbage
            """;

    @Test
    void value_cpuinfo_firstProcessor() {
        assertThat(ProcText.value(CPUINFO, "model name", ':')).hasValue("Example CPU @ 2.60GHz");
        assertThat(ProcText.value("PRETTY_NAME=\"Debian 12\"\n", "PRETTY_NAME", '='))
                .hasValue("Debian 12");
        assertThat(ProcText.value("", "model name", ':')).isEmpty();
    }

    @Test
    void hypervisor_flag_isAWordOfItsOwn() {
        assertThat(ProcText.hypervisor(CPUINFO)).isTrue();
        assertThat(ProcText.hypervisor("flags : nohypervisor x\n")).isFalse();
        assertThat(ProcText.hypervisor("")).isFalse();
    }

    @Test
    void memoryLoadPressure_absentOrStrange_areUnknown() {
        assertThat(ProcText.memoryBytes("MemTotal:   4028 kB\n")).isEqualTo(4028 * 1024);
        assertThat(ProcText.memoryBytes("")).isEqualTo(-1);
        assertThat(ProcText.loadAverage("0.52 0.1 0.0 1/1 1\n")).isEqualTo(0.52);
        assertThat(ProcText.loadAverage("")).isEqualTo(-1);
        assertThat(ProcText.pressureMicros("some avg10=0.0 avg60=0.0 avg300=0.1 total=1277\nfull avg10=0.0 total=3\n"))
                .isEqualTo(1277);
        assertThat(ProcText.pressureMicros("some nonsense")).isEqualTo(-1);
    }

    @Test
    void ticksWithChildren_nameWithParentheses_sumsFourFields() {
        String stat = "4711 (java (x) y) S 1 2 3 4 5 6 7 8 9 10 100 20 3000 400 20 0 1 0\n";
        assertThat(ProcText.ticksWithChildren(stat)).isEqualTo(3520);
        assertThat(ProcText.ticksWithChildren("")).isEqualTo(-1);
        assertThat(ProcText.ticksWithChildren("1 (x) S 1 2")).isEqualTo(-1);
    }

    @Test
    void cpuTicks_statLine_isSplitInBusyAndSteal() {
        CpuTicks ticks = CpuTicks.parse("cpu  100 10 20 800 30 1 2 37 50 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
        assertThat(ticks).isEqualTo(new CpuTicks(133, 37, 1000));
        assertThat(ticks.stealPercentSince(new CpuTicks(0, 0, 0))).isEqualTo(3.7);
        assertThat(CpuTicks.parse("intr 1 2 3")).isEqualTo(CpuTicks.UNKNOWN);
        assertThat(CpuTicks.UNKNOWN.stealPercentSince(ticks)).isEqualTo(-1);
    }

    @Test
    void mountOf_nestedMounts_longestWholeNameWins() {
        assertThat(Mount.of(Path.of("/tmp/my data/q"), MOUNTINFO).orElseThrow())
                .isEqualTo(new Mount("8:17", Path.of("/tmp/my data"), "rw,noatime,noquota", "xfs", "/dev/sdb1"));
        assertThat(Mount.of(Path.of("/tmp/x"), MOUNTINFO).orElseThrow().tmpfs()).isTrue();
        assertThat(Mount.of(Path.of("/tmpother"), MOUNTINFO).orElseThrow().type())
                .isEqualTo("ext4");
        assertThat(Mount.of(Path.of("/tmpother"), "")).isEmpty();
    }

    @Test
    void mountOf_mountedOver_theLaterHolds() {
        String twice = "1 0 0:1 / /a rw - ext4 /dev/x rw\n2 1 0:2 / /a rw - tmpfs tmpfs rw\n";
        assertThat(Mount.of(Path.of("/a/b"), twice).orElseThrow().tmpfs()).isTrue();
    }
}

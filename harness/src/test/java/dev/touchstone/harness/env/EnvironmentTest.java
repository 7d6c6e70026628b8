package dev.touchstone.harness.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.touchstone.harness.env.DataFolderException.Reason;
import dev.touchstone.harness.env.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentTest {
    @TempDir
    Path folder;

    @Test
    void capture_thisMachine_leavesTheFolderAsItWas() throws IOException {
        Environment env = EnvironmentProbe.capture(folder);
        assertThat(env.cores()).isPositive();
        assertThat(env.force()).isNotNull().extracting(ForceLatency::count).isNotEqualTo(0);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void capture_noSystemFiles_saysUnknown() {
        Environment env = EnvironmentProbe.capture(folder, new SystemFiles(folder), null);
        assertThat(env.cpuModel()).isEqualTo("unknown");
        assertThat(env.fileSystem()).isEqualTo("unknown");
        assertThat(env.memoryBytes()).isEqualTo(-1);
        assertThat(env.writeCache()).isNull();
        assertThat(env.tmpfs()).isFalse();
        assertThat(DoctorReport.of(env).findings()).isNotEmpty();
    }

    @Test
    void capture_fixtureFiles_areRead() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.createDirectories(folder.resolve("proc/self"));
        Files.createDirectories(folder.resolve("sys/dev/block/8:1/queue"));
        Files.writeString(folder.resolve("proc/meminfo"), "MemTotal: 1000 kB\n");
        Files.writeString(
                folder.resolve("proc/self/mountinfo"),
                "1 0 8:1 / " + data.toRealPath()
                        + " rw,relatime - ext4 /dev/sda1 rw,nobarrier,user_id=7,lowerdir=/home/x\n");
        Files.writeString(folder.resolve("sys/dev/block/8:1/queue/write_cache"), "write back\n");
        Environment env = EnvironmentProbe.capture(data, new SystemFiles(folder), null);
        assertThat(env.memoryBytes()).isEqualTo(1_024_000);
        assertThat(env.device()).isEqualTo("/dev/sda1");
        assertThat(env.mountOptions()).isEqualTo("rw,relatime,nobarrier");
        assertThat(env.writeCache()).isEqualTo("write back");
        assertThat(severity(env, "mount options")).isEqualTo(Severity.WARN);
    }

    @Test
    void toJson_parsed_isTheSame() throws IOException {
        Environment env =
                EnvironmentProbe.capture(folder, SystemFiles.ofThisMachine(), new ForceLatency(500, 73, 410, 4900));
        assertThat(Environment.parse(env.toJson(), Path.of("env.json"))).isEqualTo(env);
        Path file = Files.writeString(folder.resolve("env.json"), env.toJson());
        assertThat(Environment.read(file)).isEqualTo(env);
    }

    @Test
    void parse_foreignText_namesThePlace() throws IOException {
        String json =
                EnvironmentProbe.capture(folder, new SystemFiles(folder), null).toJson();
        assertThatThrownBy(() -> Environment.parse("{\"schema\": 1, oops", Path.of("env.json")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("env.json: line 1 column");
        assertThatThrownBy(
                        () -> Environment.parse(json.replace("\"schema\" : 1", "\"schema\" : 9"), Path.of("env.json")))
                .hasMessageContaining("expected 1, got 9");
        assertThatThrownBy(() -> Environment.parse("null", Path.of("env.json"))).isInstanceOf(IOException.class);
    }

    @Test
    void examine_badFolders_oneLineEach() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        fails(folder.resolve("absent"), Reason.MISSING, "does not exist");
        fails(file, Reason.NOT_A_FOLDER, "is not a folder");
    }

    @Test
    void examine_folderThatTakesNoFiles_isReadOnly() {
        Path proc = Path.of("/proc/self");
        assumeTrue(Files.isDirectory(proc), "needs /proc, a file system in which nobody can make a file");
        fails(proc, Reason.READ_ONLY, "is read-only");
    }

    @Test
    void examine_fullDevice_isFull() {
        String full = System.getProperty("touchstone.test.fullFolder");
        assumeTrue(
                full != null,
                "needs a full file system: mount a tmpfs of size=64k and give its folder, "
                        + "-Dtest.jvmFlags=-Dtouchstone.test.fullFolder=<folder>");
        Path tiny = Path.of(String.valueOf(full));
        fails(tiny, Reason.FULL, "is full");
    }

    @Test
    void findings_tmpfs_isAWarning() {
        Environment disk =
                EnvironmentProbe.capture(folder, new SystemFiles(folder), new ForceLatency(500, 73, 410, 4900));
        assertThat(severity(disk, "force of 512 B")).isEqualTo(Severity.OK);
        assertThat(severity(tmpfs(disk), "file system")).isEqualTo(Severity.WARN);
        assertThat(severity(tmpfs(disk), "force of 512 B")).isEqualTo(Severity.WARN);
    }

    private static void fails(Path folder, Reason reason, String message) {
        assertThatThrownBy(() -> Doctor.examine(folder))
                .isInstanceOf(DataFolderException.class)
                .hasMessageStartingWith("data folder " + folder + " ")
                .hasMessageContaining(message)
                .hasMessageNotContaining("\n")
                .asInstanceOf(InstanceOfAssertFactories.type(DataFolderException.class))
                .extracting(DataFolderException::reason)
                .isEqualTo(reason);
    }

    private static Severity severity(Environment env, String name) {
        return DoctorReport.of(env).findings().stream()
                .filter(finding -> finding.name().equals(name))
                .findFirst()
                .orElseThrow()
                .severity();
    }

    private static Environment tmpfs(Environment env) {
        return new Environment(
                env.schema(),
                env.cpuModel(),
                env.cores(),
                env.memoryBytes(),
                env.kernel(),
                env.os(),
                env.jdkVersion(),
                env.jdkVendor(),
                env.vm(),
                "tmpfs",
                env.mountOptions(),
                "tmpfs",
                null,
                env.freeBytes(),
                env.governor(),
                env.hypervisor(),
                true,
                env.loadAverage(),
                env.stealPercent(),
                new ForceLatency(500, 1, 2, 3));
    }
}

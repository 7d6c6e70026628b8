package dev.touchstone.builds.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessTableTest {
    @TempDir
    Path proc;

    @Test
    void hasMount_besideAMountWhoseNameIsNoPath_isFound() throws IOException {
        namespace("self", "mnt:[1]");
        Path process = namespace("7", "mnt:[2]");
        Files.writeString(process.resolve("mountinfo"), mount("/no\\000path") + mount("/a\\040workspace"));

        ProcessTable table = new ProcessTable(proc.toFile());

        assertThat(table.hasMount(7, Path.of("/a workspace")::equals)).isTrue();
        assertThat(table.hasMount(7, Path.of("/another")::equals)).isFalse();
    }

    @Test
    void mark_inEnvironment_isFoundWhole() {
        byte[] environment = "A=b\0XBUILDS_JOB_MARK=no\0BUILDS_JOB_MARK=yes\0Z=".getBytes(StandardCharsets.US_ASCII);
        assertThat(ProcessTable.mark(environment)).isEqualTo("yes");
        assertThat(ProcessTable.mark("BUILDS_JOB_MARKS=x".getBytes(StandardCharsets.US_ASCII)))
                .isNull();
        assertThat(ProcessTable.mark(new byte[0])).isNull();
    }

    private Path namespace(String process, String name) throws IOException {
        Path folder = Files.createDirectory(proc.resolve(process));
        Files.createSymbolicLink(Files.createDirectory(folder.resolve("ns")).resolve("mnt"), Path.of(name));
        return folder;
    }

    private static String mount(String point) {
        return "36 35 98:0 / " + point + " rw - ext4 device rw\n";
    }
}

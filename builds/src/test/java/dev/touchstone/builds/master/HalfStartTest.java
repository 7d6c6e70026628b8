package dev.touchstone.builds.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.Site;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A master that cannot start leaves nothing open: the next one starts on its folder, in the same process. */
@Timeout(120)
class HalfStartTest {
    @TempDir
    Path folder;

    @Test
    void start_whereAFolderCannotBeUsed_leavesNothingOpen() throws Exception {
        Path part = Files.createFile(folder.resolve("artefacts"));
        MasterOptions options = MasterOptions.of(folder, Site.SECURITY);
        assertThatThrownBy(() -> Master.start(options)).isInstanceOf(IOException.class);
        Files.delete(part);
        assertStarts(options);
    }

    @Test
    void start_onAPortInUse_leavesNothingOpen() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        MasterOptions options = MasterOptions.of(folder, Site.SECURITY);
        try (ServerSocket other = new ServerSocket(0, 1, loopback)) {
            assertThatThrownBy(() -> Master.start(options.withAddress(loopback, other.getLocalPort())))
                    .isInstanceOf(IOException.class);
        }
        assertStarts(options);
    }

    private static void assertStarts(MasterOptions options) throws IOException {
        try (Master master = Master.start(options)) {
            assertThat(master.isAlive()).isTrue();
        }
    }
}

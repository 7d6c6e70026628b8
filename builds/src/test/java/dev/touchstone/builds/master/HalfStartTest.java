package dev.touchstone.builds.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.Site;
import dev.touchstone.builds.output.IdleSink;
import dev.touchstone.builds.output.Sink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
        AtomicInteger closed = new AtomicInteger();
        Sink sink = new IdleSink() {
            @Override
            public boolean isFed() {
                return false;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
        try (ServerSocket other = new ServerSocket(0, 1, loopback)) {
            MasterOptions inUse = options.withAddress(loopback, other.getLocalPort());
            assertThatThrownBy(() -> Master.start(inUse, List.of(sink))).isInstanceOf(IOException.class);
        }
        assertThat(closed).hasValue(1);
        assertStarts(options);
    }

    private static void assertStarts(MasterOptions options) throws IOException {
        try (Master master = Master.start(options)) {
            assertThat(master.isAlive()).isTrue();
        }
    }
}

package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queues in a process that has too little direct memory for the buffers that fast reads would like. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScarceMemoryTest {
    private static final int QUEUES = 12;
    private static final int ELEMENTS = 3500;

    @TempDir
    Path folder;

    /** Reads most of a backlog in each of many queues, so that each keeps the buffers of a long read. */
    static final class Readers {
        public static void main(String[] args) {
            List<DiskQueue<byte[]>> queues = new ArrayList<>();
            for (int i = 0; i < QUEUES; i++) {
                DiskQueue<byte[]> queue = DiskQueue.written()
                        .folder(Path.of(args[0]).resolve("queue-" + i))
                        .open();
                queues.add(queue);
                queue.offerAll(Collections.nCopies(ELEMENTS, new byte[1000]));
            }
            long polled = 0;
            for (int rounds = 0; rounds < 2; rounds++) {
                for (DiskQueue<byte[]> queue : queues) {
                    for (int i = 0; i < ELEMENTS / 2; i++) {
                        polled += requireNonNull(queue.poll()).length / 1000;
                    }
                }
            }
            queues.forEach(DiskQueue::close);
            System.out.println(polled + " polled");
        }
    }

    @Test
    void poll_fromMoreBacklogsThanDirectMemoryHasWindowsFor_readsWithSmallerOnes()
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Xmx128m",
                        "-XX:MaxDirectMemorySize=10m",
                        Readers.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output).endsWith(QUEUES * ELEMENTS + " polled\n");
    }
}

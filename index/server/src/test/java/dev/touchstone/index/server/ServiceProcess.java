package dev.touchstone.index.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.server.http.Client;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The service with its generated prices as a process of its own, and the times of requests to it. */
record ServiceProcess(Process process, InetSocketAddress address) implements Closeable {
    static final String ONE = "{\"offeringId\":\"a38e432c-3965-4c74-8251-aa640002d2b2\",\"groupId\":\"group5\","
            + "\"charValues\":[{\"char\":\"Term\",\"value\":\"18\"},{\"char\":\"B2B Traffic\",\"value\":\"10GB\"},"
            + "{\"char\":\"VPN\",\"value\":\"ad796998-f1c7-4fcc-9a6b-1b33042fb375\"},"
            + "{\"char\":\"B2B Bandwidth\",\"value\":\"1Mbps\"},{\"char\":\"Router\",\"value\":\"Included\"}]}";

    private static final int ASKED = 3000;

    /** Starts the service, and waits until it is ready. */
    static ServiceProcess start() throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms384m",
                        "-Xmx384m",
                        "-XX:+AlwaysPreTouch", // so that what grows is outside the heap
                        "-XX:+UseSerialGC",
                        "-XX:NativeMemoryTracking=summary",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "--port",
                        "0"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        if (line == null || !line.startsWith("ready: ")) {
            process.destroyForcibly();
            throw new IOException("service did not start: line=" + line);
        }
        String port = line.substring("ready: http://127.0.0.1:".length(), line.indexOf("/ "));
        return new ServiceProcess(
                process, new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)));
    }

    /** Sends a request many times, one after the other; returns the sorted times in nanoseconds. */
    static long[] ask(Client client, String request) {
        long[] nanos = new long[ASKED];
        for (int i = 0; i < ASKED; i++) {
            long begin = System.nanoTime();
            try {
                assertThat(client.ask(request).status()).isEqualTo(200);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            nanos[i] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos);
        return nanos;
    }

    /** Returns a percentile of sorted times in microseconds. */
    static long micros(long[] sorted, int percent) {
        return TimeUnit.NANOSECONDS.toMicros(sorted[sorted.length * percent / 100]);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

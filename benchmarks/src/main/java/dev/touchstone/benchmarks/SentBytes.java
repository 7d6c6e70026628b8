package dev.touchstone.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kernel's count of the bytes that this process and all below it have sent on TCP connections that are open now ({@code bytes_sent} of {@code
 * TCP_INFO}, asked by {@code ss}), by whatever system call. Connections of other processes are not in it.
 */
public final class SentBytes {
    private static final String PROGRAM = "ss";
    private static final Pattern PROCESS = Pattern.compile("\\bpid=([0-9]+),");
    private static final Pattern SENT = Pattern.compile("\\bbytes_sent:([0-9]+)\\b");

    private SentBytes() {}

    /** Returns why the bytes cannot be observed, as a phrase with the remedy; empty if they can. */
    public static Optional<String> missing() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (Files.isExecutable(Path.of(folder.isEmpty() ? "." : folder, PROGRAM))) {
                return Optional.empty();
            }
        }
        return Optional.of("bytes on sockets: no ss on the PATH, install iproute2");
    }

    /** Returns the bytes so far; 0 where they cannot be observed. */
    public static long now() throws IOException {
        if (missing().isPresent()) {
            return 0;
        }
        Set<Long> own = new HashSet<>(Set.of(ProcessHandle.current().pid()));
        ProcessHandle.current().descendants().forEach(process -> own.add(process.pid()));
        List<String> command = new ArrayList<>(List.of(PROGRAM, "--tcp", "--info", "--numeric", "--processes"));
        command.addAll(List.of("--no-header", "--oneline", "state", "established"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return sum(text, own);
    }

    /** Returns the sum over the lines of connections that one of these processes has. */
    static long sum(String text, Set<Long> processes) {
        long sum = 0;
        for (String line : text.lines().toList()) {
            Matcher process = PROCESS.matcher(line);
            Matcher sent = SENT.matcher(line);
            if (process.find() && processes.contains(Long.parseLong(process.group(1))) && sent.find()) {
                sum += Long.parseLong(sent.group(1));
            }
        }
        return sum;
    }
}

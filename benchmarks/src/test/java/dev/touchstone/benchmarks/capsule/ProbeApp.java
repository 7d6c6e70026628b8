package dev.touchstone.benchmarks.capsule;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

/** The application inside the tests' capsules: does what its first argument says. Uses nothing but the JDK. */
final class ProbeApp {
    private ProbeApp() {}

    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case "exit" -> System.exit(Integer.parseInt(args[1]));
            case "marker" -> System.out.println(marker());
            case "flags" ->
                ManagementFactory.getRuntimeMXBean().getInputArguments().forEach(System.out::println);
            case "classpath" -> System.out.println(System.getProperty("java.class.path"));
            case "wait" -> park();
            default -> throw new IllegalArgumentException("unknown: " + args[0]);
        }
    }

    private static String marker() throws IOException {
        try (InputStream in = ProbeApp.class.getResourceAsStream("/marker.txt")) {
            return in == null ? "none" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Starts a process of its own as JMH does, tells both pids, and waits until it is ended or its parent is gone. */
    private static void park() throws IOException {
        Process fork = new ProcessBuilder("sleep", "120").start();
        ProcessHandle parent = ProcessHandle.of(Long.getLong("touchstone.parentPid"))
                .orElseThrow(); // before its killer reads the line
        System.out.println(ProcessHandle.current().pid() + " " + fork.pid());
        parent.onExit().join();
        fork.destroyForcibly();
    }
}

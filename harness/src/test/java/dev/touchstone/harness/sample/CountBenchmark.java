package dev.touchstone.harness.sample;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Counts: quick subjects, one that throws, one that never returns. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 1, time = 50, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 100, timeUnit = TimeUnit.MILLISECONDS)
public class CountBenchmark {
    /** Which way to count. */
    @Param({"OURS", "PEER", "BROKEN", "STUCK", "HALTED", "LEAVING"})
    public String subject = "OURS";

    private int work = 100;
    private int rareWork = 100; // of every 64th operation

    /** Fails where the subject is made to, and talks. */
    @Setup
    public void setUp() throws IOException {
        System.out.println("a fork's output");
        System.err.println("a fork's error output");
        if (subject.equals("BROKEN")) {
            throw new IllegalStateException("broken on purpose");
        }
        if (subject.equals("HALTED")) {
            Runtime.getRuntime().halt(0);
        }
        if (subject.equals("LEAVING")) {
            new ProcessBuilder("sleep", "40").inheritIO().start();
        }
        String[] works = resource("sample-work.txt", "100 100").split(" ", -1);
        work = Integer.parseInt(works[0]);
        rareWork = Integer.parseInt(works[1]);
    }

    /** What a build says of itself: how two builds of this benchmark differ. */
    private static String resource(String name, String otherwise) {
        try (InputStream in = CountBenchmark.class.getResourceAsStream(name)) {
            return in == null ? otherwise : new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One step. */
    @Benchmark
    public void count(Counters counters) {
        while (subject.equals("STUCK")) {
            Thread.onSpinWait();
        }
        int own = counters.steps % 128 == 0 ? rareWork : work;
        Blackhole.consumeCPU(subject.equals("OURS") ? own : 200);
        counters.steps += 2;
    }

    /** What is counted beside the score. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Counters {
        /** Twice the operations. */
        public long steps;
    }
}

package dev.touchstone.benchmarks.messaging;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.MeasuredCount;
import dev.touchstone.benchmarks.messaging.peer.EchoShape;
import dev.touchstone.benchmarks.messaging.peer.EchoUnderTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Timeout;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Node to node and back: each client sends its pid to a server's mailbox on another node, as a message of its own, and blocks until the
 * five bytes of the answer are there, or the body that it has sent beside its pid. As many clients as JMH is told to use threads; one
 * server thread, which receives and sends, or a server and a node of its own for each client.
 *
 * <p>All nodes are in this JVM, with one TCP connection over loopback from the clients' node to each other, made before the first
 * iteration; an EPMD in this JVM tells where they are. {@code ERLANG} are two processes of {@code erl}, and the ceilings have threads of
 * their own: there a call takes one of the echoes that those have made, see {@link EchoUnderTest}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 10, time = 10)
@Measurement(iterations = 20, time = 10)
@Timeout(time = 1, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls the set-up
public class EchoBenchmark {

    @Param("OURS")
    public String subject;

    /** Processes beside the nodes that keep a processor busy each. */
    @Param("0")
    public int burners;

    /** Term that a client sends beside its pid and gets back. */
    @Param("PID")
    public EchoBody body;

    /** The choice between a server on a node of its own for each client, and one server for all. */
    @Param("false")
    public boolean nodeEach;

    private final List<Burner> burning = new ArrayList<>();
    private EchoUnderTest echo;
    private MeasuredCount cpu;

    @Setup(Level.Trial)
    public void start(BenchmarkParams params) throws IOException {
        start(params.getThreads());
    }

    void start(int clients) throws IOException {
        echo = DeclaredSubject.of(subject)
                .open(EchoUnderTest.class, new EchoShape(clients, nodeEach ? clients : 1, body.recipe()));
        while (burning.size() < burners) {
            burning.add(Burner.start());
        }
    }

    @Setup(Level.Iteration)
    public void begin() {
        cpu = CpuTime.micros(echo::otherCpuNanos);
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
        burning.forEach(Burner::close);
        echo.close();
    }

    @Benchmark
    public Object echo(Caller caller, Control control) throws IOException, InterruptedException {
        return caller.echo(control);
    }

    /** Returns an answer as a plain value. */
    Object plain(Object answer) {
        return echo.plain(answer);
    }

    /** A client; the first of them also reports the processor time of all. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Caller {

        private EchoUnderTest.Client client;
        private MeasuredCount cpu;
        private MeasuredCount.Observer observer;
        private boolean reporting;

        @Setup(Level.Trial)
        public void start(EchoBenchmark benchmark, ThreadParams thread) throws IOException {
            client = benchmark.echo.client(thread.getThreadIndex());
            reporting = thread.getThreadIndex() == 0;
        }

        /** Starts the count of processor time, and prepares the client for an iteration. */
        @Setup(Level.Iteration)
        public void begin(EchoBenchmark benchmark) throws IOException {
            cpu = benchmark.cpu;
            observer = cpu.observer();
            client.begin();
        }

        @TearDown(Level.Iteration)
        public void end() {
            cpu.end();
        }

        /** Microseconds of processor time that all of this took; JMH adds up the threads, of which one reports. */
        public long cpuMicros() {
            return reporting ? cpu.total() : 0;
        }

        Object echo(Control control) throws IOException, InterruptedException {
            observer.observe(control);
            return client.echo();
        }
    }
}

package dev.touchstone.benchmarks.messaging;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.messaging.peer.MailboxUnderTest;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
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

/** Mailbox to mailbox and back within one node: two messages of five bytes, sent and received by one thread. Nothing goes over a socket. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 10, time = 10)
@Measurement(iterations = 20, time = 10)
@Timeout(time = 1, timeUnit = TimeUnit.MINUTES)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls the set-up
public class MailboxBenchmark {

    @Param("OURS")
    public String subject;

    private MailboxUnderTest mailboxes;

    @Setup(Level.Trial)
    public void start() throws IOException {
        mailboxes = DeclaredSubject.of(subject).open(MailboxUnderTest.class);
    }

    @TearDown(Level.Trial)
    public void stop() throws IOException {
        mailboxes.close();
    }

    @Benchmark
    public Object thereAndBack() throws IOException, InterruptedException {
        return mailboxes.thereAndBack();
    }

    /** Has another mailbox of the node send bytes to the second mailbox. */
    void plant(byte[] bytes) throws IOException {
        mailboxes.plant(bytes);
    }

    /** The bytes of a message. */
    byte[] bytes(Object message) {
        return mailboxes.bytes(message);
    }
}

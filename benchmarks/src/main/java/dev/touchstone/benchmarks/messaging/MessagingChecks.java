package dev.touchstone.benchmarks.messaging;

import static dev.touchstone.benchmarks.messaging.peer.PlainTerms.PLAIN;

import dev.touchstone.benchmarks.Allocation;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.SentBytes;
import dev.touchstone.benchmarks.messaging.peer.MailboxUnderTest;
import dev.touchstone.benchmarks.messaging.peer.TermUnderTest;
import dev.touchstone.harness.run.check.CheckFailedException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.ThreadParams;

/** Checks that a subject does its work in the methods that JMH would time; otherwise its figures mean nothing. */
@SuppressWarnings("ReferenceEquality") // whether it is the same object
final class MessagingChecks {

    /** Two frames with two pids in one and one in the other take more, without their bodies. */
    private static final int MIN_BYTES = 100;

    private static final int CEILING_BYTES = 280; // less than 165 + 125, for the round that was on its way

    /** Calls of which each is seen to send its bytes. */
    private static final int SEEN = 40;

    /** Messages that a stranger sends to a mailbox. */
    private static final int STRANGERS = 20;

    private static final int PATIENCE_SECONDS = 60;

    private static final long SEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(30); // Linux counts steps of 10 ms

    private static final DeclaredSubject OURS = DeclaredSubject.of("OURS");

    private final DeclaredSubject subject;

    MessagingChecks(DeclaredSubject subject) {
        this.subject = subject;
    }

    /** Checks that every call of every client gives the right answer, and that the bytes of the messages have gone over sockets. */
    void echo(EchoBenchmark benchmark, int clients, int each) throws CheckFailedException, IOException {
        benchmark.subject = subject.name();
        benchmark.start(clients);
        try {
            long before = SentBytes.now();
            Control control = new Control();
            control.startMeasurement = true;
            benchmark.begin();
            List<EchoBenchmark.Caller> callers = new ArrayList<>();
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                EchoBenchmark.Caller caller = new EchoBenchmark.Caller();
                caller.start(benchmark, thread(i, clients));
                caller.begin(benchmark);
                callers.add(caller);
                tasks.add(() -> {
                    for (int n = 0; n < each; n++) {
                        demandAnswer(benchmark.body, benchmark.plain(benchmark.echo(caller, control)));
                    }
                    return null;
                });
            }
            demandEachSent(benchmark, callers.get(0), control);
            together(tasks);
            demandTraffic(before, (long) clients * each * (minBytes() + 2L * benchmark.body.bytes()));
            useProcessor();
            control.stopMeasurement = true;
            callers.forEach(EchoBenchmark.Caller::end);
            demandProcessorTime(callers.get(0).cpuMicros());
        } finally {
            benchmark.stop();
        }
    }

    /** Checks that each of some calls alone sends its bytes, where the subject sends none without a call. */
    private void demandEachSent(EchoBenchmark benchmark, EchoBenchmark.Caller caller, Control control)
            throws CheckFailedException, IOException {
        for (int i = 0; i < SEEN && subject.opens(MailboxUnderTest.class); i++) {
            long before = SentBytes.now();
            try {
                demandAnswer(benchmark.body, benchmark.plain(benchmark.echo(caller, control)));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            demandTraffic(before, minBytes() + 2L * benchmark.body.bytes());
        }
    }

    /** Checks that every call gives what lies in the second mailbox: first the messages of a stranger, then those of the first mailbox. */
    void mailboxes(int count) throws CheckFailedException, IOException {
        MailboxBenchmark benchmark = new MailboxBenchmark();
        benchmark.subject = subject.name();
        benchmark.start();
        try {
            for (int i = 0; i < STRANGERS; i++) {
                benchmark.plant(strange(i));
            }
            for (int i = 0; i < STRANGERS; i++) {
                byte[] got = benchmark.bytes(benchmark.thereAndBack());
                if (!Arrays.equals(got, strange(i))) {
                    throw new CheckFailedException("expected message " + Arrays.toString(strange(i))
                            + " that another mailbox has sent to the second one, got " + Arrays.toString(got));
                }
            }
            for (int i = 0; i < count; i++) {
                demandAnswer(EchoBody.PID, PLAIN.binary(benchmark.bytes(benchmark.thereAndBack())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            benchmark.stop();
        }
    }

    private static byte[] strange(int number) {
        return new byte[] {9, 8, 7, 6, (byte) number};
    }

    /** Checks that the subject decodes the bytes of a term to that term. */
    void decode(SampleTerm term) throws CheckFailedException, IOException {
        TermBenchmark benchmark = benchmark(term);
        Object known = null;
        for (int i = 0; i < 2; i++) {
            Object decoded = benchmark.decode(new Allocation());
            demandEqual("decoded", benchmark.codec().plain(decoded), term);
            if (decoded == known) {
                throw new CheckFailedException("decoded: expected another object for the second call, got the same");
            }
            known = decoded;
        }
    }

    /** Checks that the subject and ours decode to the same term what the subject encodes. */
    void encode(SampleTerm term) throws CheckFailedException, IOException {
        TermBenchmark benchmark = benchmark(term);
        for (int i = 0; i < 2; i++) {
            int length = benchmark.encode(new Allocation());
            byte[] encoded = benchmark.codec().encoded();
            if (length != encoded.length) {
                throw new CheckFailedException("expected length=" + encoded.length + ", got " + length);
            }
            for (DeclaredSubject reader : List.of(subject, OURS)) {
                demandEqual("encoded, to " + reader.name(), plain(reader, term, encoded), term);
            }
        }
    }

    /** The value that a subject reads from bytes. */
    static Object plain(DeclaredSubject reader, SampleTerm term, byte[] encoded) throws IOException {
        TermUnderTest codec = reader.open(TermUnderTest.class, term, encoded);
        return codec.plain(codec.decode());
    }

    private TermBenchmark benchmark(SampleTerm term) throws IOException {
        TermBenchmark benchmark = new TermBenchmark();
        benchmark.subject = subject.name();
        benchmark.term = term;
        benchmark.make();
        return benchmark;
    }

    private static void demandAnswer(EchoBody body, Object answer) throws CheckFailedException {
        if (!answer.equals(body.answer(PLAIN))) {
            throw new CheckFailedException("expected the answer to " + body + ", got " + answer);
        }
    }

    private int minBytes() {
        return subject.ceiling() ? CEILING_BYTES : MIN_BYTES;
    }

    private static void demandTraffic(long before, long expected) throws CheckFailedException, IOException {
        long bytes = SentBytes.now() - before;
        if (SentBytes.missing().isEmpty() && bytes < expected) {
            throw new CheckFailedException(
                    "expected at least " + expected + " bytes sent on the nodes' connections, got " + bytes);
        }
    }

    /** Works for some steps of the clock of a process's processor time, in which so few calls may not be seen. */
    private static void useProcessor() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + SEEN_NANOS;
        while (threads.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static void demandProcessorTime(long micros) throws CheckFailedException {
        if (micros <= 0) {
            throw new CheckFailedException("expected cpuMicros > 0, got " + micros);
        }
    }

    private static void demandEqual(String what, Object plain, SampleTerm term) throws CheckFailedException {
        Object expected = term.build(PLAIN);
        if (!plain.equals(expected)) {
            throw new CheckFailedException(what + ": expected " + expected + ", got " + plain);
        }
    }

    /** Runs all at once and waits; the first failure ends the others. */
    private static void together(List<Callable<Void>> tasks) throws CheckFailedException, IOException {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size(), task -> {
            Thread thread = new Thread(task, "echo-client");
            thread.setDaemon(true); // a peer's receive cannot always be interrupted
            return thread;
        });
        try {
            List<Future<Void>> running = new ArrayList<>();
            tasks.forEach(task -> running.add(threads.submit(task)));
            for (Future<Void> task : running) {
                task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CheckFailedException failed) {
                throw failed;
            }
            throw new IOException("a client of the check failed", e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("a client is not done after " + PATIENCE_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static ThreadParams thread(int index, int count) {
        return new ThreadParams(index, count, 0, 1, 0, 1, index, count, index, count);
    }
}

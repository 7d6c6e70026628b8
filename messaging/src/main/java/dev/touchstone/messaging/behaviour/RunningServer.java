package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A {@link GenServer} that was started, seen from outside. Thread-safe. */
public final class RunningServer {
    private static final Duration RETRY = Duration.ofMillis(10); // between two looks at a full mailbox

    private final Mailbox mailbox;
    private final Thread thread;
    private final CompletableFuture<Term> ended;

    RunningServer(Mailbox mailbox, Thread thread, CompletableFuture<Term> ended) {
        this.mailbox = mailbox;
        this.thread = thread;
        this.ended = ended;
    }

    /**
     * Returns the pid that others call, link or monitor.
     *
     * @return the server's pid
     */
    public Pid pid() {
        return mailbox.pid();
    }

    /**
     * Returns whether the server has not ended yet. It has ended once {@link GenServer#terminate} has returned.
     *
     * @return whether it runs
     */
    public boolean isAlive() {
        return !ended.isDone();
    }

    /**
     * Returns why the server has ended.
     *
     * @return the reason, or empty while it runs
     */
    public Optional<Term> reason() {
        return Optional.ofNullable(ended.getNow(null));
    }

    /**
     * Waits for the end of the server.
     *
     * @param timeout the longest wait
     * @return whether the server has ended
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        try {
            Term unused = ended.get(nanos(timeout), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of a server has failed: server=" + pid(), e);
        }
    }

    /**
     * Ends the server with the reason {@code normal}, after the messages that it already has.
     *
     * @param timeout the longest wait
     * @return whether the server has ended
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean stop(Duration timeout) throws InterruptedException {
        return stop(OtpAtoms.NORMAL, timeout);
    }

    /**
     * Ends the server, after the messages that it already has. Not to be called by the server's own thread, which has {@link
     * GenServer#stop}.
     *
     * @param reason the reason for links and monitors
     * @param timeout the longest wait
     * @return whether the server has ended
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean stop(Term reason, Duration timeout) throws InterruptedException {
        try (Mailbox asking = mailbox.node().mailbox()) {
            Tuple from = Tuple.of(asking.pid(), asking.newRef());
            return end(asking, Tuple.of(OtpAtoms.SYSTEM, from, Tuple.of(SystemMessages.TERMINATE, reason)), timeout);
        } catch (MessagingException.Closed nodeIsClosed) {
            return awaitEnd(timeout);
        }
    }

    /** Sends a message that ends the server as soon as its mailbox has room, and waits for the end; returns whether it has ended in time. */
    boolean end(Mailbox by, Term message, Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + Math.min(nanos(timeout), Long.MAX_VALUE / 2);
        boolean isTold = by.trySend(pid(), message);
        while (!isTold && deadline - System.nanoTime() > 0 && !awaitEnd(RETRY)) {
            isTold = by.trySend(pid(), message);
        }
        return awaitEnd(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }

    /** Closes the mailbox for good and interrupts the handler that runs, if any. */
    void kill() {
        mailbox.close(OtpAtoms.KILLED);
        thread.interrupt();
    }

    static long nanos(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    @Override
    public String toString() {
        return "server " + mailbox;
    }
}

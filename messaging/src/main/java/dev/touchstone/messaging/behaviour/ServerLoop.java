package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The loop that takes the messages of one {@link GenServer} and calls its handlers. */
final class ServerLoop implements Runnable {
    /*
     * Who calls:  `start` by the thread that starts the server; everything else by the server's own thread.
     * Invariants: `terminate` runs once if `init` has succeeded, and never otherwise. The mailbox is closed before `ended` completes, so
     *             a thread that has seen the end finds name and pid free.
     * Ordering:   messages are handled in the order of the mailbox; while suspended, only system messages and the parent's exit are.
     * Failure:    whatever a handler throws, Errors included, is the reason that the server ends with. A message that cannot be decoded is
     *             logged and passed over, since its sender is to blame and not the server.
     */
    private static final Logger LOG = System.getLogger(ServerLoop.class.getName());
    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);
    private static final long NO_TIMEOUT = -1;
    private static final long WARNING_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final int MAX_CLOSES = 1_000;
    private static final long CLOSE_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final GenServer server;
    private final Mailbox mailbox;
    private final ServerOptions options;
    private final @Nullable Pid parent;
    private final SystemMessages system;
    private final CompletableFuture<Boolean> started = new CompletableFuture<>();
    private final CompletableFuture<Term> ended = new CompletableFuture<>();
    private @Nullable Term stopReason;
    private long timeoutNanos = NO_TIMEOUT;
    private long passedOver; // messages, since the last warning
    private long nextWarning = System.nanoTime();

    ServerLoop(GenServer server, Mailbox mailbox, ServerOptions options) {
        this.server = server;
        this.mailbox = mailbox;
        this.options = options;
        Mailbox linked = options.parent();
        this.parent = linked == null ? null : linked.pid();
        this.system = new SystemMessages(server, mailbox, parent);
    }

    RunningServer start() throws InterruptedException {
        Thread thread;
        try {
            if (parent != null) {
                mailbox.link(parent);
            }
            thread = options.threads().newThread(this);
            thread.start();
        } catch (RuntimeException | Error e) {
            mailbox.close();
            throw e;
        }
        RunningServer running = new RunningServer(mailbox, thread, ended);
        try {
            Boolean unused = started.get();
            return running;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StartFailedException failed) {
                throw failed;
            }
            throw new IllegalStateException("server was not started: server=" + name(), e.getCause());
        } catch (InterruptedException e) {
            running.kill();
            throw e;
        }
    }

    Mailbox mailbox() {
        return mailbox;
    }

    void stop(Term reason) {
        stopReason = reason;
    }

    void timeout(Duration idle) {
        timeoutNanos = Math.max(0, RunningServer.nanos(idle));
    }

    @Override
    public void run() {
        Term reason = Atom.ERROR; // stays where not even the failure can be described
        Throwable failure = null;
        boolean begun = false;
        try {
            try {
                server.init();
                begun = stopReason == null;
            } catch (Throwable e) {
                failure = e;
                stopReason = reasonOf(e);
            }
            if (begun) {
                started.complete(true);
            }
            reason = stopReason == null ? serve() : stopReason;
        } finally {
            if (begun) {
                end(reason);
            } else {
                refuse(reason, failure);
            }
        }
    }

    private void refuse(Term reason, @Nullable Throwable failure) {
        try {
            if (parent != null) {
                mailbox.unlink(parent); // the exception tells the thread that starts the server
            }
            closeMailbox(reason);
        } finally {
            ended.complete(reason);
            started.completeExceptionally(new StartFailedException(name(), reason, failure));
        }
    }

    /** Handles messages until the server is to end; returns the reason. */
    private Term serve() {
        try {
            while (stopReason == null) {
                step();
            }
            return stopReason;
        } catch (InterruptedException e) {
            return OtpAtoms.SHUTDOWN;
        } catch (Throwable e) {
            return mailbox.isClosed() ? OtpAtoms.SHUTDOWN : crashed(e); // closed from outside, by kill or with the node
        }
    }

    private void step() throws Exception {
        Term message;
        try {
            message = next();
        } catch (MessagingException.Malformed e) {
            passOver(e);
            return;
        } catch (MessagingException.Closed byKillOrWithTheNode) {
            stopReason = OtpAtoms.SHUTDOWN;
            return;
        }
        if (mailbox.isClosed()) {
            stopReason = OtpAtoms.SHUTDOWN; // messages still queued came to a mailbox that is gone
        } else if (message == null) {
            timeoutNanos = NO_TIMEOUT;
            server.handleInfo(OtpAtoms.TIMEOUT);
        } else if (!isSystem(message)) {
            timeoutNanos = NO_TIMEOUT;
            handle(message);
        } else if (message instanceof Tuple tuple) {
            handleSystem(tuple);
        }
    }

    /** Logs a message that cannot be decoded, every few seconds at most, so that no sender fills the log. */
    private void passOver(MessagingException.Malformed cause) {
        passedOver++;
        long now = System.nanoTime();
        if (now - nextWarning >= 0) {
            LOG.log(
                    Level.WARNING,
                    "messages were passed over: server=" + name() + " messages=" + passedOver + " last cause="
                            + cause.getMessage());
            nextWarning = now + WARNING_INTERVAL_NANOS;
            passedOver = 0;
        }
    }

    private @Nullable Term next() throws InterruptedException {
        if (system.isSuspended()) {
            return mailbox.receive(this::isSystem, FOR_EVER);
        }
        return timeoutNanos == NO_TIMEOUT ? mailbox.receive() : mailbox.receive(Duration.ofNanos(timeoutNanos));
    }

    /** Returns whether a message is handled while the server is suspended too. */
    private boolean isSystem(Term message) {
        return message instanceof Tuple tuple
                && tuple.size() == 3
                && ((tuple.is(OtpAtoms.SYSTEM, 3) && From.isCaller(tuple.get(1)))
                        || (tuple.is(OtpAtoms.EXIT, 3) && tuple.get(1).equals(parent)));
    }

    private void handleSystem(Tuple message) {
        Term terminated = message.is(OtpAtoms.EXIT, 3) ? message.get(2) : system.handle(message.get(1), message.get(2));
        if (terminated != null) {
            stopReason = terminated;
        }
    }

    private void handle(Term message) throws Exception {
        if (!(message instanceof Tuple tuple)) {
            server.handleInfo(message);
        } else if (tuple.is(OtpAtoms.GEN_CALL, 3) && From.isCaller(tuple.get(1))) {
            From from = From.of(mailbox, tuple.get(1), server.waitsToReply());
            Term answer = server.handleCall(tuple.get(2), from);
            if (answer != null) {
                from.reply(answer);
            }
        } else if (tuple.is(OtpAtoms.GEN_CAST, 2)) {
            server.handleCast(tuple.get(1));
        } else if (mailbox.isExitSignal(tuple) && !options.trapsExits() && !server.trapsExits()) {
            if (!tuple.get(2).equals(OtpAtoms.NORMAL)) {
                stopReason = tuple.get(2);
            }
        } else {
            server.handleInfo(message);
        }
    }

    private Term crashed(Throwable failure) {
        LOG.log(Level.ERROR, "server ends, since a handler has failed: server=" + name(), failure);
        return reasonOf(failure);
    }

    private void end(Term reason) {
        boolean unused = Thread.interrupted(); // of a handler that was killed: it must not disturb the clean-up
        try {
            server.terminate(reason);
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "terminate has failed: server=" + name() + " reason=" + reason, e);
        } finally {
            close(reason);
        }
    }

    private void close(Term reason) {
        try {
            closeMailbox(reason);
        } finally {
            ended.complete(reason);
        }
    }

    /** Closes the mailbox; where there is no memory for that, again and again. The node goes on with a close that has begun. */
    private void closeMailbox(Term reason) {
        try {
            mailbox.close(reason);
        } catch (VirtualMachineError e) {
            ended.complete(reason);
            for (int tries = 1; tries < MAX_CLOSES && !mailbox.isClosed(); tries++) {
                LockSupport.parkNanos(CLOSE_AGAIN_NANOS);
                try {
                    mailbox.close(reason);
                } catch (VirtualMachineError again) {
                    // the next try may find memory
                }
            }
        }
    }

    private String name() {
        return server.getClass().getName() + " " + mailbox;
    }

    /** Returns {@code {Text, Stacktrace}}, the form that Erlang's own exceptions have, without the stack trace. */
    private static Term reasonOf(Throwable failure) {
        return Tuple.of(Binary.of(failure.toString()), ErlList.EMPTY);
    }
}

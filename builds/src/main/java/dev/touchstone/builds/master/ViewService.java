package dev.touchstone.builds.master;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.wire.FromClient;
import dev.touchstone.builds.wire.ToClient;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread that answers questions for logs, each from the file and at an offset of its own. A question whose answer the connection has no room for
 * waits, and is answered from the file when there is room; a question for bytes that do not exist yet waits for them. None is dropped.
 */
final class ViewService {
    private static final Logger LOG = System.getLogger(ViewService.class.getName());
    private static final int MAX_MESSAGES = 64;
    /** Most parked questions of one client, and most whose answers its connection has no room for. */
    private static final int MAX_OPEN = 16 << 10;

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration SHORT_PATIENCE = Duration.ofMillis(5);
    private static final Atom WAKE = Atom.of("wake");

    private final Mailbox mailbox;
    private final LogStore logs;
    private final Sessions sessions;
    private final Executor dispatcher;
    private final Ends ends;
    private final Consumer<NodeName> disconnect;
    private final Map<Long, List<FromClient.Read>> parked = new HashMap<>();
    private final Set<Long> awaited = ConcurrentHashMap.newKeySet(); // the keys of `parked`
    private final Map<Long, Stalled> stalled = new HashMap<>();

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Thread thread;

    /** Whether a log grows no more; asked on the dispatcher's thread. */
    interface Ends {
        /** How long the log will ever be; -1 where that is not known yet, -2 where there is no such job. */
        long length(long job);
    }

    /** A client whose connection has no room for answers. */
    private static final class Stalled {
        final ClientSession client;
        final ArrayDeque<FromClient.Read> behind = new ArrayDeque<>();
        Term answer;

        Stalled(ClientSession client, Term answer) {
            this.client = client;
            this.answer = answer;
        }
    }

    /**
     * Makes a service that {@link #start} lets begin.
     *
     * @param disconnect ends the connection to a client that asks more and more without reading answers: it may connect and ask again
     */
    ViewService(
            Mailbox mailbox,
            LogStore logs,
            Sessions sessions,
            Executor dispatcher,
            Ends ends,
            Consumer<NodeName> disconnect,
            Master.Supervisor supervisor) {
        this.mailbox = mailbox;
        this.logs = logs;
        this.sessions = sessions;
        this.dispatcher = dispatcher;
        this.ends = ends;
        this.disconnect = disconnect;
        this.thread = supervisor.thread("builds-views", this::run);
    }

    void start() {
        thread.start();
    }

    /** Says that a log has grown, or may grow now, or has ended, or is no more. Any thread's; cheap where nobody waits for it. */
    void changed(long job) {
        if (awaited.contains(job)) {
            later(() -> unpark(job).forEach(this::read));
        }
    }

    private List<FromClient.Read> unpark(long job) {
        awaited.remove(job);
        List<FromClient.Read> reads = parked.remove(job);
        if (reads == null) {
            return List.of();
        }
        for (FromClient.Read read : reads) {
            ClientSession session = sessions.client(read.session());
            if (session != null) {
                session.parkedReads--;
            }
        }
        return reads;
    }

    private void park(FromClient.Read read) {
        parked.computeIfAbsent(read.job(), unused -> new ArrayList<>()).add(read);
        awaited.add(read.job());
        JobLog log = logs.find(read.job());
        if (log != null) { // its end is told behind its lease's, and what was appended meanwhile is seen here
            log.watch();
            if (log.total() > read.offset()) {
                later(() -> unpark(read.job()).forEach(this::read));
            }
            return;
        }
        dispatcher.execute(() -> {
            long length = ends.length(read.job());
            if (length != -1) {
                later(() -> ended(read.job(), length));
            }
        });
    }

    private void later(Runnable task) {
        tasks.add(task);
        if (woken.compareAndSet(false, true)) {
            try {
                mailbox.send(mailbox.pid(), WAKE);
            } catch (MessagingException.Closed e) {
                // the end
            }
        }
    }

    private void run() throws InterruptedException {
        while (true) {
            Term message = receive(stalled.isEmpty() ? PATIENCE : SHORT_PATIENCE);
            for (int i = 0; message != null; i++) {
                handle(message);
                message = i < MAX_MESSAGES ? receive(Duration.ZERO) : null;
            }
            woken.set(false);
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            flush();
        }
    }

    private @Nullable Term receive(Duration patience) throws InterruptedException {
        while (true) {
            try {
                return mailbox.receive(patience);
            } catch (MessagingException.Malformed e) {
                sessions.countMalformed(e.getMessage());
            }
        }
    }

    private void handle(Term message) {
        if (message.equals(WAKE)) {
            return;
        }
        try {
            if (FromClient.parse(message) instanceof FromClient.Read read) {
                read(read);
            } else {
                sessions.countMalformed("not for this mailbox");
            }
        } catch (WireException e) {
            sessions.countMalformed(e.getMessage());
        }
    }

    private void read(FromClient.Read read) {
        ClientSession session = sessions.client(read.session());
        if (session == null) {
            return;
        }
        Stalled before = stalled.get(session.id);
        if (before != null) {
            wait(before, read);
            return;
        }
        Term answer = answer(read, session);
        if (answer != null) {
            send(session, answer);
        }
    }

    private void send(ClientSession to, Term answer) {
        if (!mailbox.trySend(to.pid, answer)) {
            stalled.put(to.id, new Stalled(to, answer));
        }
    }

    private void wait(Stalled client, FromClient.Read read) {
        if (client.behind.size() < MAX_OPEN) {
            client.behind.add(read);
            return;
        }
        stalled.remove(client.client.id);
        LOG.log(
                Logger.Level.WARNING,
                "client reads no answers and is disconnected: " + client.client + " open=" + MAX_OPEN);
        disconnect.accept(NodeName.parse(client.client.pid.node().name()));
    }

    /** Answers from the file; parks the question and returns null where there are no such bytes yet. */
    private @Nullable Term answer(FromClient.Read read, ClientSession session) {
        JobLog log = logs.find(read.job());
        if (log != null) {
            log.watch(); // before the file is looked at
        }
        try {
            byte[] bytes = bytes(read);
            if (bytes.length > 0) {
                return chunk(read, bytes).toTerm();
            }
        } catch (IOException | UncheckedIOException e) {
            return failed(read, BuildCode.STORAGE, "log cannot be read: " + e).toTerm();
        }
        if (session.parkedReads >= MAX_OPEN) {
            return failed(read, BuildCode.REFUSED, "too many logs are waited for: most=" + MAX_OPEN)
                    .toTerm();
        }
        session.parkedReads++;
        park(read);
        return null;
    }

    private byte[] bytes(FromClient.Read read) throws IOException {
        long there = logs.size(read.job()) - read.offset();
        ByteBuffer into = ByteBuffer.allocate((int) Math.max(0, Math.min(read.most(), there)));
        int got = logs.read(read.job(), read.offset(), into);
        return got == into.capacity() ? into.array() : Arrays.copyOf(into.array(), got);
    }

    private static ToClient chunk(FromClient.Read read, byte[] bytes) {
        return new ToClient.Chunk(read.ask(), read.offset(), Binary.wrap(bytes, 0, bytes.length), false);
    }

    private static ToClient failed(FromClient.Read read, BuildCode code, String reason) {
        return new ToClient.Failed(read.ask(), code.number(), reason);
    }

    /** Answers those who wait for more of a log that is complete: with the rest, or with its end. */
    private void ended(long job, long length) {
        for (FromClient.Read read : unpark(job)) {
            ClientSession session = sessions.client(read.session());
            if (session == null) {
                continue;
            }
            Stalled before = stalled.get(session.id);
            if (before != null) {
                wait(before, read);
            } else {
                send(session, last(read, length).toTerm());
            }
        }
    }

    private ToClient last(FromClient.Read read, long length) {
        if (length < 0) {
            return failed(read, BuildCode.UNKNOWN_JOB, "no such job, or no more: number=" + read.job());
        }
        if (read.offset() >= length) {
            return new ToClient.Chunk(read.ask(), read.offset(), Binary.EMPTY, true);
        }
        try {
            byte[] bytes = bytes(read);
            if (bytes.length > 0) {
                return chunk(read, bytes);
            }
            String reason = "log is shorter than it was: offset=" + read.offset() + " length=" + length;
            return failed(read, BuildCode.STORAGE, reason);
        } catch (IOException | UncheckedIOException e) {
            return failed(read, BuildCode.STORAGE, "log cannot be read: " + e);
        }
    }

    /** Sends to stalled clients until their connections have no room again. */
    private void flush() {
        stalled.values().removeIf(this::flush);
    }

    /** Returns whether nothing is left to send. */
    private boolean flush(Stalled to) {
        while (sessions.client(to.client.id) != null && mailbox.trySend(to.client.pid, to.answer)) {
            Term next = null;
            while (next == null && !to.behind.isEmpty()) {
                next = answer(to.behind.remove(), to.client);
            }
            if (next == null) {
                return true;
            }
            to.answer = next;
        }
        return sessions.client(to.client.id) == null;
    }
}

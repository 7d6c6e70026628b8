package dev.touchstone.builds.master;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.wire.FromClient;
import dev.touchstone.builds.wire.ToClient;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.jspecify.annotations.Nullable;

/**
 * The thread that answers who asks for logs, each from the file and at an offset of its own. One who asks and does not read costs the question; one
 * who asks for what is not there yet is answered when it is.
 */
final class ViewService {
    private static final int MAX_MESSAGES = 64;
    private static final int MAX_PARKED = 256; // of one client; as many again while it takes no answers
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration SHORT_PATIENCE = Duration.ofMillis(5);
    private static final Atom WAKE = Atom.of("wake");

    private final Mailbox mailbox;
    private final LogStore logs;
    private final Sessions sessions;
    private final Executor dispatcher;
    private final Ends ends;
    private final Map<Long, List<FromClient.Read>> parked = new HashMap<>();
    private final Set<Long> awaited = ConcurrentHashMap.newKeySet(); // the keys of `parked`
    /** The answer that a client's connection has no room for, and what the client has asked behind it. */
    private final Map<Long, Stalled> stalled = new HashMap<>();

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Thread thread = new Thread(this::run, "builds-views");

    /** Whether a log grows no more; asked on the dispatcher's thread. */
    interface Ends {
        /** How long the log will ever be; -1 where that is not known yet, -2 where there is no such job. */
        long length(long job);
    }

    private record Stalled(ClientSession to, Term message, ArrayDeque<FromClient.Read> behind) {}

    ViewService(Mailbox mailbox, LogStore logs, Sessions sessions, Executor dispatcher, Ends ends) {
        this.mailbox = mailbox;
        this.logs = logs;
        this.sessions = sessions;
        this.dispatcher = dispatcher;
        this.ends = ends;
        thread.setDaemon(true);
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
        return reads == null ? List.of() : reads;
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

    private void run() {
        try {
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
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (MessagingException.Closed e) {
            // the end
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

    /** Answers from the file; where there is nothing, from what the dispatcher knows of the job. */
    private void read(FromClient.Read read) {
        ClientSession session = sessions.client(read.session());
        if (session == null) {
            return;
        }
        Stalled before = stalled.get(session.id);
        if (before != null) {
            if (before.behind().size() < MAX_PARKED) {
                before.behind().add(read);
            }
            return;
        }
        JobLog log = logs.find(read.job());
        if (log != null) {
            log.watch(); // before the file is looked at
        }
        byte[] bytes = bytes(read, session);
        if (bytes == null) {
            return;
        }
        if (bytes.length > 0) {
            answer(session, new ToClient.Chunk(read.ask(), read.offset(), Binary.wrap(bytes, 0, bytes.length), false));
        } else if (parkedBy(read.session()) >= MAX_PARKED) {
            answer(session, failed(read, BuildCode.REFUSED, "too many logs are waited for: most=" + MAX_PARKED));
        } else {
            park(read);
        }
    }

    private long parkedBy(long session) {
        long count = 0;
        for (List<FromClient.Read> reads : parked.values()) {
            count += reads.stream().filter(read -> read.session() == session).count();
        }
        return count;
    }

    private byte @Nullable [] bytes(FromClient.Read read, ClientSession session) {
        try {
            long there = logs.size(read.job()) - read.offset();
            ByteBuffer into = ByteBuffer.allocate((int) Math.max(0, Math.min(read.most(), there)));
            int got = logs.read(read.job(), read.offset(), into);
            return got == into.capacity() ? into.array() : Arrays.copyOf(into.array(), got);
        } catch (IOException | UncheckedIOException e) {
            answer(session, failed(read, BuildCode.STORAGE, "log cannot be read: " + e));
            return null;
        }
    }

    private static ToClient failed(FromClient.Read read, BuildCode code, String reason) {
        return new ToClient.Failed(read.ask(), code.number(), reason);
    }

    /** The log of a job is known to be complete: who waits for more gets the rest, or is told that there is none. */
    private void ended(long job, long length) {
        for (FromClient.Read read : unpark(job)) {
            ClientSession session = sessions.client(read.session());
            if (session == null) {
                continue;
            }
            if (length < 0) {
                answer(session, failed(read, BuildCode.UNKNOWN_JOB, "no such job, or no more: number=" + job));
            } else if (read.offset() >= length) {
                answer(session, new ToClient.Chunk(read.ask(), read.offset(), Binary.EMPTY, true));
            } else {
                readRest(read, session, length);
            }
        }
    }

    private void readRest(FromClient.Read read, ClientSession session, long length) {
        byte[] bytes = bytes(read, session);
        if (bytes != null && bytes.length > 0) {
            answer(session, new ToClient.Chunk(read.ask(), read.offset(), Binary.wrap(bytes, 0, bytes.length), false));
        } else if (bytes != null) {
            String reason = "log is shorter than it was: offset=" + read.offset() + " length=" + length;
            answer(session, failed(read, BuildCode.STORAGE, reason));
        }
    }

    private void answer(ClientSession session, ToClient message) {
        Term term = message.toTerm();
        if (stalled.containsKey(session.id) || !mailbox.trySend(session.pid, term)) {
            stalled.putIfAbsent(session.id, new Stalled(session, term, new ArrayDeque<>()));
        }
    }

    /** Tries again what had no room. */
    private void flush() {
        List<FromClient.Read> again = new ArrayList<>();
        stalled.values().removeIf(answer -> {
            boolean gone = sessions.client(answer.to().id) == null;
            boolean sent = !gone && mailbox.trySend(answer.to().pid, answer.message());
            if (sent) {
                again.addAll(answer.behind());
            }
            return gone || sent;
        });
        again.forEach(this::read);
    }
}

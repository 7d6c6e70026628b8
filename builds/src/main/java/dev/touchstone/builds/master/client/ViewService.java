package dev.touchstone.builds.master.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.access.Shares;
import dev.touchstone.builds.master.log.JobLog;
import dev.touchstone.builds.master.log.LogStore;
import dev.touchstone.builds.master.rpc.Inbox;
import dev.touchstone.builds.master.rpc.Reception;
import dev.touchstone.builds.master.rpc.Sessions;
import dev.touchstone.builds.master.rpc.Supervisor;
import dev.touchstone.builds.wire.Checks;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.builds.wire.v1.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The thread that answers questions for logs, each from the file and at an offset of its own. A question whose answer the stream has no room for
 * waits, and is answered from the file when there is room; a question for bytes that do not exist yet waits for them. None is dropped.
 */
public final class ViewService implements AutoCloseable {
    /*
     * Who calls:  threads of the transport `of` and the inbox; any thread `changed`; the dispatcher looks jobs up; all else, with `parked`, `stalled`
     *             and all of a viewer, is the own thread's.
     * Invariants: `awaited` has the keys of `parked`; `parkedReads` counts its questions, in all and of each viewer.
     * Ordering:   a question is parked before the log is watched and looked at again, or the dispatcher asked for its end: bytes that come in between
     *             wake it.
     * Failure:    a log that cannot be read is told to whoever has asked.
     */
    private static final int MAX_MESSAGES = 64;
    /** Most parked questions of one client. */
    private static final int MAX_OPEN = 16 << 10;
    /** Most parked questions in all, of about 100 bytes each. */
    private static final int MAX_PARKED = 128 << 10;

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Inbox inbox = new Inbox(MAX_MESSAGES);
    private final LogStore logs;
    private final Sessions<ClientSession> sessions;
    private final Executor dispatcher;
    private final Ends ends;
    private final Map<Long, List<Question>> parked = new HashMap<>();
    private final Shares parkedReads = new Shares(MAX_PARKED, MAX_PARKED / 4); // in all of `parked`
    private final Set<Long> awaited = ConcurrentHashMap.newKeySet(); // the keys of `parked`
    private final Set<Viewer> stalled = new HashSet<>();
    private final Thread thread;

    /** Knows whether a log grows on. Asked on the dispatcher's thread. */
    public interface Ends {
        /** Returns how long the log will ever be; -1 where that is not known yet, -2 where there is no such job that the reader may see. */
        long length(long job, Caller reader);
    }

    private record Question(Viewer viewer, Wire.ReadLog read) {}

    /** Takes a client's questions for logs. */
    private final class Viewer implements Reception.Service<Wire.ReadLog, Wire.LogAnswer> {
        final ArrayDeque<Wire.ReadLog> behind = new ArrayDeque<>(); // the answer
        final Set<Long> waitsFor = new HashSet<>(); // jobs of its parked questions
        final Set<Long> visible = new HashSet<>(); // jobs that the caller was found to be allowed to see
        final Caller caller;
        int parkedReads;
        int lookUps;
        boolean isGone;
        Wire.@Nullable LogAnswer answer; // that the stream has no room for
        private @Nullable Outlet<Wire.LogAnswer> outlet;

        Viewer(Caller caller) {
            this.caller = caller;
        }

        @Override
        public void take(Wire.ReadLog read, Outlet<Wire.LogAnswer> from) {
            Checks.natural("offset", read.getOffset());
            Checks.range("most bytes", read.getMost(), 1, Rpc.MAX_READ);
            outlet = from;
            if (caller.maySeeAll() || visible.contains(read.getJob())) {
                again(read);
            } else {
                lookUp(read);
            }
        }

        /** Answers once the dispatcher has said whether there is a job that the caller may see. */
        private void lookUp(Wire.ReadLog read) {
            if (lookUps >= MAX_OPEN) {
                throw new WireException("questions for jobs that wait for the dispatcher: most=" + MAX_OPEN);
            }
            lookUps++;
            dispatcher.execute(() -> {
                long length = ends.length(read.getJob(), caller);
                inbox.execute(() -> lookedUp(read, length));
            });
        }

        private void lookedUp(Wire.ReadLog read, long length) {
            lookUps--;
            if (length < -1) {
                outlet().send(last(read, length)); // the stream brings questions only while it has room for answers
            } else if (!isGone) {
                if (visible.size() >= MAX_OPEN) {
                    visible.clear();
                }
                visible.add(read.getJob());
                again(read);
            }
        }

        /** Answers a question that was taken, now or behind those before. */
        void again(Wire.ReadLog read) {
            if (answer != null) {
                behind.add(read);
            } else {
                send(ViewService.this.answer(read, this));
            }
        }

        @Override
        public void left(Outlet<Wire.LogAnswer> gone) {
            isGone = true;
            stalled.remove(this);
            behind.clear();
            answer = null;
            waitsFor.forEach(job -> withdraw(job, this));
            waitsFor.clear();
        }

        private Outlet<Wire.LogAnswer> outlet() {
            if (outlet == null) {
                throw new IllegalStateException("has asked nothing");
            }
            return outlet;
        }

        void send(Wire.@Nullable LogAnswer next) {
            if (next != null && !outlet().trySend(next)) {
                answer = next;
                stalled.add(this);
            }
        }

        /** Sends until the stream has no room again; returns whether nothing is left to send. */
        boolean flush() {
            while (answer != null) {
                if (!outlet().trySend(answer)) {
                    return false;
                }
                answer = null;
                while (answer == null && !behind.isEmpty()) {
                    answer = ViewService.this.answer(behind.remove(), this);
                }
            }
            return true;
        }
    }

    /** Returns the number of parked questions. */
    int parkedReads() {
        return parkedReads.taken();
    }

    /** Makes a service that {@link #start} lets begin. */
    public ViewService(
            LogStore logs, Sessions<ClientSession> sessions, Executor dispatcher, Ends ends, Supervisor supervisor) {
        this.logs = logs;
        this.sessions = sessions;
        this.dispatcher = dispatcher;
        this.ends = ends;
        this.thread = supervisor.thread("builds-views", this::run);
    }

    public void start() {
        thread.start();
    }

    public Inbox inbox() {
        return inbox;
    }

    /** Returns what takes the questions of a session's client, or null if there is no such session, or it has its stream of logs. */
    public Reception.@Nullable Service<Wire.ReadLog, Wire.LogAnswer> of(Caller caller, long session) {
        ClientSession client = sessions.get(session);
        boolean isFree = client != null && client.openLogs(caller);
        return isFree ? viewer(caller) : null;
    }

    Reception.Service<Wire.ReadLog, Wire.LogAnswer> viewer(Caller caller) {
        return new Viewer(caller);
    }

    /** Says that a log has grown, or may grow now, or has ended, or is no more. Any thread's; cheap where nobody waits for it. */
    public void changed(long job) {
        if (!awaited.isEmpty() && awaited.contains(job)) {
            inbox.execute(() -> unpark(job).forEach(this::ask));
        }
    }

    private void ask(Question question) {
        if (!question.viewer.isGone) {
            question.viewer.again(question.read);
        }
    }

    private List<Question> unpark(long job) {
        awaited.remove(job);
        List<Question> questions = parked.remove(job);
        if (questions == null) {
            return List.of();
        }
        questions.forEach(question -> {
            parkedReads.giveBack(question.viewer.caller, 1);
            question.viewer.parkedReads--;
            question.viewer.waitsFor.remove(job);
        });
        return questions;
    }

    /** Removes the parked questions of a viewer that has gone. */
    private void withdraw(long job, Viewer gone) {
        List<Question> questions = parked.get(job);
        if (questions == null) {
            return;
        }
        int before = questions.size();
        questions.removeIf(question -> question.viewer.equals(gone));
        parkedReads.giveBack(gone.caller, before - questions.size());
        if (questions.isEmpty()) {
            parked.remove(job);
            awaited.remove(job);
        }
    }

    private void park(Question question) {
        long job = question.read.getJob();
        question.viewer.waitsFor.add(job);
        question.viewer.parkedReads++;
        parked.computeIfAbsent(job, unused -> new ArrayList<>()).add(question);
        awaited.add(job);
        JobLog log = logs.find(job);
        if (log != null) { // its end is told behind its lease's, and what was appended meanwhile is seen here
            log.watch();
            if (log.total() > question.read.getOffset()) {
                inbox.execute(() -> unpark(job).forEach(this::ask));
            }
            return;
        }
        dispatcher.execute(() -> {
            long length = ends.length(job, question.viewer.caller);
            if (length != -1) {
                inbox.execute(() -> ended(job, length));
            }
        });
    }

    private void run() throws InterruptedException {
        while (inbox.turn(PATIENCE)) {
            stalled.removeIf(Viewer::flush);
        }
    }

    /** Answers from the file; parks the question and returns null where there are no such bytes yet. */
    private Wire.@Nullable LogAnswer answer(Wire.ReadLog read, Viewer viewer) {
        JobLog log = logs.find(read.getJob());
        if (log != null) {
            log.watch(); // before the file is looked at
        }
        try {
            ByteString bytes = bytes(read);
            if (!bytes.isEmpty()) {
                return chunk(read, bytes, false);
            }
        } catch (IOException | UncheckedIOException e) {
            return failed(read, BuildCode.STORAGE, "log cannot be read: " + e);
        }
        if (viewer.parkedReads >= MAX_OPEN) {
            return failed(read, BuildCode.REFUSED, "too many logs are waited for: most of a client=" + MAX_OPEN);
        }
        if (!parkedReads.take(viewer.caller)) {
            String reason = "too many logs are waited for: " + parkedReads.describe(viewer.caller);
            return failed(read, BuildCode.REFUSED, reason);
        }
        park(new Question(viewer, read));
        return null;
    }

    private ByteString bytes(Wire.ReadLog read) throws IOException {
        long there = logs.size(read.getJob()) - read.getOffset();
        ByteBuffer into = ByteBuffer.allocate((int) Math.max(0, Math.min(read.getMost(), there)));
        int got = logs.read(read.getJob(), read.getOffset(), into);
        return UnsafeByteOperations.unsafeWrap(into.array(), 0, Math.max(0, got)); // nobody else has the array
    }

    private Wire.LogAnswer chunk(Wire.ReadLog read, ByteString bytes, boolean last) {
        return Wire.LogAnswer.newBuilder()
                .setChunk(Wire.Chunk.newBuilder()
                        .setAsk(read.getAsk())
                        .setOffset(read.getOffset())
                        .setBytes(bytes)
                        .setLast(last)
                        .setTotal(logs.size(read.getJob())))
                .build();
    }

    private static Wire.LogAnswer failed(Wire.ReadLog read, BuildCode code, String reason) {
        return Wire.LogAnswer.newBuilder()
                .setFailed(Wire.Failed.newBuilder()
                        .setAsk(read.getAsk())
                        .setCode(code.number())
                        .setReason(reason))
                .build();
    }

    /** Answers those who wait for more of a log that is complete: with the rest, or with its end. */
    private void ended(long job, long length) {
        for (Question question : unpark(job)) {
            Viewer viewer = question.viewer;
            if (viewer.isGone) {
                continue;
            }
            if (viewer.answer != null) {
                viewer.again(question.read);
            } else {
                viewer.send(last(question.read, length));
            }
        }
    }

    private Wire.LogAnswer last(Wire.ReadLog read, long length) {
        if (length < 0) {
            return failed(
                    read, BuildCode.UNKNOWN_JOB, "no such job for this token, or no more: number=" + read.getJob());
        }
        if (read.getOffset() >= length) {
            return chunk(read, ByteString.EMPTY, true);
        }
        try {
            ByteString bytes = bytes(read);
            if (!bytes.isEmpty()) {
                return chunk(read, bytes, false);
            }
            String reason = "log is shorter than it was: offset=" + read.getOffset() + " length=" + length;
            return failed(read, BuildCode.STORAGE, reason);
        } catch (IOException | UncheckedIOException e) {
            return failed(read, BuildCode.STORAGE, "log cannot be read: " + e);
        }
    }

    /** Ends the thread, behind its present turn. */
    @Override
    public void close() {
        inbox.close();
        Supervisor.join(thread);
    }
}

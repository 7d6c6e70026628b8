package dev.touchstone.builds.master.artefact;

import com.google.protobuf.UnsafeByteOperations;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.master.rpc.Inbox;
import dev.touchstone.builds.master.rpc.Reception;
import dev.touchstone.builds.master.rpc.Supervisor;
import dev.touchstone.builds.wire.Checks;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.builds.wire.v1.Wire;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The thread that appends what agents send of artefacts, and answers clients that read them. */
public final class ArtefactService implements AutoCloseable {
    /*
     * Who calls:  threads of the transport `agent`, `client` and the inbox; the dispatcher looks jobs up; `credits`, `stalled` and all of a reader
     *             are those of the thread that runs.
     * Ordering:   a client's questions are answered in their order: each is looked up by the dispatcher, whose answers come back by the inbox.
     */
    private static final int MAX_MESSAGES = 64;
    private static final int MAX_OPEN = 1024; // questions of a client
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Inbox inbox = new Inbox(MAX_MESSAGES);
    private final ArtefactStore store;
    private final Executor dispatcher;
    private final Jobs jobs;
    private final Runnable stale;
    private final Thread thread;
    private final Map<Outlet<Wire.ArtefactCredit>, Map<Long, Wire.ArtefactCredit>> credits = new HashMap<>();
    private final Set<Reader> stalled = new HashSet<>();

    /** Knows jobs. Asked on the dispatcher's thread. */
    public interface Jobs {
        /** Returns how many artefacts a job has; -1 if it has not ended, -2 if there is no such job that the reader may see. */
        int artefacts(long job, Caller reader);
    }

    /**
     * Creates a service that {@link #start} lets begin.
     *
     * @param stale told of each message of a lease that is over; not null
     */
    public ArtefactService(ArtefactStore store, Executor dispatcher, Jobs jobs, Runnable stale, Supervisor supervisor) {
        this.store = store;
        this.dispatcher = dispatcher;
        this.jobs = jobs;
        this.stale = stale;
        this.thread = supervisor.thread("builds-artefacts", this::run);
    }

    /** Starts the thread that works until the service is closed. */
    public void start() {
        thread.start();
    }

    /** Returns where streams put what they say. */
    public Inbox inbox() {
        return inbox;
    }

    /** Returns what takes the artefacts of an agent. */
    public Reception.Service<Wire.ArtefactPiece, Wire.ArtefactCredit> agent(String identity) {
        return new Pieces(identity);
    }

    /** Returns what takes the questions of a client. */
    public Reception.Service<Wire.ReadArtefact, Wire.LogAnswer> client(Caller caller) {
        return new Reader(caller);
    }

    private void run() throws InterruptedException {
        while (inbox.turn(PATIENCE)) {
            credits.entrySet().removeIf(entry -> flush(entry.getKey(), entry.getValue()));
            stalled.removeIf(Reader::flush);
        }
    }

    /** Returns whether nothing is left to send. */
    private static boolean flush(Outlet<Wire.ArtefactCredit> to, Map<Long, Wire.ArtefactCredit> credits) {
        credits.values().removeIf(to::trySend);
        return credits.isEmpty();
    }

    private final class Pieces implements Reception.Service<Wire.ArtefactPiece, Wire.ArtefactCredit> {
        private final String identity;

        Pieces(String identity) {
            this.identity = identity;
        }

        @Override
        public void take(Wire.ArtefactPiece piece, Outlet<Wire.ArtefactCredit> from) {
            Checks.natural("attempt", piece.getAttempt());
            Checks.natural("epoch", piece.getEpoch());
            Checks.natural("offset", piece.getOffset());
            if (piece.getBytes().size() > Rpc.MAX_PIECE) {
                throw new WireException("piece of artefacts: expected at most " + Rpc.MAX_PIECE + " bytes got="
                        + piece.getBytes().size());
            }
            long credit = store.append(
                    identity,
                    piece.getJob(),
                    piece.getAttempt(),
                    piece.getEpoch(),
                    piece.getOffset(),
                    piece.getBytes().asReadOnlyByteBuffer(),
                    Rpc.LOG_WINDOW);
            if (credit == Incoming.STALE) {
                stale.run();
            } else if (credit >= 0) {
                credits.computeIfAbsent(from, unused -> new LinkedHashMap<>())
                        .put(
                                piece.getJob(),
                                Wire.ArtefactCredit.newBuilder()
                                        .setJob(piece.getJob())
                                        .setEpoch(piece.getEpoch())
                                        .setOffset(credit)
                                        .build());
            }
        }

        @Override
        public void left(Outlet<Wire.ArtefactCredit> gone) {
            credits.remove(gone);
        }
    }

    /** Answers a client's questions, in their order, as its stream has room. */
    private final class Reader implements Reception.Service<Wire.ReadArtefact, Wire.LogAnswer> {
        private final Caller caller;
        private final ArrayDeque<Question> open = new ArrayDeque<>();
        private int lookUps;
        private @Nullable Outlet<Wire.LogAnswer> outlet;

        private record Question(Wire.ReadArtefact read, int artefacts) {}

        Reader(Caller caller) {
            this.caller = caller;
        }

        @Override
        public void take(Wire.ReadArtefact read, Outlet<Wire.LogAnswer> from) {
            Checks.natural("file", read.getFile());
            Checks.natural("offset", read.getOffset());
            Checks.range("most bytes", read.getMost(), 1, Rpc.MAX_READ);
            if (lookUps + open.size() >= MAX_OPEN) {
                throw new WireException("questions for artefacts that wait: most=" + MAX_OPEN);
            }
            outlet = from;
            lookUps++;
            dispatcher.execute(() -> {
                int artefacts = jobs.artefacts(read.getJob(), caller);
                inbox.execute(() -> {
                    lookUps--;
                    open.add(new Question(read, artefacts));
                    stalled.add(this);
                });
            });
        }

        @Override
        public void left(Outlet<Wire.LogAnswer> gone) {
            open.clear();
        }

        /** Answers until the stream has no room; returns whether nothing is left to answer. */
        boolean flush() {
            Outlet<Wire.LogAnswer> to = outlet;
            while (to != null && !open.isEmpty() && (to.hasRoom() || to.isOver())) {
                Question next = open.remove();
                to.send(answer(next.read(), next.artefacts()));
            }
            return open.isEmpty();
        }
    }

    private Wire.LogAnswer answer(Wire.ReadArtefact read, int artefacts) {
        if (artefacts == -2) {
            return failed(
                    read, BuildCode.UNKNOWN_JOB, "no such job for this token, or no more: number=" + read.getJob());
        }
        if (artefacts == -1) {
            return failed(read, BuildCode.UNKNOWN_JOB, "job has not ended: number=" + read.getJob());
        }
        if (artefacts == 0) {
            return failed(read, BuildCode.UNKNOWN_JOB, "job has no artefacts: number=" + read.getJob());
        }
        try {
            ArtefactStore.Piece piece = store.read(read.getJob(), read.getFile(), read.getOffset(), read.getMost());
            return Wire.LogAnswer.newBuilder()
                    .setChunk(Wire.Chunk.newBuilder()
                            .setAsk(read.getAsk())
                            .setOffset(read.getOffset())
                            .setBytes(UnsafeByteOperations.unsafeWrap(piece.bytes())) // nobody else has the array
                            .setLast(piece.isLast()))
                    .build();
        } catch (NoSuchFileException e) {
            return failed(
                    read, BuildCode.UNKNOWN_JOB, "artefacts of the job are not kept any more: number=" + read.getJob());
        } catch (IOException e) {
            return failed(read, BuildCode.STORAGE, "artefacts cannot be read: " + e);
        }
    }

    private static Wire.LogAnswer failed(Wire.ReadArtefact read, BuildCode code, String reason) {
        return Wire.LogAnswer.newBuilder()
                .setFailed(Wire.Failed.newBuilder()
                        .setAsk(read.getAsk())
                        .setCode(code.number())
                        .setReason(reason))
                .build();
    }

    /** Makes the thread end, behind its present turn. */
    @Override
    public void close() {
        inbox.close();
        Supervisor.join(thread);
    }
}

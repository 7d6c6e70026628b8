package dev.touchstone.index.hazelcast;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.hazelcast.cluster.Cluster;
import dev.touchstone.index.hazelcast.ReplicaStatus.State;
import dev.touchstone.index.price.PriceIndex;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a replica to the requests of other members. Thread-safe.
 *
 * <p><b>Who calls.</b> Threads of Hazelcast's executor, on behalf of any member of the cluster.
 *
 * <p><b>Invariants.</b> A member has one snapshot open here at most. A snapshot and its position are taken under {@code applying}, which the thread
 * that applies entries holds meanwhile: the prices are those of the position. Promises and confirmations are given under it, too: a replica that has promised a
 * term confirms no entry in an earlier one, so that of two sides of a cluster one at most can go on.
 */
final class ReplicaRequests {
    private static final Logger LOG = System.getLogger(ReplicaRequests.class.getName());

    /** Maximum length of one part of a snapshot, in bytes. */
    static final int PART_BYTES = 1 << 20;

    /** Kinds of requests by their codes. */
    static final List<Kind> KINDS = List.of(Kind.values());

    /** Time after which the question whether an entry was applied is answered with no, so that it can be asked again within {@link LogWriter#TRY_MILLIS}. */
    private static final long CONFIRM_MILLIS = 1000;

    private static final long POLL_MILLIS = 2;
    private static final UUID NO_EPOCH = new UUID(0, 0);
    private static final List<State> STATES = List.of(State.values());

    private final Replica replica;
    private final ReplicaProgress progress;
    private final Lock applying;
    private final Cluster cluster;

    @GuardedBy("this")
    private final Map<UUID, SnapshotFile> open = new HashMap<>(); // by the member that loads it

    @GuardedBy("this")
    private boolean isClosed;

    /** The kinds of requests, by their codes. */
    enum Kind {
        /** Asks for the state, whether the prices are some of the cluster's, and the version. */
        STATUS,
        /** Has a joining replica lead an epoch: epoch, sequence and id of the entry with which it begins, and the lineage of the prices. */
        LEAD,
        /** Opens a snapshot for a member. */
        OPEN,
        /** Reads a part of the snapshot that is open for a member, from an offset. */
        READ,
        /** Closes the snapshot that is open for a member. */
        CLOSE,
        /** Has a live replica join anew if its term and version are lower than those given. */
        OVERTAKE,
        /** Asks for the promise of a term: see {@link Term}. Answered with whether it is given. */
        PROMISE,
        /** Asks whether the replica has applied an entry in a term: see {@link Applied}. Answered when it has, or with false after a short time. */
        CONFIRM
    }

    /**
     * The state of a replica, as another member learns it.
     *
     * @param hasHistory whether the prices are some of the cluster's: the replica was live before, or was recovered
     * @param fields hash of the index's fields
     * @param promised highest term that the replica has promised; -1 if there is none
     * @param lineage cluster and term of the prices; null if they are of none
     */
    record Status(
            State state,
            boolean hasHistory,
            long version,
            long sequence,
            int fields,
            long promised,
            Replica.@Nullable Lineage lineage) {
        private void write(DataOutput out) throws IOException {
            out.writeByte(STATES.indexOf(state));
            out.writeBoolean(hasHistory);
            out.writeLong(version);
            out.writeLong(sequence);
            out.writeInt(fields);
            out.writeLong(promised);
            out.writeBoolean(lineage != null);
            if (lineage != null) {
                writeLineage(lineage, out);
            }
        }

        /** Returns the cluster whose prices these are; null if they are of none. */
        @Nullable
        UUID cluster() {
            return lineage == null ? null : lineage.cluster();
        }

        /** Returns the term of the prices; -1 if they are of no cluster. */
        long term() {
            return lineage == null ? -1 : lineage.term();
        }

        /** Returns whether these prices are earlier ones than those of a term and version. */
        boolean isBefore(long otherTerm, long otherVersion) {
            return term() < otherTerm || (term() == otherTerm && version < otherVersion);
        }

        static Status read(DataInputStream in) throws IOException {
            int state = in.readUnsignedByte();
            if (state >= STATES.size()) {
                throw new IOException("unknown state of a replica: state=" + state);
            }
            return new Status(
                    STATES.get(state),
                    in.readBoolean(),
                    in.readLong(),
                    in.readLong(),
                    in.readInt(),
                    in.readLong(),
                    in.readBoolean() ? readLineage(in) : null);
        }
    }

    /**
     * A term that a member wants to begin.
     *
     * @param lineage cluster and number of the term
     * @param epoch epoch in whose log it begins; null if an epoch begins with it
     * @param beforeTerm term of the prices with which it begins
     * @param beforeVersion version of these prices
     * @param members hash of the members that the asking one sees
     */
    record Term(Replica.Lineage lineage, @Nullable UUID epoch, long beforeTerm, long beforeVersion, int members) {
        void write(DataOutput out) throws IOException {
            writeLineage(lineage, out);
            writeUuid(epoch == null ? NO_EPOCH : epoch, out);
            out.writeLong(beforeTerm);
            out.writeLong(beforeVersion);
            out.writeInt(members);
        }

        private static Term read(DataInputStream in) throws IOException {
            Replica.Lineage lineage = readLineage(in);
            UUID epoch = readUuid(in);
            return new Term(lineage, epoch.equals(NO_EPOCH) ? null : epoch, in.readLong(), in.readLong(), in.readInt());
        }
    }

    /**
     * An entry that replicas have applied.
     *
     * @param lineage cluster of the replicas, and the term in which all of them are
     * @param epoch epoch of the entry
     * @param id id of the entry
     * @param members hash of the members that the writer sees
     */
    record Applied(Replica.Lineage lineage, UUID epoch, UUID id, int members) {
        void write(DataOutput out) throws IOException {
            writeLineage(lineage, out);
            writeUuid(epoch, out);
            writeUuid(id, out);
            out.writeInt(members);
        }

        private static Applied read(DataInputStream in) throws IOException {
            return new Applied(readLineage(in), readUuid(in), readUuid(in), in.readInt());
        }
    }

    /** A part of a request or an answer. */
    @FunctionalInterface
    interface Part {
        void write(DataOutput out) throws IOException;
    }

    ReplicaRequests(Replica replica, ReplicaProgress progress, Lock applying, Cluster cluster) {
        this.replica = replica;
        this.progress = progress;
        this.applying = applying;
        this.cluster = cluster;
    }

    static byte[] bytes(Part part) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        part.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    static void writeUuid(UUID id, DataOutput out) throws IOException {
        out.writeLong(id.getMostSignificantBits());
        out.writeLong(id.getLeastSignificantBits());
    }

    static UUID readUuid(DataInputStream in) throws IOException {
        return new UUID(in.readLong(), in.readLong());
    }

    static void writeLineage(Replica.Lineage lineage, DataOutput out) throws IOException {
        writeUuid(lineage.cluster(), out);
        out.writeLong(lineage.term());
    }

    static Replica.Lineage readLineage(DataInputStream in) throws IOException {
        return new Replica.Lineage(readUuid(in), in.readLong());
    }

    static void writePosition(LogPosition position, DataOutput out) throws IOException {
        writeUuid(position.epoch(), out);
        out.writeLong(position.sequence());
        writeUuid(position.entry(), out);
    }

    static LogPosition readPosition(DataInputStream in) throws IOException {
        return new LogPosition(readUuid(in), in.readLong(), readUuid(in));
    }

    /**
     * Returns the answer to a request.
     *
     * @throws IOException if the request is unknown or cannot be met now
     */
    byte[] answer(int request, byte[] arguments) throws IOException {
        if (request >= KINDS.size()) {
            throw new IOException("unknown request: request=" + request + "; a member may have a later release");
        }
        return answer(KINDS.get(request), arguments);
    }

    /**
     * Returns the answer to a request.
     *
     * @throws IOException if it cannot be met now
     */
    byte[] answer(Kind request, byte[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(arguments));
        return switch (request) {
            case STATUS -> bytes(status()::write);
            case LEAD -> {
                boolean leads = lead(readPosition(in), readLineage(in));
                yield answer(leads);
            }
            case PROMISE -> answer(promise(Term.read(in)));
            case CONFIRM -> answer(confirm(Applied.read(in)));
            case OPEN -> open(readUuid(in));
            case READ -> read(readUuid(in), in.readLong());
            case CLOSE -> {
                close(readUuid(in));
                yield new byte[0];
            }
            case OVERTAKE -> {
                overtake(in.readLong(), in.readLong());
                yield new byte[0];
            }
        };
    }

    private static byte[] answer(boolean isYes) {
        return new byte[] {(byte) (isYes ? 1 : 0)};
    }

    /** Returns whether an answer is yes. */
    static boolean isYes(@Nullable Object answer) {
        return answer instanceof byte[] bytes && bytes.length == 1 && bytes[0] == 1;
    }

    private boolean lead(LogPosition begin, Replica.Lineage lineage) throws IOException {
        applying.lock();
        try {
            if (progress.state() != State.JOINING || replica.promised() > lineage.term()) {
                return false;
            }
            replica.belongTo(lineage);
            return progress.lead(begin);
        } catch (IOException | RuntimeException e) {
            throw failed(e);
        } finally {
            applying.unlock();
        }
    }

    /** Promises a term, if no other one is promised that is as high, and its prices have all that these have. */
    private boolean promise(Term term) throws IOException {
        applying.lock();
        try {
            LogPosition live = progress.livePosition();
            Status own = status();
            boolean isForeign = own.cluster() != null
                    && (!own.cluster().equals(term.lineage().cluster())
                            || !own.isBefore(term.beforeTerm(), term.beforeVersion() + 1));
            if (isForeign
                    || own.state() != (term.epoch() == null ? State.JOINING : State.LIVE)
                    || !Objects.equals(live == null ? null : live.epoch(), term.epoch())
                    || term.lineage().term() <= Math.max(own.term(), own.promised())
                    || !sees(term.members())) {
                return false;
            }
            keep(term.lineage().term());
            return true;
        } finally {
            applying.unlock();
        }
    }

    private void keep(long promise) throws IOException {
        try {
            replica.promise(promise);
        } catch (IOException | RuntimeException e) {
            throw failed(e);
        }
    }

    private boolean sees(int members) {
        return ReplicaPeers.ids(cluster).hashCode() == members;
    }

    /** Fails the replica, which cannot keep what it has to. */
    private IOException failed(Exception reason) {
        progress.fail(reason.toString());
        LOG.log(Logger.Level.ERROR, "replica has failed, and applies no more changes", reason);
        return new IOException("replica has failed: " + reason, reason);
    }

    /** Waits until an entry is applied. Returns false at once if this replica is not where the writer is, and else after a short time. */
    private boolean confirm(Applied entry) {
        long begin = System.nanoTime();
        try {
            while (true) {
                long left = CONFIRM_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
                if (left <= 0 || !applying.tryLock(left, TimeUnit.MILLISECONDS)) {
                    return false;
                }
                try {
                    if (!isWith(entry)) {
                        return false;
                    }
                    if (progress.isRecent(entry.id())
                            && status().term() == entry.lineage().term()) {
                        return true;
                    }
                } finally {
                    applying.unlock();
                }
                progress.pause(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns whether this replica is live in the same epoch as the writer, sees the same members, and has no later term, and has promised none. */
    private boolean isWith(Applied entry) {
        LogPosition live = progress.livePosition();
        Replica.Lineage own = replica.lineage();
        return live != null
                && own != null
                && live.epoch().equals(entry.epoch())
                && own.cluster().equals(entry.lineage().cluster())
                && Math.max(own.term(), replica.promised()) <= entry.lineage().term()
                && sees(entry.members());
    }

    private void overtake(long term, long version) {
        applying.lock();
        try {
            if (status().isBefore(term, version)) {
                progress.lose("another member has later prices: term=" + term + " version=" + version);
            }
        } finally {
            applying.unlock();
        }
    }

    Status status() {
        ReplicaStatus now = progress.status(replica.index().version());
        boolean hasHistory = progress.wasLive() || replica.isRecovered();
        int fields = replica.index().fields().toString().hashCode();
        return new Status(
                now.state(), hasHistory, now.version(), now.sequence(), fields, replica.promised(), replica.lineage());
    }

    private byte[] open(UUID member) throws IOException {
        close(member);
        PriceIndex copy;
        LogPosition position;
        Replica.Lineage lineage;
        RecentEntries recent;
        applying.lock();
        try {
            position = progress.livePosition();
            lineage = replica.lineage();
            copy = replica.index().copy();
            recent = progress.recent();
        } finally {
            applying.unlock();
        }
        if (position == null || lineage == null) { // a live replica has one
            throw new IOException("replica is not live, so it has no snapshot: state=" + progress.state());
        }
        SnapshotFile file = SnapshotFile.of(copy);
        try {
            keep(member, file);
            return bytes(out -> {
                out.writeLong(file.length());
                writePosition(position, out);
                writeLineage(lineage, out);
                recent.write(out);
            });
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private synchronized void keep(UUID member, SnapshotFile file) throws IOException {
        if (isClosed) {
            throw new IOException("replica is closed");
        }
        SnapshotFile before = open.put(member, file);
        if (before != null) { // the member has given up on it
            before.close();
        }
    }

    private byte[] read(UUID member, long offset) throws IOException {
        SnapshotFile file;
        synchronized (this) {
            file = open.get(member);
        }
        if (file == null) {
            throw new IOException("no snapshot is open: member=" + member);
        }
        return file.read(offset, PART_BYTES);
    }

    /** Closes the snapshot of a member, such as one that has left. */
    synchronized void close(UUID member) throws IOException {
        SnapshotFile file = open.remove(member);
        if (file != null) {
            file.close();
        }
    }

    /** Closes all snapshots, and opens none any more. */
    synchronized void close() throws IOException {
        isClosed = true;
        for (UUID member : List.copyOf(open.keySet())) {
            close(member);
        }
    }
}

package dev.touchstone.queue.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.replication.ReplicatedMachine;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Applies entries to the state of this member, and gives this member's callers their results. */
final class ReplicaMachine implements ReplicatedMachine, Closeable {
    /*
     * Who calls:      the engine applies, saves and loads by one thread at a time; callers read the state.
     * Lock:           this monitor for what ends: nothing is applied to a state that was closed.
     */
    private static final int MAX_SESSIONS = 10_000;
    private static final long MIN_SNAPSHOT_BYTES = 64 << 20;
    private static final long CHECK_BYTES = 16 << 20;

    private final LogOptions options;
    private final FileIo io;
    private final EntrySender sender;
    private final Runnable snapshot;
    private final ReplicaClock clock = new ReplicaClock();
    private final LinkedHashMap<Long, Long> numbers = new LinkedHashMap<>(); // the applying thread's
    private volatile ReplicaState state;
    private volatile boolean leads;
    private @Nullable Boolean namedCursorsOnly; // of the group, once it has an entry
    private long bytesSinceSnapshot;
    private long bytesUntilCheck = MIN_SNAPSHOT_BYTES;

    @GuardedBy("this")
    private boolean closed;

    /**
     * Opens an empty state, which the engine fills.
     *
     * @param snapshot has a snapshot made, without waiting for it
     */
    ReplicaMachine(LogOptions options, FileIo io, EntrySender sender, Runnable snapshot) throws IOException {
        this.options = options;
        this.io = io;
        this.sender = sender;
        this.snapshot = snapshot;
        this.state = ReplicaState.open(options, io, clock, 1);
    }

    /** Returns the state as it is now; another one takes its place when a snapshot is loaded. */
    ReplicaState state() {
        return state;
    }

    /** Returns the state when no snapshot is being loaded. */
    synchronized ReplicaState loadedState() {
        return state;
    }

    /** Returns whether this member leads, and has applied what earlier leaders have committed. */
    boolean leads() {
        return leads;
    }

    @Override
    public void apply(long index, ByteBuffer entry) throws IOException {
        String fault = Entry.fault(entry);
        if (fault != null) {
            throw new CorruptLogException(options.folder(), index, "entry", "one of this queue", fault);
        }
        int bytes = entry.remaining();
        ByteBuffer commands = entry.slice();
        Entry.Header header = Entry.Header.read(commands);
        boolean named = header.settings().namedCursorsOnly();
        agree(namedCursorsOnly == null ? named : namedCursorsOnly);
        clock.set(header.stamp());
        Long before = numbers.get(header.session());
        if (before == null ? header.number() == 1 : header.number() == before + 1) {
            note(header);
            if (named == options.namedCursorsOnly()) { // else the sender ends
                try {
                    apply(header, commands);
                } catch (IOException e) {
                    throw new IOException(
                            "this member cannot apply an entry: index=" + index + " folder=" + options.folder() + ": "
                                    + e.getMessage(),
                            e);
                }
            }
        } else if (before == null || header.number() > before) {
            sender.passed(header.session(), before != null);
        }
        snapshotWhenDue(bytes);
    }

    private void apply(Entry.Header header, ByteBuffer commands) throws IOException {
        ReplicaState to = state;
        to.use(header.settings());
        Entry own = sender.applied(header.session(), header.number());
        for (int i = 0; i < header.count(); i++) {
            Object result = to.apply(Entry.next(commands), header.session());
            if (own != null) {
                own.commands().get(i).applied(result);
            }
        }
        if (own != null) {
            sender.resolved(own);
        }
    }

    /** Ends this member if the group was begun by members that differ from it in what cannot be changed. */
    private void agree(boolean ofGroup) throws IOException {
        namedCursorsOnly = ofGroup;
        if (ofGroup != options.namedCursorsOnly()) {
            throw new IOException("settings differ from those of the group: namedCursorsOnly="
                    + options.namedCursorsOnly() + " here, and " + ofGroup + " at the members that began it");
        }
    }

    /** Notes the last number of a session, and forgets the session that was quiet for longest where there are too many. */
    private void note(Entry.Header header) {
        Long unused = numbers.remove(header.session());
        numbers.put(header.session(), header.number());
        if (numbers.size() > MAX_SESSIONS) {
            numbers.remove(numbers.keySet().iterator().next());
        }
    }

    /** Has a snapshot made once the entries since the last are longer than it will be, so that all snapshots together double what is written. */
    private void snapshotWhenDue(int bytes) {
        bytesSinceSnapshot += bytes;
        if (bytesSinceSnapshot >= bytesUntilCheck) {
            bytesUntilCheck = bytesSinceSnapshot + CHECK_BYTES;
            if (bytesSinceSnapshot >= state.log().counts().diskBytes()) {
                bytesSinceSnapshot = 0;
                bytesUntilCheck = MIN_SNAPSHOT_BYTES;
                snapshot.run();
            }
        }
    }

    @Override
    public boolean stamp(byte[] entry) {
        return Entry.stamp(entry, clock.stamp());
    }

    @Override
    public Snapshot save() throws IOException {
        return save(true);
    }

    @Override
    public Snapshot copy() throws IOException {
        return save(false);
    }

    private Snapshot save(boolean retained) throws IOException {
        ReplicaState of = state;
        StateImage image = of.image(retained);
        Map<Long, Long> sessions = new LinkedHashMap<>(numbers);
        long time = clock.nanos();
        return folder -> {
            try (SnapshotWriter writer = new SnapshotWriter(io, folder)) {
                writer.write(image, time, options.namedCursorsOnly(), sessions);
                writer.writeRecords(of.log(), image);
                io.forceFolder(folder);
            } finally {
                of.log().cursors().endHold();
            }
        };
    }

    @Override
    public void load(Path folder) throws IOException {
        synchronized (this) {
            if (closed) {
                throw new IOException("the queue was closed");
            }
            state.close();
            try (SnapshotReader reader = new SnapshotReader(io, folder)) {
                SnapshotReader.Loaded loaded = reader.read(options, io, clock);
                state = loaded.state();
                agree(loaded.namedCursorsOnly());
                numbers.clear();
                numbers.putAll(loaded.numbers());
            }
        }
        bytesSinceSnapshot = 0;
        bytesUntilCheck = MIN_SNAPSHOT_BYTES;
        sender.loaded(session -> numbers.getOrDefault(session, 0L));
    }

    @Override
    public void check(Path folder) throws IOException {
        try (SnapshotReader reader = new SnapshotReader(io, folder)) {
            reader.check();
        }
    }

    @Override
    public void leads(long term) {
        clock.lead();
        leads = true;
    }

    @Override
    public void follows() {
        leads = false;
    }

    @Override
    public void ended(@Nullable Throwable cause) {
        leads = false;
        if (cause != null) {
            sender.end(cause instanceof IOException failure ? failure : new IOException(cause.toString(), cause));
            state.log().fail(cause); // for those that wait at it
        }
    }

    /** Closes the state, whose counts can still be read; after the engine has ended. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        state.close();
    }
}

package dev.touchstone.queue.log.consume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogFailedException;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.commit.ConsumptionRecords;
import dev.touchstone.queue.log.consume.CheckpointFile.Checkpoint;
import dev.touchstone.queue.log.consume.CheckpointFile.Head;
import dev.touchstone.queue.log.consume.ConsumerState.Attempt;
import dev.touchstone.queue.log.consume.ConsumerState.Place;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the consumption of all cursors durable. Thread-safe.
 *
 * <p>Each entry goes to two places: to a slot of a {@link CheckpointFile}, so that it survives a killed process when the call returns,
 * and behind the records of the next batch that is appended, so that the force that appenders wait for brings it to the device.
 */
public final class ConsumptionJournal implements ConsumptionRecords, Closeable {
    /*
     * Who calls:      cursors, under their locks, add entries; the sealer of a batch takes the pending ones; maintenance forces.
     * Locks:          this guards files and states; pendingLock, taken inside it or alone and held for memory only, guards what no batch
     *                 has carried yet. A sealer never waits for a file.
     * Invariants:     states hold every entry that was added. Of the two files one is current; its checkpoint and slots, with the
     *                 entries that are deferred, are equal to states. A checkpoint is on the device before its first slot is written and
     *                 before the other file is changed again.
     * Ordering:       an entry is pending before its call returns, and a sealer takes pending entries after the last claim of its
     *                 batch: so an append that begins later carries it.
     * Failure:        an entry whose slot cannot be written is in neither place, and its cursor has not moved. A checkpoint that cannot be
     *                 forced ends the log. Anything else that is thrown in the middle of a change does so, too (ChangeGuard).
     */
    /** Cursors that a log may have. */
    public static final int MAX_CURSORS = 64;

    /** Id of the log's own cursor, so that its entries in the log are known without a checkpoint. */
    static final long OWN_ID = 1;

    private static final String[] NAMES = {"CURSOR-a", "CURSOR-b"};
    private static final int MAX_DEFERRED = 1024;
    private static final int MAX_ENTRIES_OF_STATES = 1 << 24; // 384 MiB of a checkpoint
    private static final int MIN_CHECKED_ENTRIES =
            MAX_ENTRIES_OF_STATES / MAX_CURSORS; // below, a cursor is not what fills it
    private static final int MIN_SLOTS = 1536; // 64 KiB
    private static final int MAX_SLOTS = 16 * MIN_SLOTS;

    private final FileIo io;
    private final Path folder;
    private final boolean deferring;
    private final CheckpointFile[] files;

    @GuardedBy("this")
    private final Map<Long, ConsumerState> states = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<Long, PendingConsumption> deferred = new LinkedHashMap<>();

    @GuardedBy("this")
    private final ByteBuffer slot =
            ByteBuffer.allocateDirect(CheckpointFile.SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    @GuardedBy("this")
    private int current;

    @GuardedBy("this")
    private long generation;

    @GuardedBy("this")
    private int firstSlot;

    @GuardedBy("this")
    private int nextSlot;

    @GuardedBy("this")
    private int slots = MIN_SLOTS;

    @GuardedBy("this")
    private int deferredEntries;

    @GuardedBy("this")
    private long checkpoint;

    @GuardedBy("this")
    private boolean writtenThrough;

    @GuardedBy("this")
    private final ChangeGuard changes;

    @GuardedBy("this")
    private @Nullable IOException failure;

    @GuardedBy("this")
    private Consumer<IOException> onFailure = ignored -> {};

    private final Object pendingLock = new Object();

    @GuardedBy("pendingLock")
    private final Map<Long, PendingConsumption> pending = new LinkedHashMap<>();

    private volatile boolean anyPending;
    private volatile boolean overflowed;

    private ConsumptionJournal(FileIo io, Path folder, CheckpointFile[] files, boolean deferring) {
        this.io = io;
        this.folder = folder;
        this.files = files;
        this.deferring = deferring;
        this.changes = new ChangeGuard("folder=" + folder, this::fail);
    }

    /**
     * Opens the files of a folder, made where absent.
     *
     * @param deferring whether entries may wait in memory: in a log whose appends do
     */
    public static ConsumptionJournal open(FileIo io, Path folder, boolean deferring) throws IOException {
        CheckpointFile[] files = new CheckpointFile[NAMES.length];
        try {
            for (int i = 0; i < NAMES.length; i++) {
                files[i] = CheckpointFile.open(io, folder.resolve(NAMES[i]));
            }
            return new ConsumptionJournal(io, folder, files, deferring);
        } catch (IOException | RuntimeException e) {
            for (CheckpointFile file : files) {
                if (file != null) {
                    file.close();
                }
            }
            throw e;
        }
    }

    /** Returns a new cursor's id. */
    static long newId() {
        return ThreadLocalRandom.current().nextLong(OWN_ID + 1, Long.MAX_VALUE);
    }

    /** Reads what the files say. */
    public FoundConsumption read() throws IOException {
        List<CorruptLogException> damages = new ArrayList<>();
        @Nullable Checkpoint[] read = {files[0].read(), files[1].read()};
        int newest = read[1] != null
                        && (read[0] == null
                                || read[1].head().generation() > read[0].head().generation())
                ? 1
                : 0;
        Checkpoint found = read[newest];
        if (found == null) {
            return none(damages);
        }
        Map<Long, ConsumerState> cursors = new LinkedHashMap<>();
        found.cursors().stream()
                .sorted(Comparator.comparing(ConsumerState::name))
                .forEach(cursor -> cursors.put(cursor.id(), cursor));
        FoundConsumption.Facts facts = new FoundConsumption.Facts(cursors);
        long number = found.head().generation();
        files[newest].readSlots(found, facts, damages);
        CheckpointFile other = files[1 - newest];
        boolean bothWritten = number > 1; // and forced, so neither was ever shorter again
        if (read[1 - newest] == null && (other.size() > 0 || bothWritten)) {
            int slotsOfNext = other.findSlots(number + 1, facts);
            boolean isCut = bothWritten && other.size() < CheckpointFile.bytes(MIN_SLOTS);
            if (slotsOfNext > 0 || isCut || found.head().closed()) {
                damages.add(
                        0, new CorruptLogException(other.path(), 0, "cursor checkpoint", "matching CRC", "another"));
            }
            number++;
        }
        return new FoundConsumption(
                cursors,
                Math.max(found.head().checkpoint(), facts.checkpoint()),
                found.head().writtenThrough(),
                true,
                number,
                damages);
    }

    /** Returns what is known without a checkpoint: what files of format 1 say, if there are any. */
    private FoundConsumption none(List<CorruptLogException> damages) throws IOException {
        Map<Long, ConsumerState> cursors = new LinkedHashMap<>();
        cursors.put(
                OWN_ID, new ConsumerState(OWN_ID, "", 1)); // first, and all that is known of it where its file is lost
        boolean complete = false;
        boolean writtenThrough = true;
        long known = 1;
        for (Path file : legacyFiles()) { // the log's own is first in the order of names
            LegacyCursorFile.Content content = LegacyCursorFile.read(io, file);
            if (content == null) {
                damages.add(new CorruptLogException(file, 0, "cursor file", "a whole slot", "none"));
            } else {
                if (content.cursor().name().isEmpty()) {
                    complete = true;
                    known = content.checkpoint();
                    writtenThrough = content.writtenThrough();
                    cursors.clear();
                }
                cursors.put(content.cursor().id(), content.cursor());
            }
        }
        for (CheckpointFile file : files) {
            if (!complete && file.size() > 0) {
                damages.add(new CorruptLogException(file.path(), 0, "cursor checkpoint", "matching CRC", "another"));
            }
        }
        return new FoundConsumption(cursors, known, writtenThrough, complete, 0, damages);
    }

    private List<Path> legacyFiles() throws IOException {
        return legacyFiles(io, folder);
    }

    /** Returns the cursor files of format 1 that a folder has. */
    static List<Path> legacyFiles(FileIo io, Path folder) throws IOException {
        return io.list(folder).stream().filter(LegacyCursorFile::isOne).toList();
    }

    /**
     * Begins a use of the log with these cursors. On return both files say so, on the device, and nothing of an earlier use can be read
     * back. A damaged file of format 1 is kept under another name.
     *
     * @param next nothing before this sequence is written again
     */
    public synchronized void begin(FoundConsumption found, long next, boolean through) throws IOException {
        for (ConsumerState cursor : found.cursors().values()) {
            states.put(cursor.id(), cursor);
        }
        generation = found.generation();
        checkpoint = next;
        writtenThrough = through;
        rotate(false);
        rotate(false);
        for (Path file : legacyFiles()) {
            if (found.damages().stream().anyMatch(damage -> damage.file().equals(file))) {
                io.rename(file, SegmentStore.setAside(file));
            } else {
                io.delete(file);
            }
        }
    }

    /** Ends the log by {@code newOnFailure} when a checkpoint could not be forced, since no consumption can become durable then. */
    public synchronized void onFailure(Consumer<IOException> newOnFailure) {
        onFailure = newOnFailure;
    }

    @SuppressWarnings("GuardedBy") // the guard's, under the lock
    private void fail(IOException cause) {
        failure = cause;
        onFailure.accept(cause);
    }

    private synchronized void change(ChangeGuard.Change change) throws IOException {
        checkFailure();
        changes.make(change);
    }

    /** Returns the states of all cursors; not while the journal is in use by cursors. */
    synchronized Collection<ConsumerState> states() {
        return List.copyOf(states.values());
    }

    /** Returns the sequence before which every record is known to be on the device. */
    public synchronized long checkpoint() {
        return checkpoint;
    }

    /** Adds a cursor; on the device on return. */
    @SuppressWarnings("GuardedBy")
    void add(ConsumerState cursor) throws IOException {
        change(() -> {
            states.put(cursor.id(), cursor);
            try {
                rotate(false);
            } catch (IOException e) {
                states.remove(cursor.id());
                throw e;
            }
        });
    }

    /** Forgets a cursor; on the device on return. */
    @SuppressWarnings("GuardedBy")
    void remove(long cursor) throws IOException {
        change(() -> {
            ConsumerState removed = Objects.requireNonNull(states.remove(cursor));
            try {
                rotate(false);
            } catch (IOException e) {
                states.put(cursor, removed);
                throw e;
            }
            deferred.remove(cursor);
            synchronized (pendingLock) {
                pending.remove(cursor);
            }
        });
    }

    /** Adds that a cursor, unless it was removed, has consumed the sequences from {@code first} to before {@code end}. */
    @SuppressWarnings("GuardedBy") // takes the lock
    void consumed(long cursor, long first, long end) throws IOException {
        change(() -> addConsumed(cursor, first, end));
    }

    @GuardedBy("this")
    private void addConsumed(long cursor, long first, long end) throws IOException {
        ConsumerState state = states.get(cursor);
        if (state == null || state.covers(first, end)) {
            return;
        }
        boolean inTurn = first <= state.floor();
        if (!inTurn) {
            checkRoom(state);
        }
        if (deferring) {
            makeDeferredRoom();
        } else { // in turn, a slot says all that those before it say
            ConsumptionEntries.putConsumed(slot, 8, cursor, inTurn ? 0 : first, inTurn ? state.floorAfter(end) : end);
            writeSlot();
        }
        long before = state.floor();
        state.consume(first, end);
        long floor = state.floor();
        if (deferring) {
            add(deferred, cursor, before, floor, first, end);
            deferredEntries++;
        }
        synchronized (pendingLock) {
            add(pending, cursor, before, floor, first, end);
            anyPending = true;
        }
    }

    private static void add(
            Map<Long, PendingConsumption> target, long cursor, long before, long floor, long first, long end) {
        PendingConsumption entries = target.computeIfAbsent(cursor, PendingConsumption::new);
        if (floor > before) {
            entries.moveFloor(floor);
        } else {
            entries.consume(first, end);
        }
    }

    /** Adds that a record was handed out, or is to be. */
    @SuppressWarnings("GuardedBy")
    void attempted(long cursor, long sequence, Attempt attempt) throws IOException {
        change(() -> addAttempt(cursor, sequence, attempt));
    }

    @GuardedBy("this")
    private void addAttempt(long cursor, long sequence, Attempt attempt) throws IOException {
        ConsumerState state = states.get(cursor);
        if (state == null) {
            return;
        }
        checkRoom(state);
        if (deferring) {
            makeDeferredRoom();
            deferred.computeIfAbsent(cursor, PendingConsumption::new).attempt(sequence, attempt);
            deferredEntries++;
        } else {
            ConsumptionEntries.putAttempt(slot, 8, cursor, sequence, attempt);
            writeSlot();
        }
        state.attempt(sequence, attempt);
        synchronized (pendingLock) {
            pending.computeIfAbsent(cursor, PendingConsumption::new).attempt(sequence, attempt);
            anyPending = true;
        }
    }

    /** Remembers where a record stands at or behind a cursor's floor, for the next open. */
    synchronized void placed(long cursor, Place place) {
        ConsumerState state = states.get(cursor);
        if (state != null) {
            state.placed(place);
        }
    }

    /** Refuses what a checkpoint could not hold. */
    @GuardedBy("this")
    private void checkRoom(ConsumerState state) throws IOException {
        if (state.entries() >= MIN_CHECKED_ENTRIES) {
            int entries =
                    states.values().stream().mapToInt(ConsumerState::entries).sum();
            if (entries >= MAX_ENTRIES_OF_STATES) {
                throw new LogRefusedException(
                        new IOException("too many elements consumed out of order or given back: folder=" + folder
                                + " cursor=" + state.name() + " entries=" + entries + " max=" + MAX_ENTRIES_OF_STATES));
            }
        }
    }

    @GuardedBy("this")
    private void makeDeferredRoom() throws IOException {
        if (deferredEntries >= MAX_DEFERRED) {
            writeDeferred();
        }
    }

    /** Writes the entries that wait in memory. */
    @GuardedBy("this")
    private void writeDeferred() throws IOException {
        int count =
                deferred.values().stream().mapToInt(PendingConsumption::count).sum();
        if (nextSlot + count > slots) {
            rotate(false); // which writes them too
            return;
        }
        List<PendingConsumption> waiting = List.copyOf(deferred.values());
        SlotTarget target = new SlotTarget();
        for (PendingConsumption entries : waiting) {
            entries.drainTo(target);
        }
        if (target.failure != null) {
            throw target.failure;
        }
        deferredEntries = 0;
    }

    /** Writes entries to slots until one of them fails. */
    private final class SlotTarget implements PendingConsumption.Target {
        private @Nullable IOException failure;

        @Override
        public boolean consumed(long cursor, long first, long end) {
            synchronized (ConsumptionJournal.this) {
                ConsumptionEntries.putConsumed(slot, 8, cursor, first, end);
                return write();
            }
        }

        @Override
        public boolean attempted(long cursor, long sequence, Attempt attempt) {
            synchronized (ConsumptionJournal.this) {
                ConsumptionEntries.putAttempt(slot, 8, cursor, sequence, attempt);
                return write();
            }
        }

        private boolean write() {
            synchronized (ConsumptionJournal.this) {
                try {
                    writeSlot();
                    return true;
                } catch (IOException e) {
                    failure = e;
                    return false;
                }
            }
        }
    }

    @GuardedBy("this")
    private void writeSlot() throws IOException {
        checkFailure();
        if (nextSlot == slots) {
            rotate(false); // states lack the entry of this slot, so it is written behind the new checkpoint
        }
        files[current].writeSlot(slot, generation, CheckpointFile.slotPosition(firstSlot, nextSlot));
        nextSlot++;
    }

    /**
     * Writes a checkpoint of all states into the file that is not current, and goes on with its slots. Where the disk has no room for more
     * slots the number stays small, and those fit into the files that are there.
     */
    @GuardedBy("this")
    private void rotate(boolean closed) throws IOException {
        checkFailure();
        CheckpointFile other = files[1 - current];
        int wanted = nextSlot < slots ? slots : Math.min(MAX_SLOTS, slots * 2);
        Head head = new Head(generation + 1, checkpoint, writtenThrough, closed);
        int next;
        try {
            next = other.write(head, states.values(), wanted);
        } catch (IOException full) {
            wanted = MIN_SLOTS;
            next = other.write(head, states.values(), wanted);
        }
        try {
            other.force();
        } catch (IOException e) {
            fail(e); // the next open may read either file, so neither may be written any more
            throw new LogFailedException(e);
        }
        current = 1 - current;
        generation++;
        firstSlot = next;
        nextSlot = 0;
        slots = wanted;
        deferred.clear();
        deferredEntries = 0;
    }

    @GuardedBy("this")
    private void checkFailure() throws IOException {
        if (failure != null) {
            throw new LogFailedException(failure);
        }
    }

    @Override
    public int put(ByteBuffer target, int offset, long sequence, long salt) {
        if (!anyPending) {
            return 0;
        }
        BatchEntries entries = new BatchEntries();
        synchronized (pendingLock) {
            boolean all = true;
            for (PendingConsumption cursor : pending.values()) {
                all &= cursor.drainTo(entries);
            }
            anyPending = !all;
            overflowed |= !all;
        }
        byte[] payload = entries.toArray();
        RecordFormat.put(target, offset, sequence, salt, RecordFormat.CONSUMPTION, payload);
        return RecordFormat.recordBytes(payload.length);
    }

    @Override
    public void forceOverflow() throws IOException {
        if (overflowed) {
            overflowed = false;
            force();
        }
    }

    @SuppressWarnings("GuardedBy")
    @Override
    public void force() throws IOException {
        change(() -> {
            if (deferredEntries > 0) {
                writeDeferred();
            }
            files[current].force();
        });
    }

    @SuppressWarnings("GuardedBy")
    @Override
    public void checkpoint(long sequence) throws IOException {
        change(() -> {
            if (sequence > checkpoint) {
                ConsumptionEntries.putConsumed(slot, 8, ConsumptionEntries.CHECKPOINT_ID, 0, sequence);
                writeSlot();
                checkpoint = sequence;
            }
        });
    }

    /** Writes a checkpoint to both files: the log is closed, and damage to one of them will cost nothing. */
    @SuppressWarnings("GuardedBy")
    public void writeClosed() throws IOException {
        change(() -> {
            rotate(true);
            rotate(true);
        });
    }

    @Override
    public synchronized void close() throws IOException {
        for (CheckpointFile file : files) {
            file.close();
        }
    }
}

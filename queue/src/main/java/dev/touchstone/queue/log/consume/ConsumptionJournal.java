package dev.touchstone.queue.log.consume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogFailedException;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.commit.ConsumptionRecords;
import dev.touchstone.queue.log.consume.CheckpointFile.Head;
import dev.touchstone.queue.log.consume.ConsumerState.Attempt;
import dev.touchstone.queue.log.consume.ConsumerState.Place;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
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
     * Locks:          this guards files and states. UncarriedConsumption has its own, taken inside it or alone: a sealer never waits for a
     *                 file. In a log whose entries may wait, what is consumed in turn takes no lock: JournaledCursor.inTurn says it until
     *                 absorb() brings it into the state.
     * Invariants:     states, each with its inTurn, hold every entry that was added. Of the two files one is current; its checkpoint and
     *                 slots, with the entries that are deferred, are equal to states. A checkpoint is on the device before its first slot
     *                 is written and before the other file is changed again.
     * Ordering:       an entry is pending before its call returns, and a sealer takes pending entries after the last claim of its
     *                 batch: so an append that begins later carries it.
     * Failure:        an entry whose slot cannot be written is in neither place, and its cursor has not moved. A checkpoint that is refused
     *                 leaves no header; one that cannot be forced ends the log. Anything else that is thrown in the middle of a change does
     *                 so, too (ChangeGuard).
     */
    /** Cursors that a log may have. */
    public static final int MAX_CURSORS = 64;

    /** Id of the log's own cursor, so that its entries in the log are known without a checkpoint. */
    static final long OWN_ID = 1;

    private static final String[] NAMES = {"CURSOR-a", "CURSOR-b"};
    private static final int MAX_DEFERRED = 1024 - MAX_CURSORS; // each may have one more, counted before it is seen

    private static final int MAX_ENTRIES_OF_STATES = 1 << 24; // 384 MiB of a checkpoint
    private static final int MIN_CHECKED_ENTRIES =
            MAX_ENTRIES_OF_STATES / MAX_CURSORS; // below, a cursor is not what fills it
    static final int MIN_SLOTS = 1536; // 64 KiB
    private static final int MAX_SLOTS = 16 * MIN_SLOTS;

    private final FileIo io;
    private final Path folder;
    private final boolean deferring;
    private final CheckpointFile[] files;

    @GuardedBy("this")
    private final Map<Long, JournaledCursor> cursors = new LinkedHashMap<>();

    @GuardedBy("this")
    private final ByteBuffer entry =
            ByteBuffer.allocateDirect(ConsumptionEntries.BYTES).order(ByteOrder.LITTLE_ENDIAN);

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

    private final AtomicInteger deferredEntries = new AtomicInteger();

    @GuardedBy("this")
    private long checkpoint;

    @GuardedBy("this")
    private boolean writtenThrough;

    @GuardedBy("this")
    private final ChangeGuard changes;

    @GuardedBy("this")
    private @Nullable IOException failure;

    @GuardedBy("this")
    private boolean closed;

    private volatile boolean ended; // failed or closed

    @GuardedBy("this")
    private Consumer<IOException> onFailure = ignored -> {};

    private final UncarriedConsumption uncarried = new UncarriedConsumption();

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
                files[i] = CheckpointFile.open(io, folder, NAMES[i]);
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

    /** Begins the files of an empty folder, as if a log had been closed there whose records before {@code next} are all consumed. */
    public static void create(FileIo io, Path folder, long next) throws IOException {
        try (CheckpointFile file = CheckpointFile.open(io, folder, NAMES[0])) {
            int unused =
                    file.write(new Head(1, next, false, true), List.of(new ConsumerState(OWN_ID, "", next)), MIN_SLOTS);
        }
    }

    /** Returns a new cursor's id. */
    static long newId() {
        return ThreadLocalRandom.current().nextLong(OWN_ID + 1, Long.MAX_VALUE);
    }

    /** Reads what the files say. */
    public FoundConsumption read() throws IOException {
        return FoundConsumption.read(io, folder, files);
    }

    /**
     * Begins a use of the log with these cursors. On return both files say so, on the device, and nothing of an earlier use can be read
     * back. A damaged file of format 1 is kept under another name.
     *
     * @param next nothing before this sequence is written again
     */
    public synchronized void begin(FoundConsumption found, long next, boolean through) throws IOException {
        for (ConsumerState state : found.cursors().values()) {
            JournaledCursor unused = track(state);
        }
        current = found.newest(); // which stays whole until the other file is
        if (found.closed()) { // or a power cut in the middle of the other would look like damage to a log that was
            // closed
            files[1 - current].clear();
            files[1 - current].force();
        }
        generation = found.generation();
        checkpoint = next;
        writtenThrough = through;
        rotate(false);
        rotate(false);
        for (Path file : FoundConsumption.legacyFiles(io, folder)) {
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
        ended = true;
        onFailure.accept(cause);
    }

    @GuardedBy("this")
    private void beginChange() throws IOException {
        checkFailure();
        changes.beginWhole();
    }

    /** Ends a change that has failed before it changed anything. */
    @GuardedBy("this")
    private IOException unchanged(IOException cause) {
        changes.end();
        return cause;
    }

    /** Ends a change that has failed before it changed anything; unless that has ended the log, the change may be tried again. */
    @GuardedBy("this")
    private IOException refused(IOException cause) {
        changes.end();
        return failure != null || closed || cause instanceof LogRefusedException
                ? cause
                : new LogRefusedException(cause);
    }

    @GuardedBy("this")
    private JournaledCursor track(ConsumerState state) {
        JournaledCursor cursor = new JournaledCursor(state);
        cursors.put(state.id(), cursor);
        uncarried.add(cursor);
        return cursor;
    }

    @GuardedBy("this")
    private void forget(JournaledCursor cursor) {
        cursor.remove();
        cursors.remove(cursor.state().id());
        uncarried.remove(cursor);
    }

    /** Returns all cursors. */
    synchronized Collection<JournaledCursor> cursors() {
        return List.copyOf(cursors.values());
    }

    @GuardedBy("this")
    private List<ConsumerState> states() {
        return cursors.values().stream().map(JournaledCursor::state).toList();
    }

    /** Returns the sequence before which every record is known to be on the device. */
    public synchronized long checkpoint() {
        return checkpoint;
    }

    /** Adds a cursor; on the device on return. */
    synchronized JournaledCursor add(ConsumerState state) throws IOException {
        beginChange();
        JournaledCursor cursor = track(state);
        try {
            rotate(false);
        } catch (IOException e) {
            forget(cursor);
            throw refused(e);
        }
        changes.end();
        return cursor;
    }

    /** Forgets a cursor; on the device on return. */
    synchronized void remove(JournaledCursor cursor) throws IOException {
        beginChange();
        long id = cursor.state().id();
        cursors.remove(id);
        try {
            rotate(false);
        } catch (IOException e) {
            cursors.put(id, cursor);
            throw refused(e);
        }
        forget(cursor);
        changes.end();
    }

    /**
     * Adds that a cursor has consumed the sequence {@code first}, and everything before it. By the cursor, under its lock. Takes none where
     * entries may wait in memory.
     */
    void consumedInTurn(JournaledCursor cursor, long first) throws IOException {
        if (!deferring || ended || deferredEntries.incrementAndGet() > MAX_DEFERRED) {
            consumed(cursor, first, first + 1);
            return;
        }
        uncarried.consumedInTurn(cursor, first + 1);
    }

    /** Brings what a cursor has consumed in turn into its state. */
    @GuardedBy("this")
    private void absorb(JournaledCursor cursor) {
        ConsumerState state = cursor.state();
        long inTurn = cursor.inTurn();
        if (inTurn > state.floor()) {
            state.consume(0, inTurn);
            cursor.deferred().moveFloor(state.floor());
        }
    }

    /** Adds that a cursor, unless it was removed, has consumed the sequences from {@code first} to before {@code end}. */
    synchronized void consumed(JournaledCursor cursor, long first, long end) throws IOException {
        if (cursor.isRemoved()) {
            return;
        }
        beginChange();
        absorb(cursor);
        ConsumerState state = cursor.state();
        if (state.covers(first, end)) {
            changes.end();
            return;
        }
        try {
            boolean inTurn = first <= state.floor();
            if (!inTurn) {
                checkRoom(state);
            }
            if (deferring) {
                makeDeferredRoom();
            } else { // in turn, a slot says all that those before it say
                ConsumptionEntries.putConsumed(
                        entry, 0, state.id(), inTurn ? 0 : first, inTurn ? state.floorAfter(end) : end);
                writeSlot();
            }
        } catch (IOException e) {
            throw refused(e);
        }
        long before = state.floor();
        state.consume(first, end);
        long floor = state.floor();
        if (deferring) {
            cursor.deferred().consume(before, floor, first, end);
            deferredEntries.incrementAndGet();
        }
        uncarried.consumed(cursor, before, floor, first, end);
        changes.end();
    }

    /** Adds that a record was handed out, or is to be. */
    synchronized void attempted(JournaledCursor cursor, long sequence, Attempt attempt) throws IOException {
        if (cursor.isRemoved()) {
            return;
        }
        beginChange();
        absorb(cursor);
        try {
            checkRoom(cursor.state());
            if (deferring) {
                makeDeferredRoom();
            } else {
                ConsumptionEntries.putAttempt(entry, 0, cursor.state().id(), sequence, attempt);
                writeSlot();
            }
        } catch (IOException e) {
            throw refused(e);
        }
        cursor.state().attempt(sequence, attempt);
        if (deferring) {
            cursor.deferred().attempt(sequence, attempt);
            deferredEntries.incrementAndGet();
        }
        uncarried.attempted(cursor, sequence, attempt);
        changes.end();
    }

    /** Remembers where a record stands at or behind a cursor's floor, for the next open. */
    synchronized void placed(JournaledCursor cursor, Place place) {
        cursor.state().placed(place);
    }

    /** Refuses what a checkpoint could not hold. */
    @GuardedBy("this")
    private void checkRoom(ConsumerState state) throws IOException {
        if (state.entries() >= MIN_CHECKED_ENTRIES) {
            int entries = states().stream().mapToInt(ConsumerState::entries).sum();
            if (entries >= MAX_ENTRIES_OF_STATES) {
                throw new LogRefusedException(
                        new IOException("too many elements consumed out of order or given back: folder=" + folder
                                + " cursor=" + state.name() + " entries=" + entries + " max=" + MAX_ENTRIES_OF_STATES));
            }
        }
    }

    @GuardedBy("this")
    private void makeDeferredRoom() throws IOException {
        if (deferredEntries.get() >= MAX_DEFERRED) {
            writeDeferred();
        }
    }

    /** Writes the entries that wait in memory. */
    @GuardedBy("this")
    private void writeDeferred() throws IOException {
        int written = absorbAll();
        int count = cursors.values().stream()
                .mapToInt(cursor -> cursor.deferred().count())
                .sum();
        if (Math.max(nextSlot, 1) + count > slots) {
            rotate(false); // which writes them too
            return;
        }
        SlotTarget target = new SlotTarget();
        for (JournaledCursor cursor : cursors.values()) {
            cursor.deferred().drainTo(target);
        }
        if (target.failure != null) {
            throw target.failure;
        }
        deferredEntries.addAndGet(-written);
    }

    /** Brings everything that is consumed into the states; returns how many of the deferred entries these have for certain. */
    @GuardedBy("this")
    private int absorbAll() {
        int counted = deferredEntries.get();
        cursors.values().forEach(this::absorb);
        return counted;
    }

    /** Writes entries to slots until one of them fails. */
    private final class SlotTarget implements PendingConsumption.Target {
        private @Nullable IOException failure;

        @Override
        public boolean consumed(long cursor, long first, long end) {
            synchronized (ConsumptionJournal.this) {
                ConsumptionEntries.putConsumed(entry, 0, cursor, first, end);
                return write();
            }
        }

        @Override
        public boolean attempted(long cursor, long sequence, Attempt attempt) {
            synchronized (ConsumptionJournal.this) {
                ConsumptionEntries.putAttempt(entry, 0, cursor, sequence, attempt);
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
        if (nextSlot == 0) { // the first entry stands twice
            storeSlot();
        }
        storeSlot();
    }

    @GuardedBy("this")
    private void storeSlot() throws IOException {
        files[current].writeSlot(entry, generation, CheckpointFile.slotPosition(firstSlot, nextSlot));
        nextSlot++;
    }

    /**
     * Writes a checkpoint of all states into the file that is not current, and goes on with its slots. Where the disk has no room for
     * those, as many are taken as fit into the file as it is. A checkpoint that is refused leaves no trace.
     */
    @GuardedBy("this")
    private void rotate(boolean closed) throws IOException {
        checkFailure();
        int written = absorbAll();
        CheckpointFile other = files[1 - current];
        int wanted = Math.max(MIN_SLOTS, nextSlot < slots ? slots : Math.min(MAX_SLOTS, slots * 2));
        Head head = new Head(generation + 1, checkpoint, writtenThrough, closed);
        int next;
        try {
            next = write(other, head, wanted);
        } catch (IOException full) {
            checkFailure();
            wanted = Math.min(wanted, other.slotsThatFit(states()));
            if (wanted < 2) { // the first entry stands twice
                throw full;
            }
            next = write(other, head, wanted);
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
        cursors.values().forEach(cursor -> cursor.deferred().clear());
        deferredEntries.addAndGet(-written);
    }

    @GuardedBy("this")
    private int write(CheckpointFile target, Head head, int count) throws IOException {
        try {
            return target.write(head, states(), count);
        } catch (LogFailedException e) {
            fail(e);
            throw e;
        }
    }

    @GuardedBy("this")
    private void checkFailure() throws IOException {
        if (failure != null) {
            throw new LogFailedException(failure);
        }
        if (closed) { // the files may be another owner's
            throw new LogClosedException(folder);
        }
    }

    @Override
    public int put(ByteBuffer target, int offset, long sequence, long salt) {
        return uncarried.put(target, offset, sequence, salt);
    }

    @Override
    public void forceOverflow() throws IOException {
        if (uncarried.takeOverflow()) {
            force();
        }
    }

    @Override
    public synchronized void force() throws IOException {
        beginChange();
        try {
            if (deferring) {
                writeDeferred();
            }
            files[current].force();
        } catch (IOException e) {
            throw unchanged(e);
        }
        changes.end();
    }

    @Override
    public synchronized void checkpoint(long sequence) throws IOException {
        if (sequence <= checkpoint) {
            return;
        }
        beginChange();
        try {
            ConsumptionEntries.putConsumed(entry, 0, ConsumptionEntries.CHECKPOINT_ID, 0, sequence);
            writeSlot();
        } catch (IOException e) {
            throw unchanged(e);
        }
        checkpoint = sequence;
        changes.end();
    }

    /** Writes a checkpoint to both files: the log is closed, and damage to one of them will cost nothing. */
    public synchronized void writeClosed() throws IOException {
        beginChange();
        try {
            rotate(true);
            rotate(true);
        } catch (IOException e) {
            throw unchanged(e);
        }
        changes.end();
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        ended = true;
        for (CheckpointFile file : files) {
            file.close();
        }
    }
}

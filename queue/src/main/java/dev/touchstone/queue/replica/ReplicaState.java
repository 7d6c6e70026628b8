package dev.touchstone.queue.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogLockedException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.consume.ConsumptionJournal;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The queue of one member: equal to that of every other member that was given the same commands with the same times. */
final class ReplicaState implements Closeable {
    /*
     * Who calls:      one thread applies commands; any thread reads the log, or waits at it.
     * Equality:       what a command does depends on earlier commands and the clock alone, which stands still while others read. A cursor ends
     *                 leases that are over before each command, so it does not matter whether a reader has done so before. No limit looks at
     *                 the disk. What fails on one member only, as for want of room on its disk, ends that member.
     * Files:          the log's files are dropped when it is opened: a snapshot and the entries behind it tell all.
     */
    private static final int MAX_PRODUCERS = 100_000;
    private static final int MAX_GAPS = 1 << 18;
    private static final int MAX_GAPS_OF_ALL = 1 << 22;

    private final LogOptions options;
    private final RecordLog log;
    private final Map<Long, LogCursor> cursors = new ConcurrentHashMap<>();
    private final Map<String, Long> numbers = new ConcurrentHashMap<>(); // of the named cursors

    @GuardedBy("producers")
    private final Map<String, Long> producers = new LinkedHashMap<>(); // in the order of their last elements

    private long nextCursor = 1;
    private long oldest;

    private ReplicaState(LogOptions options, RecordLog log, long oldest) {
        this.options = options;
        this.log = log;
        this.oldest = oldest;
        cursors.put(0L, log.own());
    }

    /**
     * Opens the queue without records, in place of what its folder holds.
     *
     * @param next the sequence of its first record
     * @throws IOException if its files cannot be made, as on a full disk; names the folder
     */
    static ReplicaState open(LogOptions options, FileIo io, ReplicaClock clock, long next) throws IOException {
        try {
            return openEmpty(options, io, clock, next);
        } catch (LogLockedException | CorruptLogException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException("the queue of this member cannot be made: folder=" + options.folder() + ": " + e, e);
        }
    }

    private static ReplicaState openEmpty(LogOptions options, FileIo io, ReplicaClock clock, long next)
            throws IOException {
        io.createFolder(options.folder());
        Closeable lock = io.lock(options.folder().resolve("LOCK"), options.lockTimeout());
        try {
            for (Path file : io.list(options.folder())) {
                if (!file.endsWith("LOCK")) {
                    io.delete(file);
                }
            }
            ConsumptionJournal.create(io, options.folder(), next);
        } finally {
            lock.close();
        }
        return new ReplicaState(options, RecordLog.openReplica(options, io, clock), next);
    }

    RecordLog log() {
        return log;
    }

    /** Returns the names of the named cursors. */
    Set<String> names() {
        return Set.copyOf(numbers.keySet());
    }

    /** Returns the number of a named cursor; null if there is none. */
    @Nullable
    Long number(String name) {
        return numbers.get(name);
    }

    /** Returns the cursor of a number, 0 for the queue's own; null if it was dropped. */
    @Nullable
    LogCursor findCursor(long number) {
        return cursors.get(number);
    }

    /**
     * Returns the cursor of a number; 0 for the queue's own.
     *
     * @throws LogClosedException if it was dropped
     */
    LogCursor cursor(long number) throws LogClosedException {
        LogCursor cursor = cursors.get(number);
        if (cursor == null) {
            throw new LogClosedException("cursor was dropped");
        }
        return cursor;
    }

    /**
     * Applies a command.
     *
     * @param caller session of the caller, which owns the leases that it is given
     * @return the result, as {@link Command} says; an exception if the command is refused, by all members alike
     * @throws IOException if this member alone cannot apply it
     */
    @Nullable
    Object apply(ByteBuffer command, long caller) throws IOException {
        try {
            Object result = applyKind(command.get(), command, caller);
            oldest = Math.max(oldest, log.cursors().lowestFloor(oldest));
            return result;
        } catch (RefusedCommand refused) {
            return new LogRefusedException(refused);
        } catch (IllegalArgumentException | LogClosedException refused) {
            log.checkOpen();
            log.checkFailure();
            return refused;
        } catch (InterruptedException e) {
            throw (IOException) new InterruptedIOException("interrupted in the middle of a change").initCause(e);
        }
    }

    private @Nullable Object applyKind(byte kind, ByteBuffer command, long caller)
            throws IOException, InterruptedException {
        return switch (kind) {
            case Command.OFFER -> log.append(0, rest(command));
            case Command.OFFER_DELAYED -> {
                Duration delay = Duration.ofNanos(command.getLong());
                yield log.append(0, rest(command), delay);
            }
            case Command.OFFER_ALL -> log.appendAll(0, elements(command));
            case Command.PRODUCE -> produce(Command.name(command), command.getLong(), rest(command));
            case Command.MAKE_CURSOR -> makeCursor(Command.name(command));
            case Command.DROP_CURSOR -> dropCursor(Command.name(command));
            case Command.LEAVE -> leave(caller);
            default -> consume(kind, settled(command.getLong()), command, caller);
        };
    }

    private @Nullable Object consume(byte kind, LogCursor cursor, ByteBuffer command, long caller) throws IOException {
        return switch (kind) {
            case Command.POLL -> cursor.poll();
            case Command.PEEK -> cursor.peek();
            case Command.LEASE -> roomy(cursor).lease(caller);
            case Command.RESERVE -> roomy(cursor).reserve(Duration.ofNanos(Math.max(1, command.getLong())), caller);
            case Command.ACKNOWLEDGE -> cursor.acknowledge(command.getLong(), command.getLong());
            case Command.GIVE_BACK ->
                cursor.giveBack(
                        command.getLong(), command.getLong(), Duration.ofNanos(command.getLong()), command.get() != 0);
            case Command.EXTEND ->
                cursor.extend(command.getLong(), command.getLong(), Duration.ofNanos(command.getLong()));
            case Command.REMOVE -> roomy(cursor).remove(command.getLong());
            case Command.CLEAR -> {
                cursor.clear();
                yield true;
            }
            default -> throw new IllegalArgumentException("not a command: kind=" + kind);
        };
    }

    private boolean leave(long caller) throws IOException {
        for (LogCursor cursor : cursors.values()) {
            cursor.endLeases(caller);
        }
        return true;
    }

    /** Carries out the next commands by these settings. */
    void use(CallSettings settings) {
        log.use(settings.limits(), settings.leases());
    }

    /** Returns a cursor whose leases have ended that are over by now. */
    private LogCursor settled(long number) throws LogClosedException {
        if (number == 0 && options.namedCursorsOnly()) {
            throw new IllegalArgumentException("the queue is consumed by its named cursors only");
        }
        LogCursor cursor = cursor(number);
        int unused = cursor.leased();
        return cursor;
    }

    /** Returns a cursor that may have one more record in flight or consumed out of order. */
    private LogCursor roomy(LogCursor cursor) throws RefusedCommand {
        if (cursor.gaps() >= MAX_GAPS
                && cursors.values().stream().mapToLong(LogCursor::gaps).sum() >= MAX_GAPS_OF_ALL) {
            throw new RefusedCommand("too many elements consumed out of order or handed out: cursor=" + cursor.name()
                    + " elements=" + cursor.gaps() + " max of all cursors=" + MAX_GAPS_OF_ALL);
        }
        return cursor;
    }

    private static byte[] rest(ByteBuffer command) {
        byte[] element = new byte[command.remaining()];
        command.get(element);
        return element;
    }

    private static List<byte[]> elements(ByteBuffer command) {
        int count = command.getInt();
        List<byte[]> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] element = new byte[command.getInt()];
            command.get(element);
            elements.add(element);
        }
        return elements;
    }

    private boolean produce(String producer, long number, byte[] element) throws IOException, InterruptedException {
        if (number <= lastOf(producer)) {
            return true;
        }
        if (log.append(0, element) == 0) {
            return false;
        }
        synchronized (producers) {
            Long unused = producers.remove(producer);
            producers.put(producer, number);
            if (producers.size() > MAX_PRODUCERS) {
                producers.remove(producers.keySet().iterator().next());
            }
        }
        return true;
    }

    /** Returns the last number of a producer, 0 for none. */
    long lastOf(String producer) {
        synchronized (producers) {
            return producers.getOrDefault(producer, 0L);
        }
    }

    private long makeCursor(String name) throws IOException {
        Long known = numbers.get(name);
        if (known != null) {
            return known;
        }
        LogCursor cursor = log.cursors()
                .add(name, options.namedCursorsOnly() ? oldest : log.own().floor());
        long number = nextCursor++;
        cursors.put(number, cursor);
        numbers.put(name, number);
        return number;
    }

    private boolean dropCursor(String name) throws IOException {
        Long number = numbers.remove(name);
        if (number != null) {
            cursors.remove(number);
            boolean unused = log.dropCursor(name);
        }
        return number != null;
    }

    /**
     * Returns the whole state; the records in it stay readable until the hold of the log's cursors is ended.
     *
     * @param retained whether with the consumed records that are retained, of which each member may have others
     */
    StateImage image(boolean retained) throws IOException {
        long end = log.visible() + 1;
        boolean unused = log.isCommitted(end - 1); // so that they can be read
        long first = log.cursors().hold(oldest(), retained);
        List<StateImage.Cursor> images = new ArrayList<>();
        cursors.forEach((number, cursor) -> {
            if (number != 0 || !options.namedCursorsOnly()) {
                images.add(new StateImage.Cursor(number, cursor.name(), cursor.image()));
            }
        });
        synchronized (producers) {
            return new StateImage(first, end, oldest, nextCursor, images, new LinkedHashMap<>(producers));
        }
    }

    private long oldest() {
        return Math.max(oldest, log.cursors().lowestFloor(oldest));
    }

    /** Takes over the state of another replica; the records from the image's first on were appended. */
    void restore(StateImage image) throws IOException {
        boolean unused = log.isCommitted(image.end() - 1);
        for (StateImage.Cursor each : image.cursors()) { // all of them are made before any has consumed something
            if (each.number() != 0) {
                cursors.put(each.number(), log.cursors().add(each.name(), image.first()));
                numbers.put(each.name(), each.number());
            }
        }
        for (StateImage.Cursor each : image.cursors()) {
            cursor(each.number()).restore(each.image());
        }
        synchronized (producers) {
            producers.putAll(image.producers());
        }
        nextCursor = image.nextCursor();
        oldest = image.oldest();
        if (log.cursors().keeping().isEmpty() && image.first() < oldest) {
            log.countFrom(oldest);
        }
    }

    @Override
    public void close() throws IOException {
        log.close();
    }

    /** Thrown when a command is refused by all members alike. */
    private static final class RefusedCommand extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedCommand(String message) {
            super(message);
        }
    }
}

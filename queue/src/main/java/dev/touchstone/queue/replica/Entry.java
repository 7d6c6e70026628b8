package dev.touchstone.queue.replica;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Commands that travel together, in the order of their submission. Big-endian:
 *
 * <pre>
 *  0         1       9          39        47       55      59
 *  +---------+-------+----------+---------+--------+-------+--------+---------+- -
 *  | version | stamp | settings | session | number | count | length | command |
 *  +---------+-------+----------+---------+--------+-------+--------+---------+- -
 * </pre>
 *
 * <p>The stamp is the leader's time, written when the entry has come to it. The numbers of a session begin at 1 and have no gap: an entry that
 * was applied before is passed, as is one whose predecessor was not, which is sent again.
 */
final class Entry {
    /** Longest entry in bytes. */
    static final int MAX_BYTES = 1 << 28;

    private static final byte VERSION = 1;
    private static final int STAMP = 1;
    private static final int HEADER_BYTES = 29 + CallSettings.BYTES;

    private final long number;
    private final byte[] bytes;
    private final List<Command> commands;
    private final long sentNanos = System.nanoTime();

    Entry(CallSettings settings, long session, long number, List<Command> commands) {
        this.number = number;
        this.commands = commands;
        int length = HEADER_BYTES;
        for (Command command : commands) {
            length += Integer.BYTES + command.bytes().length;
        }
        ByteBuffer target = ByteBuffer.allocate(length).put(VERSION).putLong(0);
        settings.put(target);
        target.putLong(session).putLong(number).putInt(commands.size());
        commands.forEach(command -> target.putInt(command.bytes().length).put(command.bytes()));
        this.bytes = target.array();
        for (int i = 0; i < commands.size(); i++) {
            commands.get(i).sealed(this, i);
        }
    }

    long number() {
        return number;
    }

    /** Returns when the entry was made, which is when it was sent first: a {@link System#nanoTime}. */
    long sentNanos() {
        return sentNanos;
    }

    byte[] bytes() {
        return bytes;
    }

    List<Command> commands() {
        return commands;
    }

    /** Ends all commands, and wakes the first thread that waits; each wakes two others. */
    void end() {
        commands.forEach(Command::end);
        wake(0);
    }

    /** Wakes the thread that waits for a command; in the place of one that does not wait, those that it would have woken. */
    private void wake(int index) {
        if (index < commands.size()) {
            Thread waiting = commands.get(index).waiting();
            if (waiting == null) {
                wakeOthers(index);
            } else {
                LockSupport.unpark(waiting);
            }
        }
    }

    /** Wakes the two threads that the thread of a command has to wake. */
    void wakeOthers(int index) {
        wake(2 * index + 1);
        wake(2 * index + 2);
    }

    /**
     * An entry as a member reads it.
     *
     * @param stamp the leader's time, in nanoseconds of the epoch
     * @param settings those of the sender
     */
    record Header(long stamp, CallSettings settings, long session, long number, int count) {
        /** Reads the header of a whole entry, and leaves {@code source} behind it. */
        static Header read(ByteBuffer source) {
            byte unused = source.get();
            long stamp = source.getLong();
            CallSettings settings = CallSettings.read(source);
            return new Header(stamp, settings, source.getLong(), source.getLong(), source.getInt());
        }
    }

    /** Returns the next command of a whole entry, whose header was read, and moves {@code source} behind it. */
    static ByteBuffer next(ByteBuffer source) {
        int length = source.getInt();
        ByteBuffer command = source.slice(source.position(), length);
        source.position(source.position() + length);
        return command;
    }

    /** Writes the leader's time into an entry; returns false if the bytes are none. */
    static boolean stamp(byte[] entry, long stamp) {
        String fault = fault(ByteBuffer.wrap(entry));
        if (fault == null) {
            ByteBuffer.wrap(entry).putLong(STAMP, stamp);
        }
        return fault == null;
    }

    /** Returns why these bytes are no whole entry; null if they are. */
    static @Nullable String fault(ByteBuffer entry) {
        if (entry.remaining() < HEADER_BYTES) {
            return "bytes=" + entry.remaining() + " expected at least " + HEADER_BYTES;
        }
        ByteBuffer source = entry.slice();
        if (source.get(0) != VERSION) {
            return "version=" + source.get(0) + " expected " + VERSION;
        }
        Header header = Header.read(source);
        if (!header.settings().isValid()) {
            return "settings=" + header.settings();
        }
        for (int i = 0; i < header.count(); i++) {
            int length = source.remaining() < Integer.BYTES ? -1 : source.getInt(source.position());
            if (length < 0 || length > source.remaining() - Integer.BYTES) {
                return "command=" + i + " of " + header.count() + " length=" + length + " left=" + source.remaining();
            }
            if (!Command.isWhole(next(source))) {
                return "command=" + i + " of " + header.count() + " is none";
            }
        }
        return source.hasRemaining() ? "bytes behind the last command=" + source.remaining() : null;
    }
}

package dev.touchstone.queue.replica;

import dev.touchstone.queue.log.commit.AppendCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a replicated queue that a caller waits for. Its bytes are a kind of 1 byte and the kind's values, big-endian; names have 2 bytes
 * of length, an element takes the rest.
 */
final class Command {
    /** Values: element. Result: sequence, 0 for no room. */
    static final byte OFFER = 1;
    /** Values: nanoseconds of the delay, element. Result: as {@link #OFFER}. */
    static final byte OFFER_DELAYED = 2;
    /** Values: number of elements (4 bytes), each with 4 bytes of length. Result: whether they are in the queue. */
    static final byte OFFER_ALL = 3;
    /** Values: producer's name, number, element. Result: whether the element is in the queue, by this command or an earlier one. */
    static final byte PRODUCE = 4;
    /** Values: cursor. Result: element or null. */
    static final byte POLL = 5;
    /** Values: cursor. Result: element or null. */
    static final byte PEEK = 6;
    /** Values: cursor. Result: lease or null. */
    static final byte LEASE = 7;
    /** Values: cursor, nanoseconds. Result: lease or null. */
    static final byte RESERVE = 8;
    /** Values: cursor, sequence, token. Result: whether the lease was valid. */
    static final byte ACKNOWLEDGE = 9;
    /** Values: cursor, sequence, token, nanoseconds of the delay, whether it counts (1 byte). Result: whether the lease was valid. */
    static final byte GIVE_BACK = 10;
    /** Values: cursor, sequence, token, nanoseconds. Result: whether the lease was valid. */
    static final byte EXTEND = 11;
    /** Values: cursor, sequence. Result: whether this removed it. */
    static final byte REMOVE = 12;
    /** Values: cursor. No result. */
    static final byte CLEAR = 13;
    /** Values: name. Result: number of the cursor. */
    static final byte MAKE_CURSOR = 14;
    /** Values: name. Result: whether there was one. */
    static final byte DROP_CURSOR = 15;
    /** No values, no result: the caller's leases end. */
    static final byte LEAVE = 16;

    private static final int[] FIXED_BYTES = {0, 0, 8, 4, 2, 8, 8, 8, 16, 24, 33, 32, 16, 8, 2, 2, 0};

    private final byte[] bytes;
    private final @Nullable AppendCompletion completion; // of a caller that does not wait
    private @Nullable Object result;
    private @Nullable Throwable failure;
    private @Nullable Entry entry;
    private int index;
    private volatile boolean done;
    private volatile @Nullable Thread waiting;

    private Command(byte[] bytes, @Nullable AppendCompletion completion) {
        this.bytes = bytes;
        this.completion = completion;
    }

    /** Returns a command of a kind with values of 8 bytes. */
    static Command of(byte kind, long... values) {
        ByteBuffer target = ByteBuffer.allocate(1 + Long.BYTES * values.length).put(kind);
        for (long value : values) {
            target.putLong(value);
        }
        return new Command(target.array(), null);
    }

    /** Returns the command that gives a record back. */
    static Command giveBack(long cursor, long sequence, long token, long delayNanos, boolean counts) {
        ByteBuffer target = ByteBuffer.allocate(1 + 4 * Long.BYTES + 1).put(GIVE_BACK);
        target.putLong(cursor)
                .putLong(sequence)
                .putLong(token)
                .putLong(delayNanos)
                .put((byte) (counts ? 1 : 0));
        return new Command(target.array(), null);
    }

    /** Returns the command that appends an element. */
    static Command offer(byte[] element) {
        return offer(element, null);
    }

    /** Returns the command that appends an element, whose caller does not wait but is told. */
    static Command offer(byte[] element, @Nullable AppendCompletion completion) {
        return new Command(
                ByteBuffer.allocate(1 + element.length).put(OFFER).put(element).array(), completion);
    }

    /** Returns the command that appends a delayed element. */
    static Command offer(byte[] element, long delayNanos) {
        ByteBuffer target = ByteBuffer.allocate(1 + Long.BYTES + element.length).put(OFFER_DELAYED);
        return new Command(target.putLong(delayNanos).put(element).array(), null);
    }

    /** Returns the command that appends elements together. */
    static Command offerAll(List<byte[]> elements) {
        long length = 1 + Integer.BYTES;
        for (byte[] element : elements) {
            length += Integer.BYTES + element.length;
        }
        if (length > Entry.MAX_BYTES) {
            throw new IllegalArgumentException("elements are too long to be offered together: bytes=" + length + " max="
                    + Entry.MAX_BYTES + " elements=" + elements.size());
        }
        ByteBuffer target = ByteBuffer.allocate((int) length).put(OFFER_ALL).putInt(elements.size());
        elements.forEach(element -> target.putInt(element.length).put(element));
        return new Command(target.array(), null);
    }

    /** Returns the command that appends an element unless its producer has done so before. */
    static Command produce(String producer, long number, byte[] element) {
        byte[] name = producer.getBytes(StandardCharsets.UTF_8);
        ByteBuffer target = ByteBuffer.allocate(1 + Short.BYTES + name.length + Long.BYTES + element.length);
        target.put(PRODUCE)
                .putShort((short) name.length)
                .put(name)
                .putLong(number)
                .put(element);
        return new Command(target.array(), null);
    }

    /** Returns the command of a kind with a name. */
    static Command named(byte kind, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        ByteBuffer target = ByteBuffer.allocate(1 + Short.BYTES + text.length).put(kind);
        return new Command(target.putShort((short) text.length).put(text).array(), null);
    }

    /** Reads a name. */
    static String name(ByteBuffer source) {
        byte[] text = new byte[source.getShort()];
        source.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Returns whether these bytes, from the position to the limit, are a command: all its values are there. */
    static boolean isWhole(ByteBuffer command) {
        int kind = command.hasRemaining() ? command.get(command.position()) : 0;
        int rest = command.remaining() - 1;
        if (kind < OFFER || kind > LEAVE || rest < FIXED_BYTES[kind]) {
            return false;
        }
        int values = command.position() + 1;
        return switch (kind) {
            case OFFER_ALL -> areWhole(command, values);
            case PRODUCE, MAKE_CURSOR, DROP_CURSOR -> {
                int name = command.getShort(values);
                yield name >= 0 && rest >= Short.BYTES + name + (kind == PRODUCE ? Long.BYTES : 0);
            }
            default -> true;
        };
    }

    private static boolean areWhole(ByteBuffer command, int values) {
        int at = values + Integer.BYTES;
        int count = command.getInt(values);
        for (int left = count; left > 0; left--) {
            if (command.limit() - at < Integer.BYTES) {
                return false;
            }
            int length = command.getInt(at);
            at += Integer.BYTES;
            if (length < 0 || command.limit() - at < length) {
                return false;
            }
            at += length;
        }
        return count > 0 && at == command.limit();
    }

    byte[] bytes() {
        return bytes;
    }

    /** Makes the calling thread the one that is woken when the command is done. */
    void waits() {
        waiting = Thread.currentThread();
    }

    /** Ends the wait of the calling thread, done or not; it wakes those that it has to wake. */
    void waitsNoMore() {
        waiting = null;
        Entry in = entry;
        if (done && in != null) {
            in.wakeOthers(index);
        }
    }

    /** Returns the thread that waits, if one does. */
    @Nullable
    Thread waiting() {
        return waiting;
    }

    /** Keeps the place that the command has in an entry. */
    void sealed(Entry newEntry, int newIndex) {
        entry = newEntry;
        index = newIndex;
    }

    /** Keeps the result, or the exception for which the command was refused; nobody sees it before {@link #end}. */
    void applied(@Nullable Object newResult) {
        if (newResult instanceof Throwable refused) {
            failure = refused;
        } else {
            result = newResult;
        }
    }

    /** Keeps the failure; nobody sees it before {@link #end}. */
    void failure(Throwable newFailure) {
        failure = newFailure;
    }

    /** Ends the command with the result or failure that it has. */
    void end() {
        done = true;
        if (completion != null) {
            completion.done(
                    failure == null || failure instanceof IOException
                            ? (IOException) failure
                            : new IOException(failure));
        }
    }

    boolean isDone() {
        return done;
    }

    /** Returns the result of a command that is done. */
    @Nullable
    Object result() {
        return result;
    }

    /** Returns the failure of a command that is done, or null. */
    @Nullable
    Throwable failure() {
        return failure;
    }
}

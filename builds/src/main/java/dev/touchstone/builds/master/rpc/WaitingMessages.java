package dev.touchstone.builds.master.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that the messages of a connection take, from their first frame until the master has dealt with them. The transport does not say of which
 * stream a message was, but how long it was. Thread-safe.
 */
final class WaitingMessages {
    /*
     * Who calls:  the connection's reading thread `frame`, `joined`, `data` and `reset`; any thread the others.
     * Invariants: a frame counts for the first message that ends in it or after it, so that the sum is exact once all messages are dealt with. Of
     *             messages that are equally long, the one that takes least is let go first, so that the sum is never too small.
     * Limits:     whole messages of a stream that is ended before they are read count until the connection ends.
     */
    private static final int FRAME_BYTES = 8 << 10; // which the transport takes for a frame, however small
    private static final int PREFIX_BYTES = 5;

    private final AtomicLong ofAll;

    @GuardedBy("this")
    private final Map<Integer, Message> begun = new HashMap<>(); // by stream

    @GuardedBy("this")
    private final TreeMap<Long, Integer> whole = new TreeMap<>(); // numbers of messages by length and memory, see `key`

    @GuardedBy("this")
    private long bytes; // 0 from the connection's end on

    @GuardedBy("this")
    private boolean isEnded;

    /** A message of which a part has come. */
    private static final class Message {
        private int prefix; // bytes of it that have come
        private int length;
        private int left;
        private int cost;
    }

    /**
     * Creates the account of a new connection.
     *
     * @param ofAll the sum of the memory of all connections, in which this one's is counted
     */
    WaitingMessages(AtomicLong ofAll) {
        this.ofAll = ofAll;
    }

    @GuardedBy("this")
    private void change(long difference) {
        if (!isEnded) {
            bytes += difference;
            ofAll.addAndGet(difference);
        }
    }

    /** Notes that the connection has ended, with all its messages. */
    synchronized void end() {
        change(-bytes);
        isEnded = true;
    }

    /** Returns the memory that is taken. */
    synchronized long bytes() {
        return bytes;
    }

    /** Notes that a frame with data begins. */
    synchronized void frame(int stream, int length) {
        add(stream, cost(length));
    }

    /** Notes that a frame was joined to the one before, which had {@code before} bytes and has {@code length} now. */
    synchronized void joined(int stream, int before, int length) {
        add(stream, cost(length) - cost(before));
    }

    @GuardedBy("this")
    private void add(int stream, int cost) {
        begun.computeIfAbsent(stream, unused -> new Message()).cost += cost;
        change(cost);
    }

    private static int cost(int length) {
        return Math.max(FRAME_BYTES, length);
    }

    /** Notes data of the frame that was noted last. */
    synchronized void data(int stream, byte[] from, int offset, int count) {
        Message message = begun.computeIfAbsent(stream, unused -> new Message());
        int end = offset + count;
        for (int at = offset; at < end; ) {
            if (message.prefix < PREFIX_BYTES) {
                message.length =
                        message.prefix == 0 ? 0 : message.length << 8 | (from[at] & 0xff); // the first byte is a flag
                message.left = message.length;
                message.prefix++;
                at++;
            } else {
                int part = Math.min(message.left, end - at);
                message.left -= part;
                at += part;
            }
            if (message.prefix == PREFIX_BYTES && message.left <= 0) {
                whole.merge(key(message.length, message.cost), 1, Integer::sum);
                message = new Message();
                begun.put(stream, message);
            }
        }
        if (message.prefix == 0 && message.cost == 0) {
            begun.remove(stream);
        }
    }

    private static long key(int length, int cost) {
        return (long) length << 32 | cost;
    }

    /** Notes that a stream is ended by its sender; what has come of its message is let go. */
    synchronized void reset(int stream) {
        Message message = begun.remove(stream);
        if (message != null) {
            change(-message.cost);
        }
    }

    /** Notes that the master has dealt with a message of that length. */
    synchronized void dealtWith(int length) {
        Map.Entry<Long, Integer> least = whole.ceilingEntry(key(length, 0));
        if (least == null || least.getKey() >> 32 != length) {
            return;
        }
        change(-least.getKey().intValue());
        whole.compute(least.getKey(), (key, count) -> count == null || count == 1 ? null : count - 1);
    }
}

package dev.touchstone.queue.replicated.faults;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Carrier of what is sent in one direction of a connection between members: a thread reads what is sent, another one delivers it when the link lets it pass. */
final class LinkPump {
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int MAX_CHUNKS = 256;

    private final MemberLinks links;
    private final int from;
    private final int to;
    private final Socket source;
    private final Socket target;
    private final Runnable end;
    private final BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(MAX_CHUNKS);

    /** Bytes on their way; none for the end of the connection. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Chunk(byte[] bytes, long arrival) {}

    /**
     * Creates a direction.
     *
     * @param end closes the connection, when an end of it has
     */
    LinkPump(MemberLinks links, int from, int to, Socket source, Socket target, Runnable end) {
        this.links = links;
        this.from = from;
        this.to = to;
        this.source = source;
        this.target = target;
        this.end = end;
    }

    void start() {
        MemberLinks.start("read " + from + " to " + to, this::read);
        MemberLinks.start("deliver " + from + " to " + to, this::deliver);
    }

    private void read() {
        byte[] buffer = new byte[CHUNK_BYTES];
        int bytes;
        try {
            do {
                bytes = read(buffer);
                chunks.put(new Chunk(Arrays.copyOf(buffer, Math.max(bytes, 0)), links.arrival(from, to)));
            } while (bytes > 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the number of bytes that were read; 0 at the end. */
    private int read(byte[] buffer) {
        try {
            return source.getInputStream().read(buffer);
        } catch (IOException closed) {
            return 0;
        }
    }

    private void deliver() {
        try {
            while (true) {
                Chunk chunk = chunks.take();
                TimeUnit.NANOSECONDS.sleep(chunk.arrival - System.nanoTime());
                if (!links.awaitOpen(from, to) || chunk.bytes.length == 0) {
                    break;
                }
                target.getOutputStream().write(chunk.bytes);
            }
        } catch (IOException closed) {
            // by the other direction
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        end.run();
    }
}

package dev.touchstone.benchmarks.messaging.peer;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * No nodes: frames as long as real ones go to and fro over one TCP connection, between one thread that makes the requests of all clients
 * and one that answers them. A round's requests go out with one write, and its answers too, so that the threads wake each other as seldom
 * as can be. They sleep in their reads, or poll without end, which leaves little to win but the kernel's own time.
 */
public final class CeilingEchoAdapter implements EchoUnderTest {

    /** A frame that sends a pid to a pid, with host names of some length. */
    private static final int REQUEST_BYTES = 165;

    /** A frame that sends five bytes to a pid. */
    private static final int ANSWER_BYTES = 125;

    private final boolean busy;
    private final SocketChannel near;
    private final SocketChannel far;
    private final ByteBuffer requests;
    private final ByteBuffer answers;
    private final byte[] answer = new byte[EchoUnderTest.answer().length];
    private final ServerThread answering;
    private final ServerThread requesting;
    private volatile long rounds;
    private volatile @Nullable IOException failure;
    private volatile boolean closed;

    private CeilingEchoAdapter(int clients, boolean busy) throws IOException {
        this.busy = busy;
        requests = ByteBuffer.allocateDirect(clients * REQUEST_BYTES);
        answers = ByteBuffer.allocateDirect(clients * ANSWER_BYTES);
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            near = configured(SocketChannel.open(listener.getLocalAddress()), busy);
            far = configured(listener.accept(), busy);
        }
        answering = new ServerThread(() -> untilClosed(this::answerAll));
        round();
        answers.get(ANSWER_BYTES - answer.length, answer);
        requesting = new ServerThread(() -> untilClosed(this::requestAll));
    }

    /** Threads that sleep while there is nothing to read. */
    public static EchoUnderTest blocking(EchoShape shape) throws IOException {
        shape.requirePlain("the ceiling");
        return new CeilingEchoAdapter(shape.clients(), false);
    }

    /** Threads that never sleep. */
    public static EchoUnderTest busy(EchoShape shape) throws IOException {
        shape.requirePlain("the ceiling");
        return new CeilingEchoAdapter(shape.clients(), true);
    }

    /** Every client's echoes are as many as the rounds. */
    @Override
    public Client client(int index) {
        return new CountedClient(this::roundsSoFar, answer);
    }

    @Override
    public Object plain(Object answer) {
        return PlainTerms.PLAIN.binary(((byte[]) answer).clone());
    }

    @Override
    public void close() throws IOException {
        closed = true;
        near.close();
        far.close();
        requesting.close();
        answering.close();
    }

    private long roundsSoFar() throws IOException {
        IOException problem = failure;
        if (problem != null) {
            throw new IOException("the ceiling's connection has failed", problem);
        }
        return rounds;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void requestAll() throws IOException {
        while (!closed) {
            round();
            rounds++;
        }
    }

    private void round() throws IOException {
        writeAll(near, requests.clear());
        answers.clear();
        while (answers.hasRemaining()) {
            read(near, answers);
        }
    }

    private void answerAll() throws IOException {
        ByteBuffer in = ByteBuffer.allocateDirect(requests.capacity());
        ByteBuffer out = ByteBuffer.allocateDirect(answers.capacity());
        while (!closed) {
            read(far, in);
            out.clear();
            in.flip();
            while (in.remaining() >= REQUEST_BYTES) {
                in.position(in.position() + REQUEST_BYTES);
                out.position(out.position() + ANSWER_BYTES - answer.length);
                out.put(EchoUnderTest.answer());
            }
            in.compact();
            writeAll(far, out.flip());
        }
    }

    private void writeAll(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Reads one byte or more. */
    private void read(SocketChannel channel, ByteBuffer into) throws IOException {
        int count = channel.read(into);
        while (count == 0 && busy && !closed) {
            Thread.onSpinWait();
            count = channel.read(into);
        }
        if (count <= 0) {
            throw new EOFException("the other side has closed");
        }
    }

    private void untilClosed(ServerThread.Work work) throws InterruptedException {
        try {
            work.run();
        } catch (IOException e) {
            if (!closed) {
                failure = e;
            }
        }
    }

    private static SocketChannel configured(SocketChannel channel, boolean busy) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(!busy);
        return channel;
    }
}

package dev.touchstone.benchmarks.builds.peer;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A request of {@value #REQUEST_BYTES} bytes over loopback and its answer of {@value #ANSWER_BYTES}, with nothing between: a thread that answers, and a
 * socket. What has come is answered together.
 */
public final class LoopbackNoops implements NoopsUnderTest {
    private static final int REQUEST_BYTES = 150;
    private static final int ANSWER_BYTES = 60;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int TOGETHER = BUFFER_BYTES / REQUEST_BYTES;

    private final Socket socket;
    private final DataInputStream answers;
    private final OutputStream requests;
    private final Thread server;
    private final byte[] out = new byte[TOGETHER * REQUEST_BYTES];
    private final byte[] in = new byte[TOGETHER * ANSWER_BYTES];

    private LoopbackNoops(Socket socket, Thread server) throws IOException {
        this.socket = socket;
        this.server = server;
        this.answers = new DataInputStream(socket.getInputStream());
        this.requests = socket.getOutputStream();
    }

    /** Connects two threads. */
    public static LoopbackNoops open(
            ServiceOptions unusedOptions, boolean unusedDurable, NoopRequests unusedKind, int unusedMost)
            throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Socket near = new Socket(listening.getInetAddress(), listening.getLocalPort());
            Socket far = listening.accept();
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            Thread server = new Thread(() -> answer(far), "loopback-answers");
            server.setDaemon(true);
            server.start();
            return new LoopbackNoops(near, server);
        }
    }

    private static void answer(Socket far) {
        byte[] buffer = new byte[BUFFER_BYTES];
        byte[] answers = new byte[BUFFER_BYTES];
        int begun = 0; // bytes of a request that is not all here
        try (far) {
            for (int read = far.getInputStream().read(buffer);
                    read >= 0;
                    read = far.getInputStream().read(buffer)) {
                int whole = (begun + read) / REQUEST_BYTES;
                begun = (begun + read) % REQUEST_BYTES;
                if (whole > 0) {
                    far.getOutputStream().write(answers, 0, whole * ANSWER_BYTES);
                }
            }
        } catch (IOException e) {
            // the other end has closed
        }
    }

    @Override
    public void pipelined(int count) throws IOException {
        int unanswered = 0;
        for (int left = count; left > 0; ) {
            int some = Math.min(left, TOGETHER);
            requests.write(out, 0, some * REQUEST_BYTES);
            left -= some;
            if (unanswered > 0) {
                read(unanswered); // of the write before: two are on their way
            }
            unanswered = some;
        }
        read(unanswered);
    }

    @Override
    public void roundTrip() throws IOException {
        requests.write(out, 0, REQUEST_BYTES);
        read(1);
    }

    private void read(int count) throws IOException {
        try {
            answers.readFully(in, 0, count * ANSWER_BYTES);
        } catch (EOFException e) {
            throw new IOException("the other end has closed", e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        try {
            server.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.touchstone.builds.master.rpc;

import dev.touchstone.builds.access.Caller;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * An accepted connection, in TLS where that is wanted, whose frames are checked before the transport reads them. The TLS handshake happens when the
 * transport first reads or writes, so that it delays nobody else. Thread-safe.
 */
final class GuestSocket extends Socket {
    /*
     * Who calls:  the transport's thread that reads the connection the input, another the output; the gate, calls and services the others.
     * Invariants: `caller` is set once: a connection shows one token.
     * Ordering:   `close` has no lock, and the gate forgets the connection before the socket is closed: an end that does not read delays nobody who
     *             closes.
     * Failure:    a frame that is refused is told to the gate, and ends the connection.
     */
    private static final String[] PROTOCOLS = {"h2"};
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final int MAX_PAUSES = 20; // before one read

    private final Socket raw;
    private final Socket stream; // `raw`, or TLS over it
    private final SocketAddress remote;
    private final SocketAddress local;
    private final Input input;
    private final long deadlineNanos;
    private final ConnectionGate gate;
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final WaitingMessages waiting;
    private final AtomicReference<@Nullable Caller> caller = new AtomicReference<>();

    /**
     * Creates the socket of a connection.
     *
     * @param deadlineNanos the time by which the connection must have shown a token, of {@link System#nanoTime}
     * @throws IOException if the connection has ended already
     */
    GuestSocket(Socket raw, Optional<SSLContext> tls, long deadlineNanos, ConnectionGate gate) throws IOException {
        this.raw = raw;
        this.remote = raw.getRemoteSocketAddress();
        this.local = raw.getLocalSocketAddress();
        this.stream = tls.isPresent() ? secured(raw, tls.get()) : raw;
        this.waiting = gate.newAccount();
        this.input = new Input(stream.getInputStream());
        this.deadlineNanos = deadlineNanos;
        this.gate = gate;
    }

    private static Socket secured(Socket raw, SSLContext tls) throws IOException {
        String host = raw.getInetAddress().getHostAddress();
        SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(raw, host, raw.getPort(), true);
        secured.setUseClientMode(false);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setNeedClientAuth(true);
        parameters.setApplicationProtocols(PROTOCOLS);
        secured.setSSLParameters(parameters);
        return secured;
    }

    /** Notes that the connection has shown a token; returns whether it is the first, or the same. */
    boolean known(Caller shown) {
        caller.compareAndSet(null, shown);
        return shown.equals(caller.get());
    }

    /** Returns whose connection it is; null as long as it has shown no token. */
    @Nullable
    Caller caller() {
        return caller.get();
    }

    /** Counts a call that was refused, and returns how many were. */
    int countRefusal() {
        return refusals.incrementAndGet();
    }

    /** Notes that a call has come through the transport, which answers some itself. */
    void countCall() {
        calls.incrementAndGet();
    }

    /** Returns the account of the connection's messages. */
    WaitingMessages waiting() {
        return waiting;
    }

    /** The received bytes. */
    private final class Input extends InputStream {
        private final InputStream from;
        private final FrameFilter frames = new FrameFilter(waiting);

        Input(InputStream from) {
            this.from = from;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int most) throws IOException {
            for (int i = 0; i < MAX_PAUSES && gate.isGreedy(GuestSocket.this); i++) {
                LockSupport.parkNanos(this, PAUSE.toNanos()); // else more comes than closed connections give back
            }
            int got = from.read(into, offset, most);
            if (got <= 0) {
                return got;
            }
            try {
                return filtered(into, offset, got);
            } catch (IOException e) {
                gate.refuse(GuestSocket.this, String.valueOf(e.getMessage()));
                throw e;
            }
        }

        private int filtered(byte[] bytes, int offset, int count) throws IOException {
            long now = System.nanoTime();
            if (caller.get() == null && now - deadlineNanos > 0) {
                throw new IOException("token is not shown in time");
            }
            int left = frames.filter(bytes, offset, count, now);
            if (caller.get() == null
                    && frames.calls() > ConnectionGate.MAX_REFUSALS) { // the transport refuses some itself
                throw new IOException("calls without a token: most=" + ConnectionGate.MAX_REFUSALS);
            }
            if (frames.calls() - calls.get() > ConnectionGate.MAX_LOST_CALLS) { // answers repeat what the call has said
                throw new IOException("calls that never came to a service: most=" + ConnectionGate.MAX_LOST_CALLS);
            }
            gate.checkRoom();
            return left;
        }
    }

    @Override
    public InputStream getInputStream() {
        return input;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return stream.getOutputStream();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return remote;
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return local;
    }

    @Override
    public InetAddress getInetAddress() {
        return raw.getInetAddress();
    }

    @Override
    public int getPort() {
        return raw.getPort();
    }

    @Override
    public void setTcpNoDelay(boolean isOn) throws SocketException {
        raw.setTcpNoDelay(isOn);
    }

    @Override
    public boolean isConnected() {
        return raw.isConnected();
    }

    @Override
    public boolean isClosed() {
        return raw.isClosed();
    }

    /** Closes the connection at once. The end of TLS is not told to the other end, since that waits for it. */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // closing waits for no other thread
    public void close() {
        gate.closed(this);
        try {
            raw.close();
        } catch (IOException e) {
            // nothing is left to do
        }
    }
}

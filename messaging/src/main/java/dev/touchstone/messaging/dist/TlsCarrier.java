package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.identity.NodeName;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLPeerUnverifiedException;

/** A carrier of bytes in TLS over another carrier. The TLS handshake is made by the first reads and writes. */
final class TlsCarrier implements Carrier {
    /*
     * Lock:           this object's, for reader and writer alike: a key update needs both directions of the engine.
     * Buffers:        `sealedIn` and `plainIn` are kept ready to be read from, `sealedOut` too.
     * Invariants:     bytes that `write` has taken are sealed; all are sent before it returns 0 or `flushed` returns true.
     */
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Carrier carrier;
    private final SSLEngine engine;
    private final boolean checksHost;
    private ByteBuffer sealedIn;
    private ByteBuffer sealedOut;
    private ByteBuffer plainIn;
    private boolean ended;

    /**
     * Makes a carrier that begins its handshake with the first bytes.
     *
     * @param checksHost whether the other end's certificate must name the host of its node name
     */
    TlsCarrier(Carrier carrier, SSLEngine engine, boolean checksHost) throws IOException {
        this.checksHost = checksHost;
        this.carrier = carrier;
        this.engine = engine;
        int sealedBytes = engine.getSession().getPacketBufferSize();
        this.sealedIn = empty(2 * sealedBytes);
        this.sealedOut = empty(2 * sealedBytes);
        this.plainIn = empty(engine.getSession().getApplicationBufferSize());
        engine.beginHandshake();
    }

    private static ByteBuffer empty(int capacity) {
        return ByteBuffer.allocate(capacity).limit(0);
    }

    @Override
    public SelectableChannel channel() {
        return carrier.channel();
    }

    @Override
    public synchronized int read(ByteBuffer target) throws IOException {
        int start = target.position();
        while (target.hasRemaining()) {
            if (plainIn.hasRemaining()) {
                copy(plainIn, target);
            } else if (!shakeHands() || !unseal()) {
                break;
            }
        }
        int bytes = target.position() - start;
        return bytes == 0 && ended ? -1 : bytes;
    }

    private static void copy(ByteBuffer source, ByteBuffer target) {
        int bytes = Math.min(source.remaining(), target.remaining());
        target.put(target.position(), source, source.position(), bytes);
        target.position(target.position() + bytes);
        source.position(source.position() + bytes);
    }

    /** Unseals one packet; false where there is none yet, or no more. */
    private boolean unseal() throws IOException {
        for (; ; ) {
            plainIn.clear();
            SSLEngineResult result;
            try {
                result = engine.unwrap(sealedIn, plainIn);
            } finally {
                plainIn.flip();
            }
            if (result.getStatus() == Status.OK) {
                return true;
            }
            if (result.getStatus() == Status.CLOSED) {
                ended = true;
                return false;
            }
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                plainIn = empty(2 * plainIn.capacity());
            } else if (!fill()) {
                return false;
            }
        }
    }

    private boolean fill() throws IOException {
        sealedIn.compact();
        int bytes;
        try {
            bytes = carrier.read(sealedIn);
        } finally {
            sealedIn.flip();
        }
        ended |= bytes < 0;
        return bytes > 0;
    }

    /** Goes on with the engine's handshake; returns false where that must wait for the other end. */
    private boolean shakeHands() throws IOException {
        for (; ; ) {
            HandshakeStatus status = engine.getHandshakeStatus();
            if (status == HandshakeStatus.NOT_HANDSHAKING || status == HandshakeStatus.FINISHED) {
                return true;
            }
            if (status == HandshakeStatus.NEED_TASK) {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            } else if (status == HandshakeStatus.NEED_WRAP) {
                seal(NOTHING);
                if (!flushed()) {
                    return false;
                }
            } else if (!unseal()) {
                return false;
            } else if (plainIn.hasRemaining()) {
                return true;
            }
        }
    }

    /** Seals as much of a source as fits, into an empty buffer. */
    private void seal(ByteBuffer source) throws IOException {
        sealedOut.compact();
        try {
            SSLEngineResult result = engine.wrap(source, sealedOut);
            if (result.getStatus() == Status.CLOSED) {
                throw new IOException("TLS is closed: peer=" + remote());
            }
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                ByteBuffer larger = ByteBuffer.allocate(2 * sealedOut.capacity());
                sealedOut = larger.put(sealedOut.flip());
            }
        } finally {
            sealedOut.flip();
        }
    }

    @Override
    public synchronized int write(ByteBuffer source) throws IOException {
        int start = source.position();
        while (source.hasRemaining() && flushed() && shakeHands()) {
            seal(source);
        }
        boolean isFlushed = flushed();
        if (ended
                && isFlushed
                && source.position() == start
                && source.hasRemaining()) { // or a writer would wait for input for ever
            throw new EOFException("TLS peer has closed the connection during the TLS handshake: peer=" + remote());
        }
        return source.position() - start;
    }

    @Override
    public synchronized boolean flushed() throws IOException {
        while (sealedOut.hasRemaining()) {
            if (carrier.write(sealedOut) == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public synchronized int awaits() {
        return sealedOut.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    }

    @Override
    public synchronized boolean hasMore() {
        return plainIn.hasRemaining() || sealedIn.hasRemaining();
    }

    @Override
    public void checkPeer(NodeName peer) throws IOException {
        if (checksHost) {
            Certificate shown = engine.getSession().getPeerCertificates()[0];
            List<String> hosts = shown instanceof X509Certificate x509 ? CertificateHosts.of(x509) : List.of();
            if (!CertificateHosts.contain(hosts, peer.host())) {
                throw new SSLPeerUnverifiedException(
                        "certificate does not name the peer's host: peer=" + peer + " certificateHosts=" + hosts);
            }
        }
    }

    @Override
    public int handshakeLengthBytes() {
        return Integer.BYTES;
    }

    @Override
    public boolean isEncrypted() {
        return true;
    }

    @Override
    public String remote() {
        return carrier.remote() + " (TLS)";
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            engine.closeOutbound();
            try {
                seal(NOTHING);
                boolean unused = flushed();
            } catch (IOException e) {
                // the other end is gone already
            }
        }
        carrier.close();
    }
}

package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeResult;
import dev.touchstone.messaging.identity.NodeName;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** An attempt to connect to an address and to shake hands, which another thread may give up. */
public final class Dialer implements Closeable {
    /*
     * All waiting is done here. Only the thread that waits closes it: a selector that is closed while a channel is registered breaks
     * the thread that closes it (NullPointerException in AbstractSelectableChannel.removeKey of JDK 17).
     */
    private final Selector selector = Selector.open();

    private volatile boolean isGivenUp;

    /**
     * Creates an attempt, to be closed when it has ended.
     *
     * @throws IOException if there is no file descriptor for it
     */
    public Dialer() throws IOException {}

    /**
     * A connection whose handshake is done.
     *
     * @param carrier carries the bytes
     * @param result outcome of the handshake, with the node at the other end
     */
    public record Dialed(Carrier carrier, HandshakeResult result) {}

    /**
     * Connects and shakes hands.
     *
     * @param address address to connect to
     * @param peer the node at this address
     * @param wrapping puts another carrier around the connection, as of TLS
     * @param handshake the initiator's side, at its start
     * @param timeoutNanos longest time for all of it
     * @param connected called when the address is connected, before anything is sent
     * @return the connection
     * @throws IOException if nobody listens there, the handshake fails, the time is up, or this attempt is given up; nothing stays open
     *     then
     */
    public Dialed dial(
            SocketAddress address,
            NodeName peer,
            Carrier.Wrapping wrapping,
            Handshake handshake,
            long timeoutNanos,
            Runnable connected)
            throws IOException {
        long start = System.nanoTime();
        SocketChannel channel = ChannelCarrier.open(address);
        Closeable open = channel;
        try {
            connect(channel, address, timeoutNanos);
            connected.run();
            Carrier carrier = wrapping.wrap(new ChannelCarrier(channel), peer);
            open = carrier;
            long left = Math.max(1, timeoutNanos - (System.nanoTime() - start));
            return new Dialed(
                    carrier, new HandshakeDriver(carrier, handshake, left).run(selector, () -> checkWanted(address)));
        } catch (SSLException e) {
            open.close(); // which tells the other end why
            throw new SSLException("TLS failed: peer=" + peer + " address=" + address + " cause=" + e.getMessage(), e);
        } catch (IOException | RuntimeException | Error e) {
            open.close();
            throw e;
        }
    }

    /** Ends the attempt, in whichever thread it runs; a connection that is made stays. */
    public void giveUp() {
        isGivenUp = true;
        selector.wakeup();
    }

    /** Frees what the attempt has used, once it has ended; for the thread that has made it. */
    @Override
    public void close() throws IOException {
        selector.close();
    }

    private void checkWanted(SocketAddress address) throws IOException {
        if (isGivenUp) {
            throw new IOException("attempt to connect was given up: address=" + address);
        }
    }

    private void connect(SocketChannel channel, SocketAddress address, long timeoutNanos) throws IOException {
        channel.configureBlocking(false);
        checkWanted(address);
        if (channel.connect(address)) {
            return;
        }
        SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
        int unused = selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
        checkWanted(address);
        if (!channel.finishConnect()) {
            throw new SocketTimeoutException("cannot connect in time: address=" + address);
        }
        key.cancel();
        selector.selectNow();
    }
}

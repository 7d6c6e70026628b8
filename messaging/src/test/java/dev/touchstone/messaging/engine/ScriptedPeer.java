package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.dist.Carrier;
import dev.touchstone.messaging.dist.Dialer;
import dev.touchstone.messaging.dist.Listener;
import dev.touchstone.messaging.epmd.StaticResolver;
import dev.touchstone.messaging.etf.AtomTable;
import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.handshake.AliveCheck;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeOptions;
import dev.touchstone.messaging.handshake.HandshakeResult;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A node that a test plays by hand: shakes hands with any flags, records each frame that it receives, and sends what the test says. Reads
 * only once {@link #read} was called.
 */
final class ScriptedPeer implements Closeable {
    static final NodeName NAME = NodeName.parse("scripted@localhost");
    static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final @Nullable Listener listener;
    private final LinkedBlockingQueue<Carrier> connected = new LinkedBlockingQueue<>();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final Map<Long, ByteArrayOutputStream> fragments =
            new HashMap<>(); // the reading thread's, as are the next two
    private final TermReader reader = new TermReader(new AtomTable(), DecodeLimits.DEFAULT.withMaxBytes(1 << 30));
    private ByteBuffer input = ByteBuffer.allocate(1 << 20);
    private @Nullable Carrier carrier;
    private volatile boolean closed;
    private volatile boolean ended;
    private long flags;

    /**
     * One frame as it was received.
     *
     * @param kind 112, or 68, 69 and 70 of those that begin with 131
     * @param control the control tuple; null where later fragments have it
     */
    record Seen(int kind, @Nullable Tuple control, @Nullable Term payload, int bytes) {
        int operation() {
            return control == null ? 0 : (int) ((Int) control.get(0)).value();
        }

        Term element(int at) {
            return control == null ? Int.of(0) : control.get(at);
        }
    }

    private ScriptedPeer(@Nullable Listener listener) {
        this.listener = listener;
    }

    /** Connects to a node. */
    static ScriptedPeer dial(Node node, long flags) throws IOException {
        ScriptedPeer peer = new ScriptedPeer(null);
        peer.flags = flags;
        try (Dialer dialer = new Dialer()) {
            peer.carrier = dialer.dial(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()),
                            node.name(),
                            Carrier.Wrapping.NONE,
                            Handshake.initiator(options(flags)),
                            WAIT_NANOS,
                            () -> {})
                    .carrier();
        }
        Nodes.await("the node knows the connection", () -> node.connected().contains(NAME));
        return peer;
    }

    /** Listens for a node, whose builder {@link #finder} changes. */
    static ScriptedPeer listen(long flags) throws IOException {
        ScriptedPeer[] made = new ScriptedPeer[1];
        Listener listener = new Listener(
                "scripted",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Carrier.Wrapping.NONE,
                WAIT_NANOS,
                () -> new Listener.Attempt() {
                    @Override
                    public Handshake handshake() {
                        return Handshake.acceptor(options(flags), peer -> AliveCheck.Verdict.OK);
                    }

                    @Override
                    public void prove(NodeName peer) {}

                    @Override
                    public void accept(Carrier carrier, HandshakeResult result) {
                        made[0].connected.add(carrier);
                    }

                    @Override
                    public void ended() {}
                });
        made[0] = new ScriptedPeer(listener);
        made[0].flags = flags;
        listener.start();
        return made[0];
    }

    /** Returns what finds this peer's port. */
    StaticResolver finder() throws IOException {
        int port = listener == null ? 0 : listener.port();
        return new StaticResolver(Map.of(NAME, new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    }

    /** Waits for the node that connects. */
    void accept() throws InterruptedException {
        carrier = connected.poll(WAIT_NANOS, TimeUnit.NANOSECONDS);
    }

    private static HandshakeOptions options(long flags) {
        return new HandshakeOptions(NAME, 1, flags, Nodes.COOKIE, null, new SecureRandom(), false);
    }

    static Pid pid(int id) {
        return Pid.of(NAME.atom(), id, 0, 1);
    }

    static Ref ref(int id) {
        return Ref.of(NAME.atom(), 1, id, 2, 3);
    }

    /** Starts the thread that reads and records. */
    ScriptedPeer read() {
        Thread thread = new Thread(this::readAll, "scripted-reader");
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    private void readAll() {
        try {
            while (!closed) {
                int bytes = carrier().read(input);
                if (bytes < 0) {
                    break;
                }
                if (bytes == 0 && input.hasRemaining()) {
                    LockSupport.parkNanos(100_000);
                }
                parse();
            }
        } catch (IOException e) {
            // the connection has ended
        }
        ended = true;
    }

    private void parse() {
        input.flip();
        while (input.remaining() >= Integer.BYTES
                && input.remaining() >= Integer.BYTES + input.getInt(input.position())) {
            byte[] frame = new byte[input.getInt()];
            input.get(frame);
            if (frame.length > 0) {
                seen.add(seen(frame));
            }
        }
        int needed = input.remaining() < Integer.BYTES ? 0 : Integer.BYTES + input.getInt(input.position());
        if (needed > input.capacity()) {
            input = ByteBuffer.allocate(needed).put(input);
        } else {
            input.compact();
        }
    }

    private Seen seen(byte[] frame) {
        int kind = frame[0] == 112 ? 112 : frame[1] & 0xff;
        if (kind == 112) {
            return terms(kind, frame, 2, true, frame.length);
        }
        if (kind == 68) {
            return terms(kind, frame, 3, false, frame.length);
        }
        ByteBuffer ids = ByteBuffer.wrap(frame, 2, 16);
        long sequence = ids.getLong();
        long left = ids.getLong();
        int data = kind == 69 ? 19 : 18;
        fragments
                .computeIfAbsent(sequence, none -> new ByteArrayOutputStream())
                .write(frame, data, frame.length - data);
        if (left > 1) {
            return new Seen(kind, null, null, frame.length);
        }
        return terms(kind, fragments.remove(sequence).toByteArray(), 0, false, frame.length);
    }

    private Seen terms(int kind, byte[] bytes, int at, boolean versioned, int length) {
        reader.reset(bytes, at, bytes.length - at);
        Tuple control = (Tuple) reader.read();
        Term payload = reader.remaining() == 0 ? null : versioned ? reader.readVersioned() : reader.read();
        return new Seen(kind, control, payload, length);
    }

    /** Sends a frame in the form that both understand. */
    void send(Tuple control, @Nullable Term payload) throws IOException {
        byte[] versioned = payload == null ? new byte[1] : TermWriter.encode(payload);
        send(control, Arrays.copyOfRange(versioned, 1, versioned.length), payload != null);
    }

    /** Sends a frame with a message that is given as bytes, without a version. */
    void sendEncoded(Tuple control, byte[] payload) throws IOException {
        send(control, payload, true);
    }

    private void send(Tuple control, byte[] payload, boolean hasPayload) throws IOException {
        TermWriter out = new TermWriter(256, 1 << 30);
        out.putInt(0);
        if (hasHeader()) {
            out.putByte(131);
            out.putByte(68);
            out.putByte(0);
        } else {
            out.putByte(112);
            out.writeVersion();
        }
        out.write(control);
        if (hasPayload) {
            if (!hasHeader()) {
                out.writeVersion();
            }
            out.putBytes(payload, 0, payload.length);
        }
        out.putIntAt(0, out.position() - Integer.BYTES);
        sendBytes(Arrays.copyOf(out.array(), out.position()));
    }

    private boolean hasHeader() {
        return (flags & LocalCapabilities.announced(true) & 0x2000) != 0;
    }

    void sendBytes(byte[] bytes) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(bytes);
        while (source.hasRemaining()) {
            if (carrier().write(source) == 0) {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    /** Sends a message to a mailbox. */
    void message(Pid to, Term message) throws IOException {
        send(Tuple.of(Int.of(Control.SEND), Atom.of(""), to), message);
    }

    List<Seen> seen() {
        return seen;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Returns the first frame that is wanted, once it is there. */
    Seen await(String what, Predicate<Seen> wanted) {
        Nodes.await(what, () -> seen.stream().anyMatch(wanted));
        return seen.stream().filter(wanted).findFirst().orElseThrow();
    }

    Seen await(int operation) {
        return await("operation=" + operation, frame -> frame.operation() == operation);
    }

    /** Returns once all that a mailbox has sent before has arrived here. */
    void barrier(Mailbox from, String tag) {
        Term marker = Tuple.of(Atom.of("barrier"), Atom.of(tag));
        from.send(pid(99), marker);
        await("barrier " + tag, frame -> marker.equals(frame.payload()));
    }

    /** Returns once the node has handled all that was sent before. */
    void roundTrip(Mailbox box, String tag) throws IOException, InterruptedException {
        Term marker = Tuple.of(Atom.of("round_trip"), Atom.of(tag));
        message(box.pid(), marker);
        Term answer = box.receive(marker::equals, Duration.ofSeconds(30));
        if (answer == null) {
            throw new AssertionError("message did not arrive: tag=" + tag);
        }
    }

    private Carrier carrier() throws IOException {
        Carrier known = carrier;
        if (known == null) {
            throw new IOException("not connected");
        }
        return known;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        if (carrier != null) {
            carrier.close();
        }
        if (listener != null) {
            listener.close();
        }
    }
}

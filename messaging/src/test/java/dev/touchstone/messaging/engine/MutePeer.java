package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.handshake.DistFlags;
import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeOptions;
import dev.touchstone.messaging.handshake.Step;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Tuple;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.SecureRandom;

/** A peer that knows the cookie and then does only what a test has it do: it reads nothing and sends no ticks. */
final class MutePeer implements AutoCloseable {
    private static final int REG_SEND = 6;

    private final NodeName name;
    private final Socket socket;
    private final DataOutputStream out;

    private MutePeer(NodeName name, Socket socket) throws IOException {
        this.name = name;
        this.socket = socket;
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    /** Connects to a node and returns once the node has the connection in use. */
    static MutePeer connect(Node node, String name) throws IOException {
        return connect(node, name, DistFlags.ANNOUNCED);
    }

    /** Connects to a node as a peer that announces certain flags. */
    static MutePeer connect(Node node, String name, long flags) throws IOException {
        NodeName self = NodeName.parse(name);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port());
        MutePeer peer = new MutePeer(self, socket);
        Handshake handshake = Handshake.initiator(
                new HandshakeOptions(self, 1, flags, Nodes.COOKIE, node.name(), new SecureRandom(), false));
        for (byte[] packet : handshake.start()) {
            peer.packet(packet);
        }
        DataInputStream in = new DataInputStream(socket.getInputStream());
        Step step;
        do {
            byte[] packet = new byte[in.readUnsignedShort()];
            in.readFully(packet);
            step = handshake.received(packet);
            for (byte[] answer : step.toSend()) {
                peer.packet(answer);
            }
        } while (step.done() == null);
        Nodes.await("connected", () -> node.connected().contains(self));
        return peer;
    }

    private void packet(byte[] packet) throws IOException {
        out.writeShort(packet.length);
        out.write(packet);
        out.flush();
    }

    /** Writes bytes as they are. */
    void write(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Sends bytes as the message to the mailbox of a name. */
    void regSend(String mailbox, byte[] message) throws IOException {
        Pid from = Pid.of(name.atom(), 1, 0, 1);
        byte[] control = TermWriter.encode(Tuple.of(Int.of(REG_SEND), from, Atom.of(""), Atom.of(mailbox)));
        out.writeInt(1 + control.length + message.length);
        out.write('p');
        out.write(control);
        out.write(message);
        out.flush();
    }

    /** Closes the connection. */
    void cut() throws IOException {
        socket.close();
    }

    boolean isOpen() {
        return !socket.isClosed();
    }

    @Override
    public void close() throws IOException {
        cut();
    }
}

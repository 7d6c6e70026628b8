package dev.touchstone.benchmarks.messaging.peer;

import com.ericsson.otp.erlang.OtpEpmd;
import com.ericsson.otp.erlang.OtpErlangAtom;
import com.ericsson.otp.erlang.OtpErlangBinary;
import com.ericsson.otp.erlang.OtpErlangDecodeException;
import com.ericsson.otp.erlang.OtpErlangExit;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangPid;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpMbox;
import com.ericsson.otp.erlang.OtpNode;
import dev.touchstone.messaging.epmd.EpmdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * jinterface as its documentation shows it. What it cannot send it drops in silence, so the first echo of each server is waited for with a
 * limit. {@link DropIn} loads this class a second time, over our classes of the same names.
 */
public final class JinterfaceEchoAdapter implements EchoUnderTest {

    private static final String COOKIE = "touchstone";
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final EchoShape shape;
    private final EpmdServer epmd;
    private final OtpNode clientNode;
    private final List<Server> servers = new ArrayList<>();

    private JinterfaceEchoAdapter(EchoShape shape) throws IOException {
        this.shape = shape;
        epmd = EpmdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        OtpEpmd.useEpmdPort(epmd.port());
        clientNode = new OtpNode("clients@localhost", COOKIE);
        while (servers.size() < shape.servers()) {
            Server server = new Server(new OtpNode("server" + servers.size() + "@localhost", COOKIE));
            servers.add(server);
            connect(server.mailbox.self());
        }
    }

    /** Starts and connects the nodes. */
    public static EchoUnderTest open(EchoShape shape) throws IOException {
        return new JinterfaceEchoAdapter(shape);
    }

    @Override
    public Client client(int index) {
        OtpMbox mailbox = clientNode.createMbox();
        OtpErlangPid to = servers.get(index % servers.size()).mailbox.self();
        OtpErlangPid self = mailbox.self();
        OtpErlangObject request = shape.body()
                .<OtpErlangObject>map(body -> new OtpErlangTuple(
                        new OtpErlangObject[] {self, body.build(JinterfaceTermAdapter.Factory.INSTANCE)}))
                .orElse(self);
        return () -> {
            mailbox.send(to, request);
            return receive(mailbox);
        };
    }

    @Override
    public Object plain(Object answer) {
        return JinterfaceTermAdapter.plainOf(answer);
    }

    @Override
    public void close() throws IOException {
        for (Server server : servers) {
            server.stop();
        }
        close(clientNode);
        servers.forEach(server -> close(server.node));
        epmd.close();
    }

    /** Closes a node; the library's own walk over its connections fails where one of them ends by itself meanwhile. */
    static void close(OtpNode node) {
        boolean closed = false;
        while (!closed) {
            try {
                node.close();
                closed = true;
            } catch (ConcurrentModificationException e) {
                Thread.onSpinWait(); // each failure has one connection less to walk over
            }
        }
    }

    /** Receives as the library does, but wraps its own exceptions in an {@code IOException}. */
    static OtpErlangObject receive(OtpMbox mailbox) throws IOException {
        try {
            return mailbox.receive();
        } catch (OtpErlangExit | OtpErlangDecodeException e) {
            throw new IOException(e);
        }
    }

    private void connect(OtpErlangPid server) throws IOException {
        OtpMbox mailbox = clientNode.createMbox();
        mailbox.send(server, mailbox.self());
        try {
            if (mailbox.receive(PATIENCE_MILLIS) == null) {
                throw new IOException("no answer within " + PATIENCE_MILLIS + " ms");
            }
        } catch (OtpErlangExit | OtpErlangDecodeException e) {
            throw new IOException(e);
        }
        mailbox.close();
    }

    /** A node with a mailbox that a thread answers from. */
    private static final class Server {

        final OtpNode node;
        final OtpMbox mailbox;
        private final ServerThread serving;

        Server(OtpNode node) {
            this.node = node;
            mailbox = node.createMbox("echo");
            serving = new ServerThread(this::serve);
        }

        private void serve() throws IOException {
            OtpErlangObject answer = new OtpErlangBinary(EchoUnderTest.answer());
            OtpErlangObject message = receive(mailbox);
            while (!(message instanceof OtpErlangAtom)) {
                if (message instanceof OtpErlangPid client) {
                    mailbox.send(client, answer);
                } else {
                    OtpErlangTuple request = (OtpErlangTuple) message;
                    mailbox.send((OtpErlangPid) request.elementAt(0), request.elementAt(1));
                }
                message = receive(mailbox);
            }
        }

        void stop() throws IOException {
            node.createMbox().send(mailbox.self(), new OtpErlangAtom("stop"));
            serving.close();
        }
    }
}

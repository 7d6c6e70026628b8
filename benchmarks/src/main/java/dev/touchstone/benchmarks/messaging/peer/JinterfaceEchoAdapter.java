package dev.touchstone.benchmarks.messaging.peer;

import com.ericsson.otp.erlang.OtpEpmd;
import com.ericsson.otp.erlang.OtpErlangAtom;
import com.ericsson.otp.erlang.OtpErlangBinary;
import com.ericsson.otp.erlang.OtpErlangDecodeException;
import com.ericsson.otp.erlang.OtpErlangExit;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangPid;
import com.ericsson.otp.erlang.OtpMbox;
import com.ericsson.otp.erlang.OtpNode;
import dev.touchstone.messaging.epmd.EpmdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;

/** jinterface as its documentation shows it. What it cannot send it drops in silence, so the first echo is waited for with a limit. */
public final class JinterfaceEchoAdapter implements EchoUnderTest {

    private static final String COOKIE = "touchstone";
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final EpmdServer epmd;
    private final OtpNode serverNode;
    private final OtpNode clientNode;
    private final OtpMbox server;
    private final ServerThread serving;

    private JinterfaceEchoAdapter() throws IOException {
        epmd = EpmdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        OtpEpmd.useEpmdPort(epmd.port());
        serverNode = new OtpNode("server@localhost", COOKIE);
        clientNode = new OtpNode("clients@localhost", COOKIE);
        server = serverNode.createMbox("echo");
        serving = new ServerThread(this::serve);
        connect();
    }

    /** Starts and connects both nodes. */
    public static EchoUnderTest open(int clients) throws IOException {
        return new JinterfaceEchoAdapter();
    }

    @Override
    public Client client(int index) {
        OtpMbox mailbox = clientNode.createMbox();
        OtpErlangPid to = server.self();
        OtpErlangPid self = mailbox.self();
        return () -> {
            mailbox.send(to, self);
            return receive(mailbox);
        };
    }

    @Override
    public byte[] bytes(Object answer) {
        return ((OtpErlangBinary) answer).binaryValue();
    }

    @Override
    public void close() throws IOException {
        serverNode.createMbox().send(server.self(), new OtpErlangAtom("stop"));
        serving.close();
        close(clientNode);
        close(serverNode);
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

    /** As the library's own, with exceptions that others know. */
    static OtpErlangObject receive(OtpMbox mailbox) throws IOException {
        try {
            return mailbox.receive();
        } catch (OtpErlangExit | OtpErlangDecodeException e) {
            throw new IOException(e);
        }
    }

    private void connect() throws IOException {
        OtpMbox mailbox = clientNode.createMbox();
        mailbox.send(server.self(), mailbox.self());
        try {
            if (mailbox.receive(PATIENCE_MILLIS) == null) {
                throw new IOException("no answer within " + PATIENCE_MILLIS + " ms");
            }
        } catch (OtpErlangExit | OtpErlangDecodeException e) {
            throw new IOException(e);
        }
        mailbox.close();
    }

    private void serve() throws IOException {
        OtpErlangObject answer = new OtpErlangBinary(EchoUnderTest.answer());
        OtpErlangObject message = receive(server);
        while (message instanceof OtpErlangPid client) {
            server.send(client, answer);
            message = receive(server);
        }
    }
}

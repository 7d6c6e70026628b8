package dev.touchstone.benchmarks.messaging.peer;

import dev.touchstone.messaging.epmd.EpmdServer;
import io.appulse.encon.Node;
import io.appulse.encon.mailbox.Mailbox;
import io.appulse.encon.terms.Erlang;
import io.appulse.encon.terms.ErlangTerm;
import io.appulse.encon.terms.type.ErlangPid;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** encon as in its own benchmark. It registers at the host's own address, so its EPMD listens on all. */
public final class EnconEchoAdapter implements EchoUnderTest {

    private static final long PATIENCE_SECONDS = 10;

    private final EpmdServer epmd;
    private final Node serverNode;
    private final Node clientNode;
    private final Mailbox server;
    private final ServerThread serving;

    private EnconEchoAdapter() throws IOException {
        epmd = EpmdServer.start(new InetSocketAddress(0));
        serverNode = EnconNodes.start("server", epmd.port());
        clientNode = EnconNodes.start("clients", epmd.port());
        server = serverNode.mailbox().name("echo").build();
        serving = new ServerThread(this::serve);
        EnconNodes.introduce(serverNode, clientNode);
        connect();
    }

    /** Starts and connects both nodes. */
    public static EchoUnderTest open(int clients) throws IOException {
        return new EnconEchoAdapter();
    }

    @Override
    public Client client(int index) {
        Mailbox mailbox = clientNode.mailbox().build();
        ErlangPid to = server.getPid();
        ErlangPid self = mailbox.getPid();
        return () -> {
            mailbox.send(to, self);
            return mailbox.receive().getBody();
        };
    }

    @Override
    public byte[] bytes(Object answer) {
        return ((ErlangTerm) answer).asBinary();
    }

    @Override
    public void close() throws IOException {
        serverNode.mailbox().build().send(server.getPid(), Erlang.atom("stop"));
        serving.close();
        clientNode.close();
        serverNode.close();
        epmd.close();
    }

    private void connect() throws IOException {
        Mailbox mailbox = clientNode.mailbox().build();
        mailbox.send(server.getPid(), mailbox.getPid());
        if (mailbox.receive(PATIENCE_SECONDS, TimeUnit.SECONDS) == null) {
            throw new IOException("no answer within " + PATIENCE_SECONDS + " s");
        }
        mailbox.close();
    }

    private void serve() {
        ErlangTerm answer = Erlang.binary(EchoUnderTest.answer());
        ErlangTerm message = server.receive().getBody();
        while (message.isPid()) {
            server.send(message.asPid(), answer);
            message = server.receive().getBody();
        }
    }
}

package dev.touchstone.benchmarks.messaging.peer;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.epmd.EpmdServer;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Our nodes as the builder makes them, all limits on. */
public final class OursEchoAdapter implements EchoUnderTest {

    private final EpmdServer epmd;
    private final Node serverNode;
    private final Node clientNode;
    private final Mailbox server;
    private final ServerThread serving;

    private OursEchoAdapter() throws IOException {
        epmd = EpmdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        serverNode = start("server", epmd);
        clientNode = start("clients", epmd);
        server = serverNode.mailbox("echo");
        serving = new ServerThread(this::serve);
        clientNode.connect(serverNode.name());
    }

    /** Starts and connects both nodes. */
    public static EchoUnderTest open(int clients) throws IOException {
        return new OursEchoAdapter();
    }

    @Override
    public Client client(int index) {
        Mailbox mailbox = clientNode.mailbox();
        Pid to = server.pid();
        Pid self = mailbox.pid();
        return () -> {
            mailbox.send(to, self);
            return mailbox.receive();
        };
    }

    @Override
    public byte[] bytes(Object answer) {
        return ((Binary) answer).toByteArray();
    }

    @Override
    public void close() throws IOException {
        try (Mailbox stopping = serverNode.mailbox()) {
            stopping.send(server.pid(), Atom.of("stop"));
        }
        serving.close();
        clientNode.close();
        serverNode.close();
        epmd.close();
    }

    private void serve() throws InterruptedException {
        Term answer = Binary.of(EchoUnderTest.answer());
        Term message = server.receive();
        while (message instanceof Pid client) {
            server.send(client, answer);
            message = server.receive();
        }
    }

    private static Node start(String name, EpmdServer epmd) throws IOException {
        return Node.builder(name + "@localhost")
                .cookie(Cookie.of("touchstone"))
                .epmd(new InetSocketAddress(InetAddress.getLoopbackAddress(), epmd.port()))
                .start();
    }
}

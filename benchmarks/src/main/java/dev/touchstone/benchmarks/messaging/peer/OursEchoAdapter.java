package dev.touchstone.benchmarks.messaging.peer;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.epmd.EpmdServer;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Our nodes as the builder makes them, all limits on. */
public final class OursEchoAdapter implements EchoUnderTest {

    private final EchoShape shape;
    private final EpmdServer epmd;
    private final Node clientNode;
    private final List<Server> servers = new ArrayList<>();

    private OursEchoAdapter(EchoShape shape) throws IOException {
        this.shape = shape;
        epmd = EpmdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        clientNode = start("clients", epmd);
        while (servers.size() < shape.servers()) {
            Server server = new Server(start("server" + servers.size(), epmd));
            servers.add(server);
            clientNode.connect(server.node.name());
        }
    }

    /** Starts and connects the nodes. */
    public static EchoUnderTest open(EchoShape shape) throws IOException {
        return new OursEchoAdapter(shape);
    }

    @Override
    public Client client(int index) {
        Mailbox mailbox = clientNode.mailbox();
        Pid to = servers.get(index % servers.size()).mailbox.pid();
        Pid self = mailbox.pid();
        Term request = shape.body()
                .<Term>map(body -> Tuple.of(self, body.build(OursTermAdapter.Factory.INSTANCE)))
                .orElse(self);
        return () -> {
            mailbox.send(to, request);
            return mailbox.receive();
        };
    }

    @Override
    public Object plain(Object answer) {
        return OursTermAdapter.plainOf(answer);
    }

    @Override
    public void close() throws IOException {
        for (Server server : servers) {
            server.stop();
        }
        clientNode.close();
        servers.forEach(server -> server.node.close());
        epmd.close();
    }

    private static Node start(String name, EpmdServer epmd) throws IOException {
        return Node.builder(name + "@localhost")
                .cookie(Cookie.of("touchstone"))
                .epmd(new InetSocketAddress(InetAddress.getLoopbackAddress(), epmd.port()))
                .start();
    }

    /** A node with a mailbox that a thread answers from. */
    private static final class Server {

        final Node node;
        final Mailbox mailbox;
        private final ServerThread serving;

        Server(Node node) {
            this.node = node;
            mailbox = node.mailbox("echo");
            serving = new ServerThread(this::serve);
        }

        private void serve() throws InterruptedException {
            Term answer = Binary.of(EchoUnderTest.answer());
            Term message = mailbox.receive();
            while (!(message instanceof Atom)) {
                if (message instanceof Pid client) {
                    mailbox.send(client, answer);
                } else {
                    Tuple request = (Tuple) message;
                    mailbox.send((Pid) request.get(0), request.get(1));
                }
                message = mailbox.receive();
            }
        }

        void stop() throws IOException {
            try (Mailbox stopping = node.mailbox()) {
                stopping.send(mailbox.pid(), Atom.of("stop"));
            }
            serving.close();
        }
    }
}

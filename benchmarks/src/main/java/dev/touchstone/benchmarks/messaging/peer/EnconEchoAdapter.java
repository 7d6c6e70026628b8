package dev.touchstone.benchmarks.messaging.peer;

import dev.touchstone.messaging.epmd.EpmdServer;
import io.appulse.encon.Node;
import io.appulse.encon.mailbox.Mailbox;
import io.appulse.encon.terms.Erlang;
import io.appulse.encon.terms.ErlangTerm;
import io.appulse.encon.terms.type.ErlangPid;
import io.appulse.encon.terms.type.ErlangTuple;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** encon as in its own benchmark. It registers at the host's own address, so its EPMD listens on all. */
public final class EnconEchoAdapter implements EchoUnderTest {

    private static final long PATIENCE_SECONDS = 10;
    private static final int MAX_FAILURES = 12;
    private static final int FEW_WORKERS = 2;

    private final EchoShape shape;
    private final EpmdServer epmd;
    private final Node clientNode;
    private final List<Server> servers = new ArrayList<>();

    private EnconEchoAdapter(EchoShape shape, int workers) throws IOException {
        this.shape = shape;
        epmd = EpmdServer.start(new InetSocketAddress(0));
        clientNode = EnconNodes.start("clients", epmd.port(), workers);
        for (int failures = 0; servers.size() < shape.servers(); ) {
            Server server = new Server(EnconNodes.start("server" + servers.size(), epmd.port(), workers));
            EnconNodes.introduce(server.node, clientNode);
            if (connects(server.mailbox.getPid())) {
                servers.add(server);
            } else {
                server.stop();
                server.node.close();
                failures++;
            }
            if (failures == MAX_FAILURES) {
                throw new IOException("no answer: servers=" + servers.size() + " failures=" + failures);
            }
        }
    }

    /** Starts and connects the nodes. */
    public static EchoUnderTest open(EchoShape shape) throws IOException {
        return new EnconEchoAdapter(shape, EnconNodes.WORKERS);
    }

    /** Starts and connects the nodes, with two workers each. */
    public static EchoUnderTest openFewWorkers(EchoShape shape) throws IOException {
        return new EnconEchoAdapter(shape, FEW_WORKERS);
    }

    @Override
    public Client client(int index) {
        Mailbox mailbox = clientNode.mailbox().build();
        ErlangPid to = servers.get(index % servers.size()).mailbox.getPid();
        ErlangPid self = mailbox.getPid();
        ErlangTerm request = shape.body()
                .<ErlangTerm>map(body -> Erlang.tuple(self, body.build(EnconTermAdapter.Factory.INSTANCE)))
                .orElse(self);
        return () -> {
            mailbox.send(to, request);
            return mailbox.receive().getBody();
        };
    }

    @Override
    public Object plain(Object answer) {
        return EnconTermAdapter.plainOf(answer);
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

    /**
     * Makes the connection. Now and then an attempt hangs until encon's limit of 5 s, and so does every later one to the same node: another
     * node is needed.
     */
    @SuppressWarnings("CatchingUnchecked") // a TimeoutException that encon does not declare
    private boolean connects(ErlangPid server) {
        Mailbox mailbox = clientNode.mailbox().build();
        try {
            mailbox.send(server, mailbox.getPid());
            return mailbox.receive(PATIENCE_SECONDS, TimeUnit.SECONDS) != null;
        } catch (Exception e) {
            return false;
        } finally {
            mailbox.close();
        }
    }

    /** A node with a mailbox that a thread answers from. */
    private static final class Server {

        final Node node;
        final Mailbox mailbox;
        private final ServerThread serving;

        Server(Node node) {
            this.node = node;
            mailbox = node.mailbox().name("echo").build();
            serving = new ServerThread(this::serve);
        }

        private void serve() {
            ErlangTerm answer = Erlang.binary(EchoUnderTest.answer());
            ErlangTerm message = mailbox.receive().getBody();
            while (!message.isAtom()) {
                if (message.isPid()) {
                    mailbox.send(message.asPid(), answer);
                } else {
                    ErlangTuple request = message.asTuple();
                    mailbox.send(request.getUnsafe(0).asPid(), request.getUnsafe(1));
                }
                message = mailbox.receive().getBody();
            }
        }

        void stop() throws IOException {
            node.mailbox().build().send(mailbox.getPid(), Erlang.atom("stop"));
            serving.close();
        }
    }
}

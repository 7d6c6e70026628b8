package dev.touchstone.benchmarks.messaging.peer;

import dev.touchstone.messaging.epmd.EpmdServer;
import io.appulse.encon.Node;
import io.appulse.encon.mailbox.Mailbox;
import io.appulse.encon.terms.Erlang;
import io.appulse.encon.terms.ErlangTerm;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A node of encon with two mailboxes. */
public final class EnconMailboxAdapter implements MailboxUnderTest {

    private final EpmdServer epmd;
    private final Node node;
    private final Mailbox first;
    private final Mailbox second;
    private final ErlangTerm message = Erlang.binary(EchoUnderTest.answer());

    private EnconMailboxAdapter() throws IOException {
        epmd = EpmdServer.start(new InetSocketAddress(0));
        node = EnconNodes.start("mailboxes", epmd.port(), EnconNodes.WORKERS);
        first = node.mailbox().build();
        second = node.mailbox().build();
    }

    /** Starts the node. */
    public static MailboxUnderTest open() throws IOException {
        return new EnconMailboxAdapter();
    }

    @Override
    public Object thereAndBack() {
        first.send(second.getPid(), message);
        ErlangTerm there = second.receive().getBody();
        second.send(first.getPid(), there);
        return first.receive().getBody();
    }

    @Override
    public void plant(byte[] bytes) {
        node.mailbox().build().send(second.getPid(), Erlang.binary(bytes));
    }

    @Override
    public byte[] bytes(Object message) {
        return ((ErlangTerm) message).asBinary();
    }

    @Override
    public void close() throws IOException {
        node.close();
        epmd.close();
    }
}

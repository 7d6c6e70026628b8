package dev.touchstone.benchmarks.messaging.peer;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.epmd.StaticResolver;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.util.Map;

/** A node of ours with the builder's defaults. */
public final class OursMailboxAdapter implements MailboxUnderTest {

    private final Node node;
    private final Mailbox first;
    private final Mailbox second;
    private final Term message = Binary.of(EchoUnderTest.answer());

    private OursMailboxAdapter() throws IOException {
        node = Node.builder("mailboxes@localhost")
                .cookie(Cookie.of("touchstone"))
                .resolver(new StaticResolver(Map.of()))
                .start();
        first = node.mailbox();
        second = node.mailbox();
    }

    /** Starts the node. */
    public static MailboxUnderTest open() throws IOException {
        return new OursMailboxAdapter();
    }

    @Override
    public Object thereAndBack() throws InterruptedException {
        first.send(second.pid(), message);
        Term there = second.receive();
        second.send(first.pid(), there);
        return first.receive();
    }

    @Override
    public void plant(byte[] bytes) {
        try (Mailbox stranger = node.mailbox()) {
            stranger.send(second.pid(), Binary.of(bytes));
        }
    }

    @Override
    public byte[] bytes(Object message) {
        return ((Binary) message).toByteArray();
    }

    @Override
    public void close() {
        node.close();
    }
}

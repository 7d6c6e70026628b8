package dev.touchstone.messaging.samples;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.Objects;

/** A server with a name sends back what it gets; whoever wants an answer sends its pid along. */
final class Echo {
    private Echo() {}

    /** The server: takes one message of the form {@code {From, Term}} and answers with {@code {Pid, Term}}. */
    static void serveOne(Mailbox server) throws InterruptedException {
        if (server.receive() instanceof Tuple message && message.size() == 2 && message.get(0) instanceof Pid from) {
            server.send(from, Tuple.of(server.pid(), message.get(1)));
        } // else somebody else's message: passed over
    }

    /** The client: {@code {echo, 'server@host'} ! {self(), Term}}, and what comes back. */
    static Term ask(Node node, NodeName server, Term term) throws InterruptedException {
        try (Mailbox client = node.mailbox()) {
            client.send("echo", server, Tuple.of(client.pid(), term));
            Tuple answer = (Tuple) Objects.requireNonNull(client.receive(Samples.TIMEOUT), "no answer");
            return answer.get(1);
        }
    }
}

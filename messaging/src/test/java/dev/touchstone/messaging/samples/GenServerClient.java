package dev.touchstone.messaging.samples;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.function.UnaryOperator;

/** {@code gen_server:call(...)} from Java, and a server in Java that answers such calls. */
final class GenServerClient {
    private static final Atom CALL = Atom.of("$gen_call");

    private GenServerClient() {}

    /** Asks a server by its name: {@code gen_server:call({adder, 'server@host'}, {add, A, B})}. */
    static long add(Node node, NodeName server, long a, long b) throws InterruptedException {
        try (Mailbox client = node.mailbox()) {
            Term request = Tuple.of(Atom.of("add"), Int.of(a), Int.of(b));
            return ((Int) client.call("adder", server, request, Samples.TIMEOUT)).value();
        }
    }

    /** What a call says of a server that is not there: it does not wait for its timeout. */
    static Term reasonOfACallToNobody(Node node, NodeName server) throws InterruptedException {
        try (Mailbox client = node.mailbox()) {
            return client.call("nobody", server, Atom.of("hello"), Samples.TIMEOUT);
        } catch (MessagingException.CallFailed e) {
            return e.reason(); // noproc
        }
    }

    /** The server's side: takes one call and replies. */
    static void serveOne(Mailbox server, UnaryOperator<Term> answers) throws InterruptedException {
        if (server.receive() instanceof Tuple call && call.is(CALL, 3)) {
            server.reply(call.get(1), answers.apply(call.get(2)));
        }
    }
}

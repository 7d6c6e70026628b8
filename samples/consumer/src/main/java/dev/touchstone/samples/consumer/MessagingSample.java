package dev.touchstone.samples.consumer;

import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.nio.file.Path;
import java.time.Duration;

/** Sends a message from one mailbox of a node to another, and an answer back. */
final class MessagingSample implements Sample {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @Override
    public void run(Path folder) throws Exception {
        String name = "consumer" + ProcessHandle.current().pid() + "@localhost";
        try (Node node = Node.builder(name).cookie(Cookie.of("secret")).start();
                Mailbox client = node.mailbox();
                Mailbox server = node.mailbox("echo")) {
            client.send("echo", Tuple.of(client.pid(), Atom.of("hello")));
            Term request = server.receive(TIMEOUT);
            if (!(request instanceof Tuple pair) || !(pair.get(0) instanceof Pid from)) {
                throw new IllegalStateException("request=" + request);
            }
            server.send(from, pair.get(1));
            Term answer = client.receive(TIMEOUT);
            Sample.check("hello", String.valueOf(answer));
        }
    }
}

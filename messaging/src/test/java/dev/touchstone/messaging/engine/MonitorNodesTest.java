package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeType;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Mailboxes that are told of all nodes that come and go. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MonitorNodesTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Atom UP = Atom.of("nodeup");
    private static final Atom DOWN = Atom.of("nodedown");
    private static final Term HIDDEN = Tuple.of(Atom.of("node_type"), Atom.of("hidden"));
    private static final Term VISIBLE = Tuple.of(Atom.of("node_type"), Atom.of("visible"));

    private Nodes nodes;

    @BeforeEach
    void start() throws IOException {
        nodes = new Nodes();
    }

    @AfterEach
    void stop() throws IOException {
        nodes.close();
    }

    private static Term because(String reason) {
        return Tuple.of(Atom.of("nodedown_reason"), Atom.of(reason));
    }

    @Test
    void monitorNodes_tellsOfEachNodeUntilItIsStopped() throws Exception {
        Node a = nodes.start("a");
        Node b = nodes.start("b");
        Mailbox box = a.mailbox("box");
        box.monitorNodes(true);
        box.monitorNodes(true);
        box.monitorNode(b.name());
        Mailbox there = b.mailbox();
        there.send("box", a.name(), Atom.of("hello"));
        assertThat(box.receive(LONG)).isEqualTo(Tuple.of(UP, b.name().atom()));
        assertThat(box.receive(LONG)).isEqualTo(Atom.of("hello"));
        assertThat(b.disconnect(a.name())).isTrue();
        Term down = Tuple.of(DOWN, b.name().atom());
        assertThat(box.receive(LONG)).isEqualTo(down);
        assertThat(box.receive(LONG)).as("of monitorNode").isEqualTo(down);
        box.monitorNodes(false);
        there.send("box", a.name(), Atom.of("again"));
        assertThat(box.receive(LONG)).isEqualTo(Atom.of("again"));
    }

    @Test
    void monitorNodes_ofATypeOfNodes_tellsOfThoseWithProperties() throws Exception {
        Node a = nodes.start(nodes.builder("a").hidden(false));
        Node b = nodes.start(nodes.builder("b").hidden(false));
        Node c = nodes.start("c");
        Mailbox all = a.mailbox();
        Mailbox hidden = a.mailbox();
        Mailbox visible = a.mailbox();
        all.monitorNodes(NodeType.ALL, true);
        hidden.monitorNodes(NodeType.HIDDEN, true);
        visible.monitorNodes(NodeType.VISIBLE, true);
        a.connect(b.name());
        a.connect(c.name());
        assertThat(a.disconnect(b.name())).isTrue();
        c.close();

        Term bUp = Tuple.of(UP, b.name().atom(), ErlList.of(VISIBLE));
        Term bDown = Tuple.of(DOWN, b.name().atom(), ErlList.of(because("disconnect"), VISIBLE));
        Term cUp = Tuple.of(UP, c.name().atom(), ErlList.of(HIDDEN));
        Term cDown = Tuple.of(DOWN, c.name().atom(), ErlList.of(because("connection_closed"), HIDDEN));
        for (Term expected : List.of(bUp, cUp, bDown, cDown)) {
            assertThat(all.receive(LONG)).isEqualTo(expected);
        }
        assertThat(hidden.receive(LONG)).isEqualTo(cUp);
        assertThat(hidden.receive(LONG)).isEqualTo(cDown);
        assertThat(visible.receive(LONG)).isEqualTo(bUp);
        assertThat(visible.receive(LONG)).isEqualTo(bDown);
    }

    @Test
    void monitorNodes_whenAPeerFallsSilent_givesTheReason() throws Exception {
        Node a = nodes.start(nodes.builder("a").tickTime(Duration.ofMillis(200)));
        Mailbox box = a.mailbox();
        box.monitorNodes(NodeType.ALL, true);
        Atom silent = Atom.of("silent@localhost");
        try (MutePeer peer = MutePeer.connect(a, "silent@localhost")) {
            assertThat(box.receive(LONG)).isEqualTo(Tuple.of(UP, silent, ErlList.of(HIDDEN)));
            assertThat(box.receive(LONG))
                    .isEqualTo(Tuple.of(DOWN, silent, ErlList.of(because("net_tick_timeout"), HIDDEN)));
            assertThat(peer.isOpen()).isTrue();
        }
    }

    @Test
    void monitorNodes_whileConnectionsAreMadeAndCutByBoth_alternates() throws Exception {
        Node a = nodes.start("a");
        Node b = nodes.start("b");
        Mailbox box = a.mailbox();
        box.monitorNodes(true);
        List<Thread> threads = new ArrayList<>();
        for (Node node : List.of(a, b)) {
            Node other = node.equals(a) ? b : a;
            threads.add(new Thread(() -> {
                for (int i = 0; i < 200; i++) {
                    try {
                        node.connect(other.name());
                    } catch (IOException e) {
                        // the other node has just cut it
                    }
                    boolean unused = node.disconnect(other.name());
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        boolean unused = a.disconnect(b.name());
        unused = b.disconnect(a.name());
        Nodes.await("nothing is connected", () -> a.connected().isEmpty());
        boolean isUp = false;
        int messages = 0;
        for (Term next = box.receive(Duration.ZERO); next != null; next = box.receive(Duration.ZERO)) {
            assertThat(((Tuple) next).get(0)).isEqualTo(isUp ? DOWN : UP);
            isUp = !isUp;
            messages++;
        }
        assertThat(messages).isGreaterThan(1);
    }
}

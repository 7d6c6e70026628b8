package dev.touchstone.messaging.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A term that is legal in Erlang and beyond a limit of this node: it concerns whoever it is for, and not its connection. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway.Init") // each test calls start first
class UnreadableTermTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long HEADER = 0x2000;
    private static final Pid OTHER = ScriptedPeer.pid(1);
    private static final Pid THIRD = ScriptedPeer.pid(3);
    private static final Ref REF = Ref.of(ScriptedPeer.NAME.atom(), 1, 1, 2, 3);
    private static final Atom MARK = Atom.of("mark of the place");
    private static final String REFUSAL = "{badrpc,{'EXIT',system_limit}}";

    private Nodes nodes;
    private LocalNode node;
    private ScriptedPeer peer;
    private LocalMailbox box;

    private void start(boolean hasHeader) throws IOException {
        long flags = LocalCapabilities.announced(true);
        nodes = new Nodes();
        node = nodes.start("node");
        node.handler("m", "f", arguments -> Atom.OK);
        peer = ScriptedPeer.dial(node, hasHeader ? flags | HEADER : flags & ~HEADER)
                .read();
        box = node.mailbox();
    }

    @AfterEach
    void stop() throws IOException {
        peer.close();
        nodes.close();
    }

    /** Returns twelve maps, each the key of the next, without a version. */
    private static byte[] deep() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < 12; i++) {
            out.writeBytes(new byte[] {116, 0, 0, 0, 1});
        }
        for (int i = 0; i < 13; i++) {
            out.writeBytes(new byte[] {97, 1});
        }
        return out.toByteArray();
    }

    /** Returns a term without a version, with the deep one in the place of {@link #MARK}. */
    private static byte[] withDeep(Term term) {
        String bytes = new String(TermWriter.encode(term), StandardCharsets.ISO_8859_1);
        String mark = new String(TermWriter.encode(MARK), StandardCharsets.ISO_8859_1);
        assertThat(bytes).contains(mark.substring(1));
        return bytes.substring(1)
                .replace(mark.substring(1), new String(deep(), StandardCharsets.ISO_8859_1))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Tuple control(int operation, Term... elements) {
        Term[] all = new Term[elements.length + 1];
        all[0] = Int.of(operation);
        System.arraycopy(elements, 0, all, 1, elements.length);
        return Tuple.of(all);
    }

    private Term received() throws InterruptedException {
        return requireNonNull(box.receive(LONG), "nothing received");
    }

    private void assertStillConnected(long unreadable) throws Exception {
        peer.roundTrip(box, "still there");
        assertThat(peer.hasEnded()).isFalse();
        assertThat(node.stats().malformed()).isEqualTo(unreadable);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reasons_beyondALimit_areToldAsSystemLimit(boolean hasHeader) throws Exception {
        start(hasHeader);
        box.link(OTHER);
        peer.sendEncoded(control(Control.PAYLOAD_EXIT, OTHER, box.pid()), deep());
        assertThat(received()).isEqualTo(Tuple.of(Atom.of("EXIT"), OTHER, Atom.of("system_limit")));
        peer.sendEncoded(control(Control.PAYLOAD_EXIT2, OTHER, box.pid()), deep());
        assertThat(received()).isEqualTo(Tuple.of(Atom.of("EXIT"), OTHER, Atom.of("system_limit")));
        Ref monitor = box.monitor(THIRD);
        peer.sendEncoded(control(Control.PAYLOAD_MONITOR_P_EXIT, THIRD, box.pid(), monitor), deep());
        assertThat(received())
                .isEqualTo(Tuple.of(Atom.of("DOWN"), monitor, Atom.of("process"), THIRD, Atom.of("system_limit")));
        assertStillConnected(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void spawnArguments_beyondALimit_areAnsweredWithSystemLimit(boolean hasHeader) throws Exception {
        start(hasHeader);
        Term function = Tuple.of(Atom.of("m"), Atom.of("f"), Int.of(1));
        Term options = ErlList.of(Atom.of("monitor"));
        peer.sendEncoded(
                control(Control.SPAWN_REQUEST, REF, OTHER, OTHER, function, options), withDeep(ErlList.of(MARK)));
        ScriptedPeer.Seen reply = peer.await(Control.SPAWN_REPLY);
        assertThat(reply.element(1)).isEqualTo(REF);
        assertThat(reply.element(4)).isEqualTo(Atom.of("system_limit"));
        assertStillConnected(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rexArguments_beyondALimit_areRefused(boolean hasHeader) throws Exception {
        start(hasHeader);
        Term call = Tuple.of(Atom.of("call"), Atom.of("m"), Atom.of("f"), ErlList.of(MARK), OTHER);
        Tuple toRex = control(Control.REG_SEND, OTHER, Atom.of(""), Atom.of("rex"));
        peer.sendEncoded(toRex, withDeep(Tuple.of(Atom.of("$gen_call"), Tuple.of(OTHER, REF), call)));
        peer.sendEncoded(toRex, withDeep(Tuple.of(OTHER, call)));
        peer.sendEncoded(toRex, deep()); // of nobody
        peer.sendEncoded(control(Control.REG_SEND, OTHER, Atom.of(""), Atom.of("net_kernel")), withDeep(call));
        for (Term tag : new Term[] {REF, Atom.of("rex")}) {
            ScriptedPeer.Seen answer = peer.await(
                    "answer with tag " + tag,
                    seen -> seen.payload() instanceof Tuple pair && pair.get(0).equals(tag));
            assertThat(requireNonNull((Tuple) answer.payload()).get(1)).hasToString(REFUSAL);
        }
        assertStillConnected(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void message_beyondALimit_isItsReceiversConcern(boolean hasHeader) throws Exception {
        start(hasHeader);
        peer.sendEncoded(control(Control.SEND, Atom.of(""), box.pid()), deep());
        assertThatThrownBy(this::received).isInstanceOf(MessagingException.Malformed.class);
        assertStillConnected(1);
    }
}

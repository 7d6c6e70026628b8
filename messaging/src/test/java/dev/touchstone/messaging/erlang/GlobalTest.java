package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Global;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Names of the whole cluster, in Erlang's {@code global}. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GlobalTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final Term NAME = Atom.of("service");

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;
    private Node java;
    private Mailbox box;
    private Global global;

    @BeforeEach
    void open() throws IOException {
        erl = lab.erl();
        erl.await("global:registered_names() =:= []");
        java = lab.java();
        box = java.mailbox();
        global = java.global(erl.name(), SOON);
    }

    @AfterEach
    void close() {
        java.close();
    }

    @Test
    void register_ofAMailbox_hasErlangFindIt() throws Exception {
        assertThat(global.register(NAME, box.pid())).isTrue();
        assertThat(global.whereis(NAME)).contains(box.pid());
        erl.expect("global:send(service, {self(), hello}) =:= global:whereis_name(service)", "true");
        Tuple message = (Tuple) Waits.next(box);
        assertThat(message.get(1)).isEqualTo(Atom.of("hello"));
        box.send((Pid) message.get(0), Atom.of("back"));
        erl.expect("lab:next(9000)", "back");
    }

    @Test
    void whereis_ofAProcessThatErlangRegistered_isItsPid() throws Exception {
        Term name = Tuple.of(Atom.of("counter"), Int.of(1));
        erl.expect("global:register_name({counter, 1}, self())", "yes");
        Pid process = global.whereis(name).orElseThrow();
        assertThat(process.node()).isEqualTo(erl.name().atom());
        assertThat(global.send(box, name, Atom.of("hello"))).isTrue();
        erl.expect("lab:next(9000)", "hello");
        global.unregister(name);
        assertThat(global.whereis(name)).isEmpty();
        erl.expect("global:whereis_name({counter, 1})", "undefined");
    }

    @Test
    void whereisAndSend_ofAnUnknownName_findNobody() throws Exception {
        assertThat(global.whereis(NAME)).isEmpty();
        assertThat(global.send(box, NAME, Atom.OK)).isFalse();
        global.unregister(NAME);
    }

    @Test
    void register_ofANameThatIsTaken_isFalse() throws Exception {
        assertThat(global.register(NAME, box.pid())).isTrue();
        try (Mailbox other = java.mailbox()) {
            assertThat(global.register(NAME, other.pid())).isFalse();
            global.unregister(NAME);
            assertThat(global.register(NAME, other.pid())).isTrue();
        }
    }

    @Test
    void mailbox_closedOrLost_hasItsNameNoMore() throws Exception {
        assertThat(global.register(NAME, box.pid())).isTrue();
        box.close();
        erl.await("global:whereis_name(service) =:= undefined");
        assertThat(global.whereis(NAME)).isEmpty();
        try (Mailbox next = java.mailbox()) {
            assertThat(global.register(NAME, next.pid())).isTrue();
            java.close();
            erl.await("global:whereis_name(service) =:= undefined");
        }
    }

    @Test
    void whereis_throughANodeThatIsNotThere_fails() {
        Global nowhere = java.global(NodeName.parse("nobody@localhost"), SOON);
        assertThatThrownBy(() -> nowhere.whereis(NAME)).isInstanceOf(MessagingException.class);
    }
}

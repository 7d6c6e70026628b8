package dev.touchstone.benchmarks.messaging.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.ericsson.otp.erlang.OtpErlangAtom;
import org.junit.jupiter.api.Test;

final class DropInTest {

    private static final byte[] ATOM = {119, 1, 'a'};

    @Test
    void term_decoded_isOfOurClassThatHasThePeersName() throws Exception {
        TermUnderTest ours = DropIn.term(new AnAtom(), ATOM);
        TermUnderTest theirs = JinterfaceTermAdapter.of(new AnAtom(), ATOM);
        Object decoded = ours.decode();
        assertThat(decoded).isNotInstanceOf(OtpErlangAtom.class);
        assertThat(decoded.getClass().getName()).isEqualTo(OtpErlangAtom.class.getName());
        assertThat(decoded.getClass().getClassLoader()).isInstanceOf(DropIn.class);
        assertThat(ours.getClass()).isNotEqualTo(theirs.getClass());
        assertThat(ours.getClass().getName()).isEqualTo(theirs.getClass().getName());
        assertThat(ours.plain(decoded)).isEqualTo(theirs.plain(theirs.decode()));
    }

    @Test
    void library_ofTheDropIn_usesTheNodeOfTheClassPath() throws Exception {
        Object decoded = DropIn.term(new AnAtom(), ATOM).decode();
        Class<?> link = decoded.getClass().getClassLoader().loadClass("com.ericsson.otp.erlang.Engine");
        assertThat(link.getDeclaredField("node").getType()).isEqualTo(dev.touchstone.messaging.Node.class);
    }

    private static final class AnAtom implements TermRecipe {
        @Override
        public <T> T build(TermFactory<T> factory) {
            return factory.atom("a");
        }
    }
}

package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Node;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Random terms of every type, made by Erlang, echoed by our node and compared by Erlang, in value and in bytes. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TermEchoTest {
    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private static final int TERMS = Integer.getInteger("touchstone.terms", 10_000);

    @Test
    void echo_ofRandomTerms_givesTheSameTerms() throws IOException, InterruptedException {
        long seed = Long.getLong("seed", System.nanoTime()) & 0xFFFF_FFFFL;
        try (Node java = lab.java();
                Serving echo = Serving.echo(java.mailbox("echo"))) {
            String target = "{echo, " + ErlangLab.quoted(java.name()) + "}";
            assertThat(lab.erl().ask("lab:echo_terms(" + target + ", " + seed + ", " + TERMS + ")"))
                    .as("-Dseed=%d", seed)
                    .isEqualTo("ok");
            lab.erl().expect("lab:echo(" + target + ", lab:made_ref(1))", "true");
            assertThat(echo).isNotNull();
        }
    }
}

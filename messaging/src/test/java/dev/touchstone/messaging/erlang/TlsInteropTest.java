package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** TLS distribution with {@code -proto_dist inet_tls}, where both ends prove who they are. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TlsInteropTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    @TempDir
    static Path folder;

    private static @Nullable Authority known;

    private Authority authority;
    private ErlangNode erl;

    @BeforeEach
    void open() throws Exception {
        boolean installed = !lab.erl().ask("code:lib_dir(ssl)").equals("{error,bad_name}");
        Assumptions.assumeTrue(installed, "Erlang's ssl is missing: apt-get install erlang-ssl");
        if (known == null) {
            known = Authority.in(folder.resolve("trusted"));
        }
        authority = known;
        erl = lab.erlang(authority.flags());
    }

    @AfterEach
    void close() {
        if (erl != null) {
            erl.close();
        }
    }

    private NodeBuilder builder() throws Exception {
        return lab.builder(ErlangLab.freshName("java", "localhost")).tls(authority.context());
    }

    private static String ping(Node node) {
        return "net_adm:ping(" + ErlangLab.quoted(node.name()) + ")";
    }

    @Test
    void ping_byErlang_answersPong() throws Exception {
        try (Node java = builder().start()) {
            erl.expect(ping(java), "pong");
        }
    }

    @Test
    void ping_ofErlang_isTrue() throws Exception {
        try (Node java = builder().start()) {
            assertThat(java.ping(erl.name(), SOON)).isTrue();
            erl.expect(ping(java), "pong");
        }
    }

    @Test
    void echo_ofSmallAndBigTerms_isTheSame() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime()) & 0xFFFF_FFFFL;
        try (Node java = builder().start();
                Serving echo = Serving.echo(java.mailbox("echo"))) {
            String target = "{echo, " + ErlangLab.quoted(java.name()) + "}";
            assertThat(erl.ask("lab:echo_terms(" + target + ", " + seed + ", 500)"))
                    .as("-Dseed=%d", seed)
                    .isEqualTo("ok");
            erl.expect("lab:echo(" + target + ", rand:bytes(8 bsl 20))", "true");
            erl.expect("lab:echo(" + target + ", <<>>)", "true");
            assertThat(echo).isNotNull();
        }
    }

    @Test
    void nodedown_ofAKilledPeer_isTold() throws Exception {
        try (Node java = builder().start()) {
            assertThat(java.ping(erl.name(), SOON)).isTrue();
            erl.kill();
            Waits.until("no connection", () -> java.connected().isEmpty());
        }
    }

    @Test
    void connect_withoutTls_failsBothWays() throws Exception {
        try (Node java = lab.builder(ErlangLab.freshName("java", "localhost"))
                .connectTimeout(Duration.ofSeconds(2))
                .acceptTimeout(Duration.ofSeconds(2))
                .start()) {
            assertThatThrownBy(() -> java.connect(erl.name())).isInstanceOf(IOException.class);
            erl.expect(ping(java), "pang");
        }
    }

    @Test
    void connect_withAnUntrustedCertificate_failsBothWays() throws Exception {
        try (Node java = lab.builder(ErlangLab.freshName("java", "localhost"))
                .tls(Authority.strangers(folder))
                .start()) {
            assertThatThrownBy(() -> java.connect(erl.name())).isInstanceOf(IOException.class);
            erl.expect(ping(java), "pang");
            assertThat(java.connected()).isEmpty();
        }
    }
}

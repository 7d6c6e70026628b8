package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.EchoServer;
import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The program, as a process of its own, with what Erlang's tests of Java nodes ask of it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EchoServerTest {
    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;
    private @Nullable Process server;

    @BeforeEach
    void open() throws IOException {
        erl = lab.erl();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.destroyForcibly();
        }
    }

    /** Starts the program under a name without a host, as Erlang's tests do, and waits for what it announces. */
    private void start(String... more) throws IOException {
        String alive = ErlangLab.freshName("echo", "localhost").alive();
        server = run(alive, ErlangNode.COOKIE, erl.name().toString(), "lab", more);
        erl.expect(
                "receive {echo_server, " + alive + ", P} -> put(echo, P), node(P) after 20000 -> timeout end",
                alive + "@localhost");
    }

    private static Process run(String node, String cookie, String peer, String name, String... more)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Xmx128m",
                EchoServer.class.getName(),
                node,
                cookie,
                peer,
                name));
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ERL_EPMD_PORT", Integer.toString(lab.epmdPort()));
        return builder.start();
    }

    private int exitCode() throws InterruptedException {
        Process running = Objects.requireNonNull(server);
        assertThat(running.waitFor(20, TimeUnit.SECONDS)).as("ended").isTrue();
        return running.exitValue();
    }

    /** @param changed the term that comes back, in terms of the variable T */
    private void twists(String term, String twist, String changed) {
        erl.expect(
                "T = " + term + ", X = lab:twist(get(echo), T, " + twist + "), X =:= (" + changed + ") orelse {got, X}",
                "true");
    }

    @Test
    void echo_ofTerms_endsWithBye() throws Exception {
        start();
        erl.expect(
                "[lab:echo(get(echo), T) || T <- [self(), make_ref(), fun(A) -> A end, fun lists:map/2, 1.5, "
                        + "<<3, 7:3>>, #{a => [b | c]}, 1 bsl 129, hd(erlang:ports()), [], {}]]",
                "[true,true,true,true,true,true,true,true,true,true,true]");
        erl.expect("get(echo) ! bye", "bye");
        assertThat(exitCode()).isZero();
    }

    @Test
    void echo_withTwists_changesTheTerms() throws Exception {
        start();
        twists("term_to_binary(math:sqrt(2), [{minor_version, 0}])", "binary", "math:sqrt(2)");
        twists("term_to_binary(lists:duplicate(100, abc), [compressed])", "binary", "lists:duplicate(100, abc)");
        erl.expect(
                "T = lists:duplicate(1000, {abc, 1}), X = lab:twist(get(echo), T, compress), "
                        + "{binary_to_term(X) =:= T, byte_size(X) < 100}",
                "{true,true}");
        twists("1 bsl 63", "bigint", "{T, 64, -(1 bsl 63), 0, 1}");
        twists("-(1 bsl 63)", "bigint", "{T, -63, T, 1, 0}");
        twists("-1", "bigint", "{T, 0, -1, 1, 0}");
        twists("(1 bsl 129) + 5", "bigint", "{T, 130, 5, 0, 0}");
        twists("[g, h | i]", "tail", "[h | i]");
        twists("[n | o]", "tail", "o");
        twists("[]", "tail", "null");
        twists("[z, 8, 9]", "tail3", "[]");
        twists("[z, 20, 21 | 22]", "tail3", "22");
        twists("[z, 16, 17, 18 | 19]", "tail3", "[18 | 19]");
        twists("[z | 25]", "tail3", "null");
        twists("\"abc123\"", "sub3atom", "'123'");
        twists("\"abc\"", "sub3atom", "''");
        twists("[\"able \", \"was \", \"I\"]", "strcat", "\"able was I\"");
        twists("some_atom", "strcat", "T");
        twists("{tuple}", "hash_lookup", "true");
        twists("undefined", "hash_clear", "hash_cleared");
        erl.expect("get(echo) ! debug, lab:echo(get(echo), shown)", "true");
    }

    @Test
    void echo_ofText_knowsCodePoints() throws Exception {
        start("unicode");
        String text = "[16#e5, 16#1000, 16#10ffff, 16#fffd, 0]";
        twists(text, "utf8", "unicode:characters_to_binary(T)");
        twists("[16#d800]", "utf8", "T");
        twists("[16#110000]", "utf8", "T");
        twists("[-1]", "to_neg_int_list", "T");
        twists(text, "to_neg_int_list", "[-C || C <- T]");
        twists(
                text,
                "to_string_neg_int_list",
                "[-C || <<C:16>> <= unicode:characters_to_binary(T, unicode, {utf16, big})]");
        erl.expect("lab:echo(get(echo), " + text + ")", "true");
    }

    @Test
    void echo_ofText_isLatin1WhereNotToldOtherwise() throws Exception {
        start();
        twists("[16#e5, 0, 255]", "utf8", "unicode:characters_to_binary(T)");
        twists("[16#1000]", "utf8", "T");
        twists("[16#10ffff]", "to_string_neg_int_list", "[-16#dbff, -16#dfff]");
    }

    @Test
    void echo_ofWhatItDoesNotKnow_endsWithAnotherCode() throws Exception {
        start();
        erl.expect("get(echo) ! {self(), too, many, terms}, ok", "ok");
        assertThat(exitCode()).isEqualTo(2);
    }

    @Test
    void start_withoutAPeer_endsWithAnotherCodeAndNoSecret() throws Exception {
        NodeName name = ErlangLab.freshName("echo", "localhost");
        server = run(name.toString(), "do_not_print_me", "nobody@localhost", "lab");
        String said = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(exitCode()).isEqualTo(2);
        assertThat(said).contains("nobody@localhost").doesNotContain("do_not_print_me");
    }

    @Test
    void start_withTooFewArguments_saysHow() throws Exception {
        Process usage = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EchoServer.class.getName(),
                        "alone")
                .redirectErrorStream(true)
                .start();
        server = usage;
        String said = new String(usage.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).startsWith("usage: echo_server <node> <cookie> <erlnode> <regname> [unicode]");
        assertThat(exitCode()).isEqualTo(1);
    }
}

package dev.touchstone.jinterface;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.epmd.EpmdServer;
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

/** The program, as a process of its own, with what Erlang's tests of Java nodes ask of it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EchoServerTest {
    /** Binds Echo: a function that tells whether a term comes back as it went, byte by byte. */
    private static final String ECHO = "Echo = fun(T) -> get(echo) ! {self(), T}, receive {_, B} -> "
            + "T =:= B andalso term_to_binary(T) =:= term_to_binary(B) after 20000 -> timeout end end";

    private EpmdServer epmd;
    private ErlangShell erl;
    private @Nullable Process server;

    @BeforeEach
    void open() throws IOException {
        epmd = EpmdServer.start(0);
        erl = ErlangShell.start("erl@localhost", epmd.port());
        expect("register(shell_loop, self()), ok", "ok");
    }

    @AfterEach
    void stop() throws IOException {
        if (server != null) {
            server.destroyForcibly();
        }
        erl.close();
        epmd.close();
    }

    private void expect(String expressions, String value) throws IOException {
        assertThat(erl.ask(expressions)).as(expressions).isEqualTo(value);
    }

    /** Starts the program under a name without a host, as Erlang's tests do, and waits for what it announces. */
    private void start(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("echo", ErlangShell.COOKIE, "erl@localhost", "shell_loop"));
        arguments.addAll(List.of(more));
        server = run("echo_server", arguments.toArray(new String[0]));
        expect("receive {echo_server, echo, P} -> put(echo, P), node(P) after 20000 -> timeout end", "echo@localhost");
    }

    private Process run(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Xmx128m",
                program));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ERL_EPMD_PORT", Integer.toString(epmd.port()));
        return builder.start();
    }

    private int exitCode() throws InterruptedException {
        Process running = Objects.requireNonNull(server);
        assertThat(running.waitFor(20, TimeUnit.SECONDS)).as("ended").isTrue();
        return running.exitValue();
    }

    /** @param changed the term that comes back, in terms of the variable T */
    private void twists(String term, String twist, String changed) throws IOException {
        expect(
                "T = " + term + ", get(echo) ! {self(), T, " + twist + "}, E = get(echo), " + "receive {E, X, " + twist
                        + "} -> X =:= (" + changed + ") orelse {got, X} after 20000 -> timeout end",
                "true");
    }

    @Test
    void echo_ofTerms_endsWithBye() throws Exception {
        start();
        expect(
                ECHO + ", [Echo(X) || X <- [self(), make_ref(), fun(A) -> A end, fun lists:map/2, 1.5, "
                        + "<<3, 7:3>>, #{a => [b | c]}, 1 bsl 129, hd(erlang:ports()), [], {}]]",
                "[true,true,true,true,true,true,true,true,true,true,true]");
        expect("get(echo) ! bye", "bye");
        assertThat(exitCode()).isZero();
    }

    @Test
    void echo_withTwists_changesTheTerms() throws Exception {
        start();
        twists("term_to_binary(math:sqrt(2), [{minor_version, 0}])", "binary", "math:sqrt(2)");
        twists("term_to_binary(lists:duplicate(100, abc), [compressed])", "binary", "lists:duplicate(100, abc)");
        expect(
                "T = lists:duplicate(1000, {abc, 1}), get(echo) ! {self(), T, compress}, "
                        + "X = receive {_, C, compress} -> C after 20000 -> timeout end, "
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
        expect(ECHO + ", get(echo) ! debug, Echo(shown)", "true");
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
        expect(ECHO + ", Echo(" + text + ")", "true");
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
        expect("get(echo) ! {self(), too, many, terms}, ok", "ok");
        assertThat(exitCode()).isEqualTo(2);
    }

    @Test
    void start_withoutAPeer_endsWithAnotherCodeAndNoSecret() throws Exception {
        Process started = run("echo_server", "lost@localhost", "do_not_print_me", "nobody@localhost", "any");
        server = started;
        String said = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(exitCode()).isEqualTo(2);
        assertThat(said).contains("nobody@localhost").doesNotContain("do_not_print_me");
    }

    @Test
    void start_withTooFewArguments_saysHow() throws Exception {
        Process usage = run("echo_server", "alone");
        server = usage;
        String said = new String(usage.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).startsWith("usage: echo_server <node> <cookie> <erlnode> <regname> [unicode]");
        assertThat(exitCode()).isEqualTo(1);
    }

    @Test
    void connectionServer_answersWhateverName() throws Exception {
        Process started = run("connection_server", "accepts@localhost", ErlangShell.COOKIE);
        server = started;
        assertThat(started.getInputStream().readNBytes("ready".length()))
                .isEqualTo("ready".getBytes(StandardCharsets.UTF_8));
        expect(
                "{any_name, accepts@localhost} ! {self(), \"text\"}, receive {P, T} -> {node(P), T} after 20000 -> timeout end",
                "{accepts@localhost,[116,101,120,116]}");
        expect("{any_name, accepts@localhost} ! bye, ok", "ok");
        assertThat(exitCode()).isZero();
    }
}

package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What goes over the wire, in the eyes of a third program: tshark's dissector of the distribution protocol. */
@Tag("slow")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WireTest {
    private static final int ECHOES = 5000; // two messages each
    private static final String LAST = "the last of the messages";

    /** Of every type but maps, bit strings and lists of bytes, whose tags the dissector of tshark 4.0 does not know. */
    private static final String TERM = """
            fun(N) -> {N, -N bsl 40, 1 bsl (N rem 3000), N / 7, [ok, '', list_to_atom([16#e5])], <<N:64>>, [], [N, 1000, 1.5 | tail],
              self(), make_ref(), hd(erlang:ports()), fun lists:map/2, list_to_tuple(lists:seq(1, N rem 300)), true} end""";

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    @TempDir
    Path folder;

    private String tshark;
    private Path capture;

    @BeforeEach
    void require() {
        tshark = ErlangInstall.require("tshark", "tshark");
        capture = folder.resolve("messages.pcapng");
    }

    @Test
    void messages_betweenErlangAndUs_haveNothingMalformed() throws Exception {
        try (Node java = lab.java()) {
            Process capturing = capture(java.port());
            try (Serving echo = Serving.echo(java.mailbox("echo"))) {
                ErlangNode erl = lab.erl();
                String target = "{echo, " + ErlangLab.quoted(java.name()) + "}";
                erl.expect(
                        "Term = " + TERM + ", lists:all(fun(N) -> lab:echo(" + target + ", Term(N)) end, lists:seq(1, "
                                + ECHOES + "))",
                        "true");
                erl.expect("lab:echo(" + target + ", <<\"" + LAST + "\">>)", "true");
                Waits.until("the last message is captured", () -> captured().contains(LAST));
                assertThat(echo).isNotNull();
            } finally {
                capturing.destroy();
                assertThat(capturing.waitFor(20, TimeUnit.SECONDS))
                        .as("tshark ends")
                        .isTrue();
            }
            String dissect = "tcp.port==" + java.port() + ",erldp";
            assertThat(lines("-d", dissect, "-T", "fields", "-e", "erldp.type", "-Y", "erldp"))
                    .as("frames")
                    .hasSizeGreaterThan(ECHOES);
            assertThat(lines("-d", dissect, "-Y", "_ws.malformed")).isEmpty();
        }
    }

    /** Returns once tshark captures; skips the test where it may not. */
    private Process capture(int port) throws IOException {
        Process process = new ProcessBuilder(
                        tshark, "-q", "-i", "lo", "-B", "64", "-f", "tcp port " + port, "-w", capture.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("tshark.log").toFile())
                .start();
        Waits.until(
                "tshark captures, or ends",
                () -> !process.isAlive() || !captured().isEmpty());
        Assumptions.assumeTrue(
                process.isAlive(),
                () -> "tshark may not capture on lo: run as root or in the group wireshark\n" + log());
        return process;
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("tshark.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private String captured() {
        try {
            return Files.exists(capture) ? Files.readString(capture, StandardCharsets.ISO_8859_1) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What tshark prints of the capture. */
    private List<String> lines(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(tshark, "-r", capture.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit code of " + command).isZero();
        return printed.lines().toList();
    }
}

package dev.touchstone.messaging.erlang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages in fragments, with Erlang at the other end. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeInteropTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final ErlangLab lab = new ErlangLab();

    private ErlangNode erl;

    @BeforeEach
    void start() throws IOException {
        erl = lab.erl();
    }

    private static String echo(Node java, String bytes) {
        return "{echo, " + ErlangLab.quoted(java.name()) + "} ! {self(), " + bytes + "}, " + "receive {_, B} -> B =:= "
                + bytes + " after 60000 -> timeout end";
    }

    /** Sizes around whole fragments; the tail of the message tells if one byte is lost. */
    @Test
    void echo_ofSizesAroundWholeFragments_isTheSame() throws Exception {
        try (Node java = lab.java();
                Serving echo = Serving.echo(java.mailbox("echo"))) {
            for (int fragments : new int[] {1, 2, 3, 16}) {
                for (int more : new int[] {-200, -60, -1, 0, 1, 8000, 9000}) {
                    int bytes = (fragments << 16) + more;
                    erl.expect(echo(java, "binary:copy(<<1,2,3,4,5,6,7>>, " + bytes / 7 + ")"), "true");
                }
            }
            assertThat(echo).isNotNull();
        }
    }

    /** More processes than the large messages that one connection of ours has under way. */
    @Test
    void echo_ofManyProcessesAtOnce_isTheSame() throws Exception {
        try (Node java = lab.java();
                Serving echo = Serving.echo(java.mailbox("echo"))) {
            String each = "(fun(N) -> B = binary:copy(<<N>>, 50000 * N), {echo, " + ErlangLab.quoted(java.name())
                    + "} ! {self(), B}, receive {_, B} -> ok after 60000 -> timeout end end)";
            erl.expect(
                    "E = " + each + ", L = self(), [spawn(fun() -> L ! {N, E(N)} end) || N <- lists:seq(1, 40)], "
                            + "lists:usort([receive {N, R} -> R end || N <- lists:seq(1, 40)])",
                    "[ok]");
            assertThat(echo).isNotNull();
        }
    }

    @Test
    void send_ofManyMailboxesAtOnce_keepsEachSendersOrder() throws Exception {
        int senders = 8;
        int each = 20;
        ExecutorService threads = Executors.newFixedThreadPool(senders);
        try (Node java = lab.java()) {
            CompletableFuture<String> counted = erl.begin("C = fun C(M, 0) -> lists:usort(maps:values(M)); C(M, N) -> "
                    + "receive {large, K, I, B} -> I = maps:get(K, M, 0), "
                    + "<<I, _/binary>> = B, C(M#{K => I + 1}, N - 1) after 60000 -> timeout end end, C(#{}, "
                    + senders * each + ")");
            List<Future<?>> sends = new ArrayList<>();
            for (int k = 0; k < senders; k++) {
                Mailbox box = java.mailbox();
                int key = k;
                sends.add(threads.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        byte[] bytes = new byte[i % 3 == 0 ? 10 : 100_000 * (i % 7 + 1)];
                        bytes[0] = (byte) i;
                        Term message = Tuple.of(Atom.of("large"), Int.of(key), Int.of(i), Binary.of(bytes));
                        box.send("lab", erl.name(), message);
                    }
                }));
            }
            for (Future<?> send : sends) {
                send.get(60, TimeUnit.SECONDS);
            }
            assertThat(erl.get(counted, "counted")).isEqualTo("[" + each + "]");
        } finally {
            threads.shutdownNow();
        }
    }

    @Tag("slow")
    @Test
    void echo_of200Megabytes_isTheSameAndSmallCallsGoOnMeanwhile() throws Exception {
        try (Node java = lab.java();
                Mailbox box = java.mailbox();
                Serving echo = Serving.echo(java.mailbox("echo"))) {
            CompletableFuture<String> same = erl.begin(echo(java, "binary:copy(<<1,2,3,4,5,6,7,8>>, 25000000)"));
            List<Long> nanos = new ArrayList<>();
            while (!same.isDone()) {
                long start = System.nanoTime();
                Term node = box.rpc(erl.name(), "erlang", "node", List.of(), SOON);
                nanos.add(System.nanoTime() - start);
                assertThat(node).isEqualTo(erl.name().atom());
            }
            nanos.sort(null);
            System.out.println("calls=" + nanos.size() + " p99Millis="
                    + TimeUnit.NANOSECONDS.toMillis(nanos.get(nanos.size() * 99 / 100)) + " maxMillis="
                    + TimeUnit.NANOSECONDS.toMillis(nanos.get(nanos.size() - 1)));
            assertThat(erl.get(same, "echo")).isEqualTo("true");
            assertThat(echo).isNotNull();
        }
    }
}

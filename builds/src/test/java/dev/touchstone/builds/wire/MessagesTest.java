package dev.touchstone.builds.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Messages survive the wire, and what is none is refused by an exception that names the place. */
class MessagesTest {
    private static final Pid PID = Pid.of(Atom.of("node@host"), 7, 0, 3);
    private static final BuildRequest REQUEST = BuildRequest.of("git+ssh://host/r.git", "b\u00e4", "build/it")
            .commit("0123456789")
            .runner("node")
            .label("linux-arm64")
            .environment(Map.of("A", "1", "B", "\u20ac\n"))
            .secret("TOKEN", "hush")
            .output(OutputMode.REDIS)
            .timeout(Duration.ofMinutes(3))
            .queueTimeout(Duration.ofSeconds(9))
            .maxLogBytes(5)
            .build();
    private static final Ending ENDING =
            new Ending(BuildCode.SCRIPT_FAILED, 42, "said no", 1, 2, 2, "agent", 1L << 40, true);

    private static final List<Term> ALL = List.of(
            new FromClient.Hello(1, PID, 5, "name").toTerm(),
            new FromClient.Submit(5, true, List.of(REQUEST), Column.of(1, 1L << 40), Column.of(0, 0)).toTerm(),
            new FromClient.Cancel(5, 6, 7, "why").toTerm(),
            new FromClient.Watch(5, Column.of(3, 4, 5)).toTerm(),
            new FromClient.Read(5, 6, 7, 8, 9).toTerm(),
            new FromClient.Ask(5, 6, 7).toTerm(),
            new FromAgent.Hello(
                            1,
                            PID,
                            "me",
                            9,
                            List.of("x"),
                            List.of("bash", "node"),
                            4,
                            List.of(new FromAgent.Held("j-1", 2, 3, true)))
                    .toTerm(),
            new FromAgent.Stage(1, 2, 3, 4, "running").toTerm(),
            new FromAgent.Noops(1, Column.of(2, 3), Column.of(4, 5)).toTerm(),
            new FromAgent.Finished(1, 2, 3, 4, ENDING).toTerm(),
            new FromAgent.Log(1, 2, 3, 4, 5, Binary.of("bytes")).toTerm());

    private static final List<Term> FROM_MASTER = List.of(
            new ToClient.Welcome(1, 2, "j", PID, PID).toTerm(),
            new ToClient.Refused(26, "no").toTerm(),
            new ToClient.Accepted(Column.of(1), Column.of(2)).toTerm(),
            new ToClient.Rejected(Column.of(1), 22, "full").toTerm(),
            new ToClient.Done("a", Column.of(1), Column.of(2)).toTerm(),
            new ToClient.Result(3, ENDING).toTerm(),
            new ToClient.Unknown(3).toTerm(),
            new ToClient.Chunk(1, 2, Binary.of("x"), true).toTerm(),
            new ToClient.Failed(1, 25, "gone").toTerm(),
            new ToClient.Cancelled(1, false).toTerm(),
            new ToClient.Status(1, BuildStatus.Phase.QUEUED, "r", "", 0, 5, 6, "o", List.of(ENDING)).toTerm());

    private static final List<Term> TO_AGENT = List.of(
            new ToAgent.Welcome(1, 2, "j", PID, PID).toTerm(),
            new ToAgent.Refused(26, "no").toTerm(),
            new ToAgent.Assign(List.of(REQUEST), Column.of(1), Column.of(1), Column.of(9), Column.of(0), 1).toTerm(),
            new ToAgent.Cancel(1, 2, 3, "r").toTerm(),
            new ToAgent.Resume(1, 2, 3, 4).toTerm(),
            new ToAgent.Credit(Column.of(1), Column.of(2), Column.of(3)).toTerm(),
            new ToAgent.Forget(Column.of(1), Column.of(2), Column.of(3)).toTerm(),
            new ToAgent.Drop("j-4", 1, 2, "r").toTerm());

    private static Object fromGuest(Term term) {
        return FromClient.isOne(term) ? FromClient.parse(term) : FromAgent.parse(term);
    }

    private static Term again(Object message) {
        if (message instanceof FromClient from) {
            return from.toTerm();
        }
        if (message instanceof FromAgent from) {
            return from.toTerm();
        }
        return message instanceof ToClient to ? to.toTerm() : ((ToAgent) message).toTerm();
    }

    private static void roundTrips(List<Term> messages, Function<Term, Object> parser) {
        for (Term message : messages) {
            Term received = TermReader.decode(TermWriter.encode(message));
            Object parsed = parser.apply(received);
            assertThat(parser.apply(again(parsed))).isEqualTo(parsed);
        }
    }

    @Test
    void messages_overTheWire_areEqual() {
        roundTrips(ALL, MessagesTest::fromGuest);
        roundTrips(FROM_MASTER, ToClient::parse);
        roundTrips(TO_AGENT, ToAgent::parse);
        assertThat(Requests.fromTerm(Requests.toTerm(REQUEST))).isEqualTo(REQUEST);
    }

    @Test
    void messages_anyPartReplaced_areReadOrRefusedAsSuch() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            tryOne(random, ALL, MessagesTest::fromGuest, seed);
            tryOne(random, FROM_MASTER, ToClient::parse, seed);
            tryOne(random, TO_AGENT, ToAgent::parse, seed);
        }
    }

    private static void tryOne(Random random, List<Term> messages, Function<Term, Object> parser, long seed) {
        Term bad = mutate(random, messages.get(random.nextInt(messages.size())));
        try {
            Object unused = parser.apply(bad);
        } catch (WireException e) {
            // refused
        } catch (RuntimeException e) {
            throw new AssertionError("seed=" + seed + " message=" + bad, e);
        }
    }

    private static Term mutate(Random random, Term term) {
        if (random.nextInt(4) == 0 || !(term instanceof Tuple || (term instanceof ErlList list && !list.isPacked()))) {
            return any(random);
        }
        List<Term> parts = term instanceof Tuple tuple ? tuple.asList() : ((ErlList) term).asList();
        Term[] copy = parts.toArray(new Term[0]);
        if (copy.length == 0) {
            return any(random);
        }
        int at = random.nextInt(copy.length);
        copy[at] = mutate(random, copy[at]);
        return term instanceof Tuple ? Tuple.of(copy) : ErlList.of(copy);
    }

    private static Term any(Random random) {
        return switch (random.nextInt(9)) {
            case 0 -> Int.of(random.nextLong());
            case 1 -> Int.of(random.nextInt(300) - 10);
            case 2 -> Atom.of("atom" + random.nextInt(10));
            case 3 -> Binary.of(new byte[] {(byte) 0xff, (byte) 0xfe, 0});
            case 4 -> Binary.of("x".repeat(random.nextInt(10_000)));
            case 5 -> ErlList.of(Int.of(-1), Atom.of("a"));
            case 6 -> ErlList.improper(List.of(Int.of(1)), Int.of(2));
            case 7 -> Tuple.of();
            default -> ErlList.ofLongs(random.longs(5).toArray());
        };
    }

    @Test
    void refusals_nameTheMessageAndTheElement() {
        assertThatThrownBy(() -> FromClient.parse(Tuple.of(Atom.of("ask"), Int.of(1), Atom.of("x"), Int.of(3))))
                .isInstanceOf(WireException.class)
                .hasMessage("ask element 2: expected=integer got=atom");
        assertThatThrownBy(() -> FromAgent.parse(Tuple.of(Atom.of("what"))))
                .isInstanceOf(WireException.class)
                .hasMessage("unknown message: tag=what");
        assertThatThrownBy(() -> FromClient.parse(
                        Tuple.of(Atom.of("client_hello"), Int.of(2), PID, Int.of(1), Atom.of("all else may differ"))))
                .isInstanceOf(Versions.Mismatch.class)
                .hasMessage("protocol version is not spoken here: got=2 expected=1");
    }

    @Test
    void environment_values_areInNoMessageOfAnException() {
        Term request = Requests.toTerm(REQUEST);
        Term[] parts = ((Tuple) request).asList().toArray(new Term[0]);
        parts[6] = ErlList.of(Tuple.of(Binary.of("1BAD"), Binary.of("very secret")));
        assertThatThrownBy(() -> Requests.fromTerm(Tuple.of(parts)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("1BAD")
                .hasMessageNotContaining("very secret");
        assertThat(REQUEST.toString()).doesNotContain("hush").contains("TOKEN");
    }

    @Test
    void address_withSecretsOrOtherSchemes_isRefused() {
        assertThat(MasterAddress.parse("builds://host")).isEqualTo(new MasterAddress("host", 7316));
        assertThat(MasterAddress.parse("host:12")).isEqualTo(new MasterAddress("host", 12));
        assertThat(MasterAddress.parse("builds://[::1]:5")).hasToString("builds://[::1]:5");
        for (String bad :
                List.of("ws://host:1/connect", "builds://user:hunter2@host", "builds://host?token=x", "a b")) {
            assertThatThrownBy(() -> MasterAddress.parse(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("hunter2")
                    .hasMessageNotContaining("token=x");
        }
    }
}

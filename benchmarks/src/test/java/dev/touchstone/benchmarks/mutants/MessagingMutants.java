package dev.touchstone.benchmarks.mutants;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.messaging.EchoBenchmark;
import dev.touchstone.benchmarks.messaging.MailboxBenchmark;
import dev.touchstone.benchmarks.messaging.TermBenchmark;
import dev.touchstone.benchmarks.messaging.peer.EchoUnderTest;
import dev.touchstone.benchmarks.messaging.peer.MailboxUnderTest;
import dev.touchstone.benchmarks.messaging.peer.TermUnderTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Broken nodes and codecs. */
final class MessagingMutants {
    private MessagingMutants() {}

    static List<Mutant> all() {
        return List.of(
                mailbox("mailbox-answers-itself", "messaging-mailbox/OURS", MessagingMutants::firstAnswer),
                mailbox(
                        "mailbox-answers-itself-drop-in",
                        "messaging-drop-in-mailbox/OURS_DROP_IN",
                        MessagingMutants::firstAnswer),
                echo("echo-without-a-message", "messaging-echo/OURS", MessagingMutants::everyCallLocal),
                echo(
                        "echo-of-a-limit-without-a-message",
                        "messaging-echo/CEILING_BUSY",
                        MessagingMutants::everyCallLocal),
                term("encode-of-one-byte", "messaging-term-encode-pid/OURS", MessagingMutants::oneByte),
                term("decode-gives-an-atom", "messaging-term-decode-int-list/JINTERFACE", MessagingMutants::otherTerm),
                term(
                        "term-decode-remembers",
                        "messaging-term-decode-int-list/OURS",
                        call -> Mutants.remembered(call, "decode")),
                echo("echo-one-in-twenty-local", "messaging-echo-1k/OURS", call -> local(call, 20)),
                term(
                        "decode-gives-null",
                        "messaging-term-decode-pid/OURS",
                        call -> call.name().equals("decode") ? null : call.proceed()));
    }

    /** Returns two mutants of each peer with mailboxes, of its node if that is in this JVM, and of each with a codec. */
    static List<Mutant> ofEachPeer() {
        return Stream.of(
                        Mutants.ofEachPeer(
                                        EchoBenchmark.class,
                                        EchoUnderTest.class,
                                        Map.of(
                                                "-echo-without-a-message",
                                                MessagingMutants::everyCallLocal,
                                                "-echo-every-second-time",
                                                MessagingMutants::everySecondCallLocal))
                                .stream()
                                .filter(mutant ->
                                        DeclaredSubject.of(mutant.subject()).opens(MailboxUnderTest.class))
                                .toList(),
                        Mutants.ofEachPeer(
                                MailboxBenchmark.class,
                                MailboxUnderTest.class,
                                Map.of(
                                        "-mailbox-answers-itself",
                                        MessagingMutants::firstAnswer,
                                        "-mailbox-every-second-time",
                                        MessagingMutants::everySecond)),
                        Mutants.ofEachPeer(
                                TermBenchmark.class,
                                TermUnderTest.class,
                                Map.of(
                                        "-encodes-zeros",
                                        MessagingMutants::zeros,
                                        "-encodes-one-byte",
                                        MessagingMutants::oneByte)))
                .flatMap(List::stream)
                .toList();
    }

    private static Mutant mailbox(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, MailboxUnderTest.class, true, twist);
    }

    private static Mutant echo(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, EchoUnderTest.class, true, twist);
    }

    private static Mutant term(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, TermUnderTest.class, true, twist);
    }

    /** Gives the answer of a real call made before any stranger could send: from then on nothing is sent. */
    private static @Nullable Object firstAnswer(Call call) throws Throwable {
        if (call.memory().get("answer") == null) {
            call.memory().put("answer", ((MailboxUnderTest) call.real()).thereAndBack());
        }
        return call.name().equals("thereAndBack") ? call.memory().get("answer") : call.proceed();
    }

    private static @Nullable Object everySecond(Call call) throws Throwable {
        return call.name().equals("thereAndBack") && call.number() % 2 == 0 ? call.first() : call.proceed();
    }

    private static @Nullable Object everyCallLocal(Call call) throws Throwable {
        return local(call, 1);
    }

    private static @Nullable Object everySecondCallLocal(Call call) throws Throwable {
        return local(call, 2);
    }

    /** Has a client's first call go to the server, and answers every so many of the others with its answer. */
    private static @Nullable Object local(Call call, int every) throws Throwable {
        if (!call.name().equals("client")) {
            return call.proceed();
        }
        EchoUnderTest.Client client = (EchoUnderTest.Client) Objects.requireNonNull(call.proceed());
        client.begin();
        Object answer = client.echo();
        int[] calls = {0};
        return new EchoUnderTest.Client() {
            @Override
            public Object echo() throws java.io.IOException, InterruptedException {
                return ++calls[0] % every == 0 ? answer : client.echo();
            }
        };
    }

    private static @Nullable Object oneByte(Call call) throws Throwable {
        return call.name().equals("encode") ? 1 : call.proceed();
    }

    private static @Nullable Object zeros(Call call) throws Throwable {
        Object answer = call.proceed();
        return call.name().equals("encoded") ? new byte[((byte[]) Objects.requireNonNull(answer)).length] : answer;
    }

    private static @Nullable Object otherTerm(Call call) throws Throwable {
        return call.name().equals("decode") ? new com.ericsson.otp.erlang.OtpErlangAtom("other") : call.proceed();
    }
}

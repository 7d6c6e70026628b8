package dev.touchstone.benchmarks.messaging;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All subjects answer with the same bytes, over a socket where they have nodes. */
@Timeout(120)
final class EchoParityTest {

    @ParameterizedTest
    @EnumSource
    void echo_oneClient_sameBytesOverLoopback(MessagingType subject) throws Exception {
        Subjects.assumeRuns(subject);
        new MessagingChecks(subject).echo(1, 500);
    }

    @ParameterizedTest
    @EnumSource
    void echo_eightClients_sameBytesOverLoopback(MessagingType subject) throws Exception {
        Subjects.assumeRuns(subject);
        new MessagingChecks(subject).echo(8, 200);
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "JINTERFACE", "ENCON"})
    void mailboxes_thereAndBack_sameBytes(MessagingType subject) throws Exception {
        new MessagingChecks(subject).mailboxes(1_000);
    }
}

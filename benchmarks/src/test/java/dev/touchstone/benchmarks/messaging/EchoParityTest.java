package dev.touchstone.benchmarks.messaging;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
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
        new MessagingChecks(subject).echo(echo(EchoBody.PID), 1, 500);
    }

    @ParameterizedTest
    @EnumSource
    void echo_eightClients_sameBytesOverLoopback(MessagingType subject) throws Exception {
        Subjects.assumeRuns(subject);
        new MessagingChecks(subject).echo(echo(EchoBody.PID), 8, 200);
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "OURS_DROP_IN", "JINTERFACE", "ENCON"})
    void echo_eachBody_comesBackAsItWas(MessagingType subject) throws Exception {
        for (EchoBody body : EchoBody.values()) {
            new MessagingChecks(subject).echo(echo(body), 2, 100);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "OURS_DROP_IN", "JINTERFACE", "ENCON"})
    void echo_aNodeForEachOfSixteenClients_sameBytesOverLoopback(MessagingType subject) throws Exception {
        EchoBenchmark benchmark = echo(EchoBody.PID);
        benchmark.nodeEach = true;
        new MessagingChecks(subject).echo(benchmark, 16, 100);
    }

    @Test
    void echo_bodyOfACeiling_refused() {
        assertThatThrownBy(() -> new MessagingChecks(MessagingType.CEILING_BUSY).echo(echo(EchoBody.KIB_1), 1, 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("expected servers=1 without a body");
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS", "OURS_DROP_IN", "JINTERFACE", "ENCON"})
    void mailboxes_thereAndBack_sameBytes(MessagingType subject) throws Exception {
        new MessagingChecks(subject).mailboxes(1_000);
    }

    private static EchoBenchmark echo(EchoBody body) {
        EchoBenchmark benchmark = new EchoBenchmark();
        benchmark.body = body;
        return benchmark;
    }
}

package dev.touchstone.benchmarks.messaging;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.SubjectsOf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** All subjects answer with the same bytes, over a socket where they have nodes. */
@Timeout(120)
final class EchoParityTest {

    @ParameterizedTest
    @SubjectsOf(EchoBenchmark.class)
    void echo_oneClient_sameBytesOverLoopback(DeclaredSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        new MessagingChecks(subject).echo(echo(EchoBody.PID), 1, 500);
    }

    @ParameterizedTest
    @SubjectsOf(EchoBenchmark.class)
    void echo_eightClients_sameBytesOverLoopback(DeclaredSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        new MessagingChecks(subject).echo(echo(EchoBody.PID), 8, 200);
    }

    @ParameterizedTest
    @SubjectsOf(MailboxBenchmark.class)
    void echo_eachBody_comesBackAsItWas(DeclaredSubject subject) throws Exception {
        for (EchoBody body : EchoBody.values()) {
            new MessagingChecks(subject).echo(echo(body), 2, 100);
        }
    }

    @ParameterizedTest
    @SubjectsOf(MailboxBenchmark.class)
    void echo_aNodeForEachOfSixteenClients_sameBytesOverLoopback(DeclaredSubject subject) throws Exception {
        EchoBenchmark benchmark = echo(EchoBody.PID);
        benchmark.nodeEach = true;
        new MessagingChecks(subject).echo(benchmark, 16, 100);
    }

    @Test
    void echo_bodyOfACeiling_refused() {
        assertThatThrownBy(
                        () -> new MessagingChecks(DeclaredSubject.of("CEILING_BUSY")).echo(echo(EchoBody.KIB_1), 1, 1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("expected servers=1 without a body");
    }

    @ParameterizedTest
    @SubjectsOf(MailboxBenchmark.class)
    void mailboxes_thereAndBack_sameBytes(DeclaredSubject subject) throws Exception {
        new MessagingChecks(subject).mailboxes(1_000);
    }

    private static EchoBenchmark echo(EchoBody body) {
        EchoBenchmark benchmark = new EchoBenchmark();
        benchmark.body = body;
        return benchmark;
    }
}

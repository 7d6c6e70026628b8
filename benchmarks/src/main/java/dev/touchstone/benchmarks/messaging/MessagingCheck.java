package dev.touchstone.benchmarks.messaging;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.SentBytes;
import dev.touchstone.benchmarks.messaging.peer.MailboxUnderTest;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.SemanticCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/** Checks one subject of one workload by a little of its work. */
record MessagingCheck(Matrix.Workload workload, DeclaredSubject subject) implements SemanticCheck {

    private static final int CLIENTS = 3;
    private static final int ECHOES = 500;
    private static final int COUNTED_ECHOES = 5_000; // of a subject that echoes whether it is called or not
    private static final int MESSAGES = 1_000;

    @Override
    public String observes() {
        return switch (method()) {
            case "EchoBenchmark.echo" ->
                "answers of every call; bytes of requests and answers, by the kernel's count for the connections of the nodes' "
                        + "processes";
            case "MailboxBenchmark.thereAndBack" ->
                "messages that another mailbox of the node has put into the second one, in the answers of the calls";
            case "TermBenchmark.encode" -> "the encoded bytes, by the subject's decoder and by ours";
            case "TermBenchmark.decode" -> "the decoded term, beside a term of plain Java values";
            default -> throw noCheck();
        };
    }

    @Override
    public Optional<String> unobserved() {
        return method().startsWith("EchoBenchmark.") ? SentBytes.missing() : Optional.empty();
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        MessagingChecks checks = new MessagingChecks(subject);
        SortedMap<String, String> params = workload.params();
        switch (method()) {
            case "EchoBenchmark.echo" -> checks.echo(echo(params), CLIENTS, isCounted() ? COUNTED_ECHOES : ECHOES);
            case "MailboxBenchmark.thereAndBack" -> checks.mailboxes(MESSAGES);
            case "TermBenchmark.encode" -> checks.encode(term(params));
            case "TermBenchmark.decode" -> checks.decode(term(params));
            default -> throw noCheck();
        }
    }

    /** Returns whether the subject echoes on its own and a call takes one of those echoes: where no node of its own is in this JVM. */
    private boolean isCounted() {
        return !subject.opens(MailboxUnderTest.class);
    }

    /** Returns class and method of the benchmark. */
    private String method() {
        return workload.benchmark()
                .substring(EchoBenchmark.class.getPackageName().length() + 1);
    }

    private IllegalArgumentException noCheck() {
        return new IllegalArgumentException("benchmark=" + workload.benchmark() + " has no check");
    }

    private static SampleTerm term(SortedMap<String, String> params) {
        return SampleTerm.valueOf(Objects.requireNonNull(params.get("term"), "no parameter named term"));
    }

    private static EchoBenchmark echo(SortedMap<String, String> params) {
        EchoBenchmark benchmark = new EchoBenchmark();
        benchmark.burners = Integer.parseInt(params.getOrDefault("burners", "0"));
        benchmark.body = EchoBody.valueOf(params.getOrDefault("body", "PID"));
        benchmark.nodeEach = Boolean.parseBoolean(params.getOrDefault("nodeEach", "false"));
        return benchmark;
    }
}

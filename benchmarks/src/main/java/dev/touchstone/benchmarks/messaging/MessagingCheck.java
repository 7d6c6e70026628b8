package dev.touchstone.benchmarks.messaging;

import dev.touchstone.harness.run.CheckFailedException;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.SemanticCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SortedMap;

/** One subject of one workload doing a little of its work. A subject that this machine does not have is passed over: its forks say so. */
record MessagingCheck(Matrix.Workload of, MessagingType type) implements SemanticCheck {

    private static final int CLIENTS = 3;
    private static final int ECHOES = 500;
    private static final int MESSAGES = 1_000;

    @Override
    public String workload() {
        return of.id();
    }

    @Override
    public String subject() {
        return type.name();
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        if (!type.available()) {
            return;
        }
        MessagingChecks checks = new MessagingChecks(type);
        SortedMap<String, String> params = of.params();
        String name =
                of.benchmark().substring(EchoBenchmark.class.getPackageName().length() + 1);
        switch (name) {
            case "EchoBenchmark.echo" -> checks.echo(echo(params), CLIENTS, ECHOES);
            case "MailboxBenchmark.thereAndBack" -> checks.mailboxes(MESSAGES);
            case "TermBenchmark.encode" -> checks.encode(term(params));
            case "TermBenchmark.decode" -> checks.decode(term(params));
            default -> throw new IllegalStateException("no check of a benchmark: workload=" + of.id() + " " + name);
        }
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

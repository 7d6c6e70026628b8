package dev.touchstone.benchmarks.mutants;

import dev.touchstone.benchmarks.builds.peer.BuildsUnderTest;
import dev.touchstone.benchmarks.builds.peer.LogsUnderTest;
import dev.touchstone.benchmarks.builds.peer.NoopsUnderTest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Broken build services. */
final class BuildMutants {
    private BuildMutants() {}

    static List<Mutant> all() {
        return List.of(
                noops("noops-one-of-all", "builds-noop/OURS", call -> pipelined(call, 1)),
                noops(
                        "noops-all-but-one",
                        "builds-noop-durable/OURS",
                        call -> call.name().equals("pipelined")
                                ? pipelined(call, call.argument(0, Integer.class) - 1)
                                : call.proceed()),
                noops(
                        "noop-without-the-master",
                        "builds-noop-sequential/OURS",
                        call -> call.name().equals("roundTrip") ? null : call.proceed()),
                noops("noops-of-a-limit-one-of-all", "builds-noop/CEILING_LOOPBACK", call -> pipelined(call, 1)),
                builds("builds-all-but-one", "builds-streaming/OURS", call -> build(call, 1)),
                builds("builds-only-once", "builds-discard-one-jvm/OURS", BuildMutants::once),
                builds(
                        "script-does-not-run",
                        "builds-again/CEILING_SCRIPT",
                        call -> call.name().equals("build") ? null : call.proceed()),
                builds("tree-is-not-written", "builds-discard/CEILING_CHECKOUT", BuildMutants::once),
                builds("bare-build-all-but-one", "builds-files/CEILING_BUILD", call -> build(call, 1)),
                new Mutant(
                        "log-only-once",
                        "builds-log/OURS",
                        LogsUnderTest.class,
                        false,
                        call -> call.name().equals("follow") ? call.first() : call.proceed()),
                new Mutant(
                        "log-shorter",
                        "builds-log-tls/OURS",
                        LogsUnderTest.class,
                        false,
                        call -> call.name().equals("follow") ? 3_000_000L / 2 : call.proceed()));
    }

    private static Mutant noops(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, NoopsUnderTest.class, cell.endsWith("LOOPBACK"), twist);
    }

    private static Mutant builds(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, BuildsUnderTest.class, cell.contains("/CEILING"), twist);
    }

    private static @Nullable Object pipelined(Call call, int count) throws Throwable {
        return call.name().equals("pipelined") ? call.proceed(count) : call.proceed();
    }

    private static @Nullable Object build(Call call, int fewer) throws Throwable {
        return call.name().equals("build")
                ? call.proceed(call.argument(0, Integer.class) - fewer, call.args()[1])
                : call.proceed();
    }

    private static @Nullable Object once(Call call) throws Throwable {
        return call.name().equals("build") && call.number() > 1 ? null : call.proceed();
    }
}

package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.limit.ControlGroup;
import dev.touchstone.builds.agent.limit.ControlGroups;
import dev.touchstone.builds.agent.log.BuildLog;
import dev.touchstone.builds.agent.process.Command;
import dev.touchstone.builds.agent.process.ProcessId;
import dev.touchstone.builds.agent.process.ProcessTree;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.process.StoppedException;
import dev.touchstone.builds.agent.source.Checkout;
import dev.touchstone.builds.agent.store.JobFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The run of a script, from the start of its process until none of its processes is left. The executor's thread only. */
final class ScriptRun {
    /** Nothing is lost by a long sleep: the script's end, its output and a stop each wake. */
    private static final long MAX_PARK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final CheckedJob job;
    private final BuildSteps steps;
    private final BuildLog log;
    private final JobFolder folder;
    private final LogProgress growth;
    private final StopSignal stop;

    ScriptRun(CheckedJob job, BuildSteps steps, BuildLog log, JobFolder folder, LogProgress growth) {
        this.job = job;
        this.steps = steps;
        this.log = log;
        this.folder = folder;
        this.growth = growth;
        this.stop = job.stop();
    }

    /**
     * Runs the script; returns its exit code. The run ends when the script does, whoever still holds its output open.
     *
     * @param home what the script has as HOME in place of what the isolation says
     */
    int run(Checkout checkout, Path script, Optional<Path> home) throws IOException, StoppedException {
        Command command = command(checkout, script, home);
        Optional<ControlGroups> groups = steps.groups();
        if (groups.isEmpty()) {
            return run(command);
        }
        try (ControlGroup group = groups.get().begin()) {
            int exitCode = run(command.in(group));
            for (String met : group.met()) {
                log.say(Banner.limited(met));
            }
            if (exitCode != 0) {
                group.checkEntered();
            }
            return exitCode;
        }
    }

    private int run(Command command) throws IOException, StoppedException {
        Thread executor = Thread.currentThread();
        Runnable wake = () -> LockSupport.unpark(executor);
        ProcessTree tree = steps.launcher().start(command);
        ProcessTree.Ending ending;
        try {
            stop.wakeWith(wake);
            tree.onExit(wake);
            growth.wakeWith(wake);
            remember(tree);
            ending = await(tree);
        } catch (IOException | RuntimeException | Error e) {
            tree.terminate(Duration.ZERO, () -> {});
            throw e;
        } finally {
            stop.wakeWith(null);
            growth.wakeWith(null);
        }
        log.endOfOutput();
        stop.check();
        if (ending.killed() > 0 || ending.left() > 0) {
            log.say(Banner.swept(ending.killed(), ending.left()));
        }
        steps.isolation().checkBegun(tree.exitCode(), folder.sandboxReport());
        return tree.exitCode();
    }

    private ProcessTree.Ending await(ProcessTree tree) throws IOException {
        while (tree.isAlive() && !stop.isStopped()) {
            log.pump();
            LockSupport.parkNanos(this, Math.min(MAX_PARK_NANOS, stop.remainingNanos()));
        }
        if (!tree.isAlive()) {
            steps.isolation().firstInside(folder.sandboxReport()).ifPresent(tree::awaitEnd);
            return tree.sweep();
        }
        return tree.terminate(grace(), this::lookQuietly);
    }

    /** Returns the time that processes have to end by themselves: none if they might fill the device meanwhile. */
    private Duration grace() {
        boolean isForSpace = stop.stopped()
                .filter(by -> by.cause() == StopSignal.Cause.NO_SPACE)
                .isPresent();
        return isForSpace ? Duration.ZERO : steps.grace();
    }

    /** Looks at the log while processes end; a log that fails is no reason to leave them. */
    private void lookQuietly() {
        try {
            log.pump();
        } catch (IOException e) {
            // endOfOutput meets it again
        }
    }

    private Command command(Checkout checkout, Path file, Optional<Path> home) throws IOException {
        Assignment assignment = job.assignment();
        List<String> words = steps.runners()
                .command(assignment.runner(), file)
                .orElseThrow(() -> new IllegalStateException("checked at start: runner=" + assignment.runner()));
        Map<String, String> build = new HashMap<>();
        build.put("CI", assignment.environment().getOrDefault("CI", "true"));
        build.put("WORKSPACE", checkout.workspace().toString());
        build.put("SRCDIR", checkout.source().toString());
        build.put("BUILDS_JOB_ID", assignment.jobId());
        build.put("BUILDS_BRANCH", job.source().branch().name());
        build.put("BUILDS_COMMIT", checkout.commit().hex());
        home.ifPresent(path -> build.put("HOME", path.toString()));
        Map<String, String> environment = steps.environment().compose(assignment.environment(), build);
        Command script = new Command(
                words,
                checkout.source(),
                environment,
                log.output(),
                job.source().mark());
        return steps.isolation().enclose(script, checkout.workspace(), checkout.lent(), folder.sandboxReport());
    }

    private void remember(ProcessTree tree) throws IOException {
        Optional<ProcessId> id = steps.launcher().identify(tree.pid());
        if (id.isPresent()) {
            folder.write(id.get());
        }
    }
}

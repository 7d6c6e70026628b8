package dev.touchstone.builds.client;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.ToClient;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Hands what the master says to those who wait for it. The receiver's. */
final class Answers {
    private final Pending pending;
    private final Questions questions;
    private final Semaphore window;

    Answers(Pending pending, Questions questions, Semaphore window) {
        this.pending = pending;
        this.questions = questions;
        this.window = window;
    }

    /**
     * Takes what the master says.
     *
     * @param prefix what its jobs' ids begin with
     */
    void handle(ToClient told, String prefix) {
        if (told instanceof ToClient.Done done) {
            done(done, prefix);
        } else if (told instanceof ToClient.Accepted accepted) {
            accepted(accepted, prefix);
        } else if (told instanceof ToClient.Result result) {
            String jobId = jobId(prefix, result.job());
            pending.ended(result.job())
                    .forEach(build -> build.result.complete(result.ending().of(jobId)));
        } else if (told instanceof ToClient.Rejected rejected) {
            rejected(rejected);
        } else if (told instanceof ToClient.Unknown unknown) {
            BuildException cause = new BuildException(
                    BuildCode.UNKNOWN_JOB, "no such job, or no more: job=" + jobId(prefix, unknown.job()));
            pending.ended(unknown.job()).forEach(build -> build.fail(cause));
        } else if (told instanceof ToClient.Failed failed) {
            Question question = questions.take(failed.ask());
            if (question != null) {
                question.fail(
                        new BuildException(BuildCode.of(failed.code()).orElse(BuildCode.BAD_REQUEST), failed.reason()));
            }
        } else {
            Question question = questions.take(ask(told));
            if (question != null) {
                question.answer(told);
            }
        }
    }

    private static long ask(ToClient told) {
        if (told instanceof ToClient.Chunk chunk) {
            return chunk.ask();
        }
        if (told instanceof ToClient.Cancelled cancelled) {
            return cancelled.ask();
        }
        return told instanceof ToClient.Status status ? status.ask() : -1;
    }

    private void accepted(ToClient.Accepted told, String prefix) {
        List<@Nullable RemoteBuild> builds = pending.accepted(told.numbers(), told.jobs());
        int answered = 0;
        for (int row = 0; row < builds.size(); row++) {
            RemoteBuild build = builds.get(row);
            if (build != null) {
                answered += build.weight;
                build.accepted.complete(jobId(prefix, told.jobs().get(row)));
            }
        }
        window.release(answered);
    }

    private void done(ToClient.Done told, String prefix) {
        List<List<RemoteBuild>> builds = pending.done(told.numbers(), told.jobs());
        int answered = 0;
        for (int row = 0; row < builds.size(); row++) {
            List<RemoteBuild> waiting = builds.get(row);
            if (waiting.isEmpty()) {
                continue;
            }
            String jobId = jobId(prefix, told.jobs().get(row));
            Ending ending = new Ending(BuildCode.OK, 0, "", 0, 0, 1, told.agent(), 0, false);
            for (RemoteBuild build : waiting) {
                answered += build.accepted.isDone() ? 0 : build.weight;
                build.accepted.complete(jobId);
                build.result.complete(ending.of(jobId));
            }
        }
        window.release(answered);
    }

    private void rejected(ToClient.Rejected told) {
        BuildException cause =
                new BuildException(BuildCode.of(told.code()).orElse(BuildCode.BAD_REQUEST), told.reason());
        for (int row = 0; row < told.numbers().size(); row++) {
            RemoteBuild build = pending.remove(told.numbers().get(row));
            if (build != null) {
                fail(build, cause);
            }
        }
    }

    private static String jobId(String prefix, long number) {
        return prefix + '-' + number;
    }

    /** Fails all that waits. */
    void failAll(BuildException cause) {
        pending.removeAll().forEach(build -> fail(build, cause));
        questions.failAll(cause);
    }

    void fail(RemoteBuild build, BuildException cause) {
        if (!build.accepted.isDone()) {
            window.release(build.weight);
        }
        build.fail(cause);
    }
}

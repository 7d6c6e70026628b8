package dev.touchstone.builds.client;

import com.google.protobuf.Message;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.v1.Wire;
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
    void handle(Wire.ToClient told, String prefix) {
        switch (told.getToldCase()) {
            case DONE -> done(told.getDone(), prefix);
            case ACCEPTED -> accepted(told.getAccepted(), prefix);
            case RESULT -> {
                Wire.Result result = told.getResult();
                BuildResult ended = Ending.of(result.getEnding()).toResult(jobId(prefix, result.getJob()));
                pending.ended(result.getJob()).forEach(build -> build.result.complete(ended));
            }
            case REJECTED -> rejected(told.getRejected());
            case UNKNOWN -> {
                long job = told.getUnknown().getJob();
                BuildException cause =
                        new BuildException(BuildCode.UNKNOWN_JOB, "no such job, or no more: job=" + jobId(prefix, job));
                pending.ended(job).forEach(build -> build.fail(cause));
            }
            case FAILED -> failed(told.getFailed());
            case CANCELLED -> answer(told.getCancelled().getAsk(), told.getCancelled());
            case STATUS -> answer(told.getStatus().getAsk(), told.getStatus());
            case JOBS -> answer(told.getJobs().getAsk(), told.getJobs());
            case RETRIED -> answer(told.getRetried().getAsk(), told.getRetried());
            case AGENTS -> answer(told.getAgents().getAsk(), told.getAgents());
            case WELCOME, TOLD_NOT_SET -> {} // a later version's, which says nothing to this one
        }
    }

    /** Takes the answer to a question for a log. */
    void handle(Wire.LogAnswer told) {
        if (told.hasFailed()) {
            failed(told.getFailed());
        } else {
            answer(told.getChunk().getAsk(), told.getChunk());
        }
    }

    private void failed(Wire.Failed failed) {
        Question question = questions.take(failed.getAsk());
        if (question != null) {
            question.fail(new BuildException(
                    BuildCode.of(failed.getCode()).orElse(BuildCode.BAD_REQUEST), failed.getReason()));
        }
    }

    private void answer(long ask, Message answer) {
        Question question = questions.take(ask);
        if (question != null) {
            question.answer(answer);
        }
    }

    private void accepted(Wire.Accepted told, String prefix) {
        List<@Nullable RemoteBuild> builds = pending.accepted(told);
        int answered = 0;
        for (int row = 0; row < builds.size(); row++) {
            RemoteBuild build = builds.get(row);
            if (build != null) {
                answered += build.weight;
                build.accepted.complete(jobId(prefix, told.getJobs(row)));
            }
        }
        window.release(answered);
    }

    private void done(Wire.Done told, String prefix) {
        List<List<RemoteBuild>> builds = pending.done(told);
        int answered = 0;
        for (int row = 0; row < builds.size(); row++) {
            List<RemoteBuild> waiting = builds.get(row);
            if (waiting.isEmpty()) {
                continue;
            }
            String jobId = jobId(prefix, told.getJobs(row));
            Ending ending = new Ending(BuildCode.OK, 0, "", 0, 0, 1, told.getAgent(), 0, false);
            for (RemoteBuild build : waiting) {
                answered += build.accepted.isDone() ? 0 : build.weight;
                build.accepted.complete(jobId);
                build.result.complete(ending.toResult(jobId));
            }
        }
        window.release(answered);
    }

    private void rejected(Wire.Rejected told) {
        BuildException cause =
                new BuildException(BuildCode.of(told.getCode()).orElse(BuildCode.BAD_REQUEST), told.getReason());
        for (int row = 0; row < told.getNumbersCount(); row++) {
            RemoteBuild build = pending.remove(told.getNumbers(row));
            if (build != null) {
                fail(build, cause);
            }
        }
    }

    static String jobId(String prefix, long number) {
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

package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.isolation.IsolationException;
import dev.touchstone.builds.agent.process.LaunchException;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.source.Faults;
import dev.touchstone.builds.agent.source.SourceException;
import dev.touchstone.builds.agent.source.name.SourceRefusedException;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.io.IOException;
import java.nio.file.Path;

/** The end of an attempt: its code, and the reason in words. */
record Verdict(OutcomeCode code, String message) {

    static Verdict ofExit(int exitCode) {
        return exitCode == 0
                ? new Verdict(OutcomeCode.SUCCEEDED, "")
                : new Verdict(OutcomeCode.SCRIPT_FAILED, "exit status " + exitCode);
    }

    /** Returns the verdict on a script whose artefacts cannot be collected: one that succeeded has failed then. */
    static Verdict withoutArtefacts(int exitCode, IOException failure, Path folder) {
        String reason = "artefacts are missing: " + said(failure);
        if (exitCode != 0) {
            return new Verdict(OutcomeCode.SCRIPT_FAILED, "exit status " + exitCode + "; " + reason);
        }
        return new Verdict(Faults.isFull(failure, folder) ? OutcomeCode.NO_SPACE : OutcomeCode.AGENT_FAILED, reason);
    }

    /**
     * Returns the verdict on an attempt that was stopped.
     *
     * @param begun whether an executor had begun with the job
     */
    static Verdict ofStop(StopSignal.Stop stop, boolean begun) {
        return switch (stop.cause()) {
            case CANCELLED ->
                new Verdict(begun ? OutcomeCode.CANCELLED : OutcomeCode.INTERRUPTED, "cancelled: " + stop.reason());
            case TIMED_OUT -> new Verdict(OutcomeCode.TIMED_OUT, "timed out: " + stop.reason());
            case NO_SPACE -> new Verdict(OutcomeCode.NO_SPACE, stop.reason());
            case AGENT_CLOSED -> new Verdict(OutcomeCode.AGENT_CLOSED, stop.reason());
        };
    }

    static Verdict ofRefusal(SourceRefusedException refusal) {
        return new Verdict(OutcomeCode.REFUSED, said(refusal));
    }

    /**
     * Returns the verdict on an attempt that an exception ended.
     *
     * @param folder on the device that may be full
     */
    static Verdict ofFailure(IOException failure, Path folder) {
        if (failure instanceof SourceException source) {
            return new Verdict(ofStep(source.step()), said(failure));
        }
        if (Faults.isFull(failure, folder)) {
            return new Verdict(OutcomeCode.NO_SPACE, said(failure));
        }
        if (failure instanceof LaunchException || failure instanceof IsolationException) {
            return new Verdict(OutcomeCode.START_FAILED, said(failure));
        }
        if (failure instanceof FolderException) {
            return new Verdict(OutcomeCode.WORKSPACE_FAILED, said(failure));
        }
        return new Verdict(OutcomeCode.LOG_FAILED, "the log cannot be written: " + said(failure));
    }

    static Verdict ofDefect(Throwable defect) {
        return new Verdict(OutcomeCode.AGENT_FAILED, "the agent failed: " + defect);
    }

    private static OutcomeCode ofStep(SourceException.Step step) {
        return switch (step) {
            case WORKSPACE -> OutcomeCode.WORKSPACE_FAILED;
            case SOURCE_FOLDER -> OutcomeCode.SOURCE_FOLDER_FAILED;
            case VCS -> OutcomeCode.VCS_FAILED;
            case PULL -> OutcomeCode.PULL_FAILED;
            case NO_SPACE -> OutcomeCode.NO_SPACE;
        };
    }

    private static String said(Throwable failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }
}

package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.artefact.Collected;
import dev.touchstone.builds.agent.store.OutcomeCode;
import java.nio.file.Path;
import java.time.Duration;

/** The agent's own lines in a log: the original's, where it has them. */
final class Banner {
    static final String LOCKING = "---> Locking the project workspace";
    static final String WAITING = "---> Waiting for a free executor";

    private Banner() {}

    static String pulling(Assignment assignment) {
        return "\n---> Pulling the sources (using URL \"" + assignment.repository() + "#" + assignment.branch() + "\")";
    }

    static String running(Path script, String runner) {
        return "\n---> Running the script located at " + script + " (using runner \"" + runner + "\")";
    }

    static String swept(int killed, int left) {
        String lost = left == 0 ? "" : ", " + left + " could not be ended";
        return "\n---> Ended " + killed + " processes that the script left behind" + lost;
    }

    static String limited(String met) {
        return "\n---> The build met its limit of " + met;
    }

    static String collected(Collected collected) {
        return collected.files() == 0
                ? "\n---> No file matches the patterns of artefacts"
                : "\n---> Artefacts: files=" + collected.files() + " bytes=" + collected.bytes();
    }

    static String ended(OutcomeCode code, String message) {
        String how = code == OutcomeCode.SUCCEEDED ? "succeeded" : "failed";
        return "\n---> Build " + how + (message.isEmpty() ? "" : ": " + message);
    }

    static String durations(Duration pull, Duration build) {
        return "Pull  duration: " + DurationText.of(pull) + "\nBuild duration: " + DurationText.of(build)
                + "\nTotal duration: " + DurationText.of(pull.plus(build));
    }
}

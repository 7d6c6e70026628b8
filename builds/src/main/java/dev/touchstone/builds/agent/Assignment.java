package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.artefact.WantedFiles;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An attempt of a job, as the agent is told it. The environment may hold secrets: this is never printed whole.
 *
 * @param jobId letters, digits, dots, dashes and underscores, at most 100, the first a letter or digit
 * @param attempt 1 for the first
 * @param epoch the master's, to tell late results by; the agent only gives it back
 * @param repository URL, with or without the original's {@code git+} before it
 * @param branch name of the branch, or the branch that {@code commit} belongs to
 * @param commit all 40 digits, in place of the branch's newest
 * @param script path in the repository
 * @param runner one of {@link BuildAgent#runners}
 * @param environment of the script, over what the agent gives every script
 * @param secretNames which of the environment's values must not be seen in the log
 * @param log what becomes of the output
 * @param timeout from the moment in which an executor takes the job
 * @param maxLogBytes at most so much of the output is kept
 * @param files what the build hands on
 * @param accepted {@link BuildAgent#moment} at which it was known here that the master had the job: a fetch that began later serves it; empty for now
 */
public record Assignment(
        String jobId,
        int attempt,
        long epoch,
        String repository,
        String branch,
        Optional<String> commit,
        String script,
        String runner,
        Map<String, String> environment,
        Set<String> secretNames,
        LogMode log,
        Duration timeout,
        long maxLogBytes,
        WantedFiles files,
        OptionalLong accepted) {
    public Assignment {
        environment = Map.copyOf(environment);
        secretNames = Set.copyOf(secretNames);
    }

    /** Names the attempt, and no value of the environment. */
    @Override
    public String toString() {
        return "Assignment[jobId=" + jobId + ", attempt=" + attempt + ", epoch=" + epoch + ", repository=" + repository
                + ", branch=" + branch + ", script=" + script + ", runner=" + runner + "]";
    }
}

package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.log.Secrets;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.source.SourceRequest;
import dev.touchstone.builds.agent.source.name.ScriptPath;

/**
 * An assignment that was found good.
 *
 * @param stop ends it, at any stage
 */
record Job(
        Assignment assignment,
        SourceRequest source,
        ScriptPath script,
        Secrets secrets,
        BuildListener listener,
        StopSignal stop) {

    /** Names the attempt among all of this agent's. */
    String name() {
        return name(assignment.jobId(), assignment.attempt());
    }

    static String name(String jobId, int attempt) {
        return jobId + "-" + attempt;
    }
}

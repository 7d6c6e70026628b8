package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.log.Secrets;
import dev.touchstone.builds.agent.process.StopSignal;
import dev.touchstone.builds.agent.source.SourceRequest;
import dev.touchstone.builds.agent.source.name.ScriptPath;
import dev.touchstone.builds.agent.store.Attempt;

/**
 * An assignment that was found good.
 *
 * @param stop ends it, at any stage
 */
record CheckedJob(
        Assignment assignment,
        SourceRequest source,
        ScriptPath script,
        Secrets secrets,
        BuildListener listener,
        StopSignal stop) {

    /** Returns the name of the attempt among all of this agent's. */
    String name() {
        return Attempt.name(assignment.jobId(), assignment.attempt());
    }
}

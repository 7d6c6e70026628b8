package dev.touchstone.builds.agent.source;

import dev.touchstone.builds.agent.process.StopSignal;
import org.eclipse.jgit.lib.EmptyProgressMonitor;

/** Lets JGit look, again and again, whether it should go on. */
final class StopMonitor extends EmptyProgressMonitor {
    private final StopSignal stop;

    StopMonitor(StopSignal stop) {
        this.stop = stop;
    }

    @Override
    public boolean isCancelled() {
        return stop.isStopped();
    }
}

package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.log.BuildLog;
import java.io.IOException;

/** Tells a job's listener when there is more of its log to read. */
final class Growth {
    private final Job job;
    private final BuildLog log;
    private long toldBytes;

    Growth(Job job, BuildLog log) {
        this.job = job;
        this.log = log;
    }

    void look() throws IOException {
        long bytes = log.pump();
        if (bytes > toldBytes) {
            toldBytes = bytes;
            Listeners.logGrew(job, bytes);
        }
    }
}

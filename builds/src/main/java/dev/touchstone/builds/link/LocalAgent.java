package dev.touchstone.builds.link;

import dev.touchstone.builds.agent.Assignment;
import dev.touchstone.builds.agent.BuildAgent;
import dev.touchstone.builds.agent.BuildListener;
import dev.touchstone.builds.agent.store.RecoveredAttempt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/** An agent as the link to its master needs it. Thread-safe. */
public interface LocalAgent {
    Set<String> runners();

    Set<String> labels();

    int executors();

    /** Returns the attempts of an earlier life. */
    List<RecoveredAttempt> leftovers();

    /** Returns the present moment, as {@link Assignment#accepted} is counted. */
    long moment();

    /**
     * Begins an attempt.
     *
     * @throws dev.touchstone.builds.agent.AssignmentRefusedException if it does not take it
     */
    void start(Assignment assignment, BuildListener listener);

    boolean cancel(String jobId, String reason);

    int readLog(String jobId, int attempt, long offset, ByteBuffer into) throws IOException;

    /** Reads the artefacts of an attempt that has ended, as {@link BuildAgent#readBundle}. */
    int readBundle(String jobId, int attempt, long offset, ByteBuffer into) throws IOException;

    void forget(String jobId, int attempt) throws IOException;

    /** Returns an agent of this process. */
    static LocalAgent of(BuildAgent agent) {
        return new LocalAgent() {
            @Override
            public Set<String> runners() {
                return agent.runners();
            }

            @Override
            public Set<String> labels() {
                return agent.labels();
            }

            @Override
            public int executors() {
                return agent.executors();
            }

            @Override
            public List<RecoveredAttempt> leftovers() {
                return agent.leftovers();
            }

            @Override
            public long moment() {
                return agent.moment();
            }

            @Override
            public void start(Assignment assignment, BuildListener listener) {
                agent.start(assignment, listener);
            }

            @Override
            public boolean cancel(String jobId, String reason) {
                return agent.cancel(jobId, reason);
            }

            @Override
            public int readLog(String jobId, int attempt, long offset, ByteBuffer into) throws IOException {
                return agent.readLog(jobId, attempt, offset, into);
            }

            @Override
            public int readBundle(String jobId, int attempt, long offset, ByteBuffer into) throws IOException {
                return agent.readBundle(jobId, attempt, offset, into);
            }

            @Override
            public void forget(String jobId, int attempt) throws IOException {
                agent.forget(jobId, attempt);
            }
        };
    }
}

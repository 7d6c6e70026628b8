package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.store.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** An agent in a folder of a test, with what tests ask of it. */
final class TestAgent implements AutoCloseable {
    private final BuildAgent agent;

    private TestAgent(BuildAgent agent) {
        this.agent = agent;
    }

    static TestAgent in(Path root) throws IOException {
        return of(builder(root));
    }

    static TestAgent of(BuildAgentBuilder builder) throws IOException {
        return new TestAgent(builder.open());
    }

    static BuildAgentBuilder builder(Path root) {
        return BuildAgent.at(root).executors(2).grace(Duration.ofMillis(500));
    }

    BuildAgent agent() {
        return agent;
    }

    Recorder start(TestJob job) {
        Recorder recorder = new Recorder();
        agent.start(job.assignment(), recorder);
        return recorder;
    }

    Outcome run(TestJob job) {
        return start(job).await();
    }

    byte[] logBytes(String jobId) throws IOException {
        return logBytes(jobId, 1);
    }

    /** Returns how many bytes of a log can be read, which may be more than the heap has room for. */
    long logLength(String jobId) throws IOException {
        ByteBuffer part = ByteBuffer.allocate(1 << 20);
        long length = 0;
        int read = agent.readLog(jobId, 1, length, part);
        while (read > 0) {
            length += read;
            read = agent.readLog(jobId, 1, length, part.clear());
        }
        return length;
    }

    byte[] logBytes(String jobId, int attempt) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer part = ByteBuffer.allocate(10_007);
        while (true) {
            part.clear();
            int read = agent.readLog(jobId, attempt, all.size(), part);
            if (read <= 0) {
                return all.toByteArray();
            }
            all.write(part.array(), 0, read);
        }
    }

    String log(String jobId) throws IOException {
        return new String(logBytes(jobId), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        agent.close();
    }
}

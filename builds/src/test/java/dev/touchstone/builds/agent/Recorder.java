package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.store.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Remembers what a listener is told, and that it is told in order. */
final class Recorder implements BuildListener {
    private final List<String> stages = new ArrayList<>();
    private long bytes;
    private @Nullable Outcome outcome;

    @Override
    public synchronized void started(Assignment assignment, String stage) {
        checkOpen();
        stages.add(stage);
    }

    @Override
    public synchronized void logGrew(Assignment assignment, long readable) {
        checkOpen();
        if (readable <= bytes) {
            throw new AssertionError("bytes=" + readable + " after bytes=" + bytes);
        }
        bytes = readable;
    }

    @Override
    public synchronized void finished(Assignment assignment, Outcome end) {
        checkOpen();
        outcome = end;
    }

    synchronized List<String> stages() {
        return List.copyOf(stages);
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized Optional<Outcome> finished() {
        return Optional.ofNullable(outcome);
    }

    Outcome await() {
        Waits.until("the end of the job", () -> finished().isPresent());
        return finished().orElseThrow();
    }

    void awaitStage(String stage) {
        Waits.until("stage " + stage, () -> stages().contains(stage));
    }

    private void checkOpen() {
        if (outcome != null) {
            throw new AssertionError("told after the end");
        }
    }
}

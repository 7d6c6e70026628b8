package dev.touchstone.queue.log;

import dev.touchstone.queue.log.LogOptions.BatchBound;
import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Small logs for tests, and the calls that tests make most. */
final class Logs {
    static final Path FOLDER = Path.of("queue");

    private Logs() {}

    static LogOptions options(Commit commit) {
        LogOptions defaults = LogOptions.of(FOLDER, commit, 64 << 10);
        return new LogOptions(
                FOLDER,
                commit,
                64 << 10,
                new BatchBound(64, 32 << 10, Duration.ofMinutes(1)),
                Duration.ZERO,
                defaults.limits(),
                defaults.retention(),
                defaults.leases(),
                false,
                defaults.onDamage());
    }

    static void append(RecordLog log, byte[] record) throws IOException {
        try {
            if (!log.append(0, record)) {
                throw new AssertionError("refused");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static byte @Nullable [] poll(RecordLog log) throws IOException {
        return log.cursors().own().next(payload -> payload, true);
    }
}

package dev.touchstone.messaging.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines that nodes log while this is open. */
final class LogLines implements AutoCloseable {
    private static final String NAME = "dev.touchstone.messaging";

    private final Logger logger = Logger.getLogger(NAME);
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private final boolean usesParent = logger.getUseParentHandlers();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            records.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    LogLines() {
        logger.setUseParentHandlers(false);
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
    }

    /** Returns the lines that have a text, and the level of each before it. */
    List<String> with(String text) {
        List<String> found = new ArrayList<>();
        for (LogRecord line : records) {
            if (line.getMessage().contains(text)) {
                found.add(line.getLevel() + " " + line.getMessage());
            }
        }
        return found;
    }

    /** Returns once there is a line that has a text and satisfies a condition. */
    void await(String text, Predicate<String> condition) {
        Nodes.await("the log has " + text, () -> with(text).stream().anyMatch(condition));
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
        logger.setLevel(null);
        logger.setUseParentHandlers(usesParent);
    }
}

package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.report.FaultLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The log of the node while a test runs, kept from the console. */
@SuppressWarnings("ReferenceEquality") // levels have one instance each
public final class FaultRecorder extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("dev.touchstone.messaging");
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    /** Begins to record. */
    public FaultRecorder() {
        FaultLog.renewBudget();
        logger.addHandler(this);
        logger.setUseParentHandlers(false);
    }

    /**
     * Returns what was logged as an error.
     *
     * @return the causes, oldest first
     */
    public List<Throwable> errors() {
        return records.stream()
                .filter(entry -> entry.getLevel() == Level.SEVERE)
                .map(LogRecord::getThrown)
                .toList();
    }

    /**
     * Returns what was logged as a warning.
     *
     * @return the messages, oldest first
     */
    public List<String> warnings() {
        return records.stream()
                .filter(entry -> entry.getLevel() == Level.WARNING)
                .map(LogRecord::getMessage)
                .toList();
    }

    @Override
    public void publish(LogRecord entry) {
        records.add(entry);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}

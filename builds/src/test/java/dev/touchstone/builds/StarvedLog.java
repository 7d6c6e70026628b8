package dev.touchstone.builds;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A handler that finds no memory for some records of a log, from its creation until it is closed. */
public final class StarvedLog extends Handler implements AutoCloseable {
    private final Logger log;
    private final Predicate<LogRecord> isStarved;
    private final AtomicInteger records = new AtomicInteger();

    public StarvedLog(Logger log, Predicate<LogRecord> isStarved) {
        this.log = log;
        this.isStarved = isStarved;
        log.addHandler(this);
    }

    /** Returns one that finds no memory for the first records. */
    public static StarvedLog ofFirst(Logger log, int count) {
        AtomicInteger left = new AtomicInteger(count);
        return new StarvedLog(log, record -> left.getAndDecrement() > 0);
    }

    /** Returns the number of records that have come. */
    public int records() {
        return records.get();
    }

    @Override
    public void publish(LogRecord record) {
        records.incrementAndGet();
        if (isStarved.test(record)) {
            throw new OutOfMemoryError("for a test");
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        log.removeHandler(this);
    }
}

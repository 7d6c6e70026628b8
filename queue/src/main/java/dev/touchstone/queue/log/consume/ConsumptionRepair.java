package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.segment.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Mends what is known of a log's consumption, while nobody has the log open. */
public final class ConsumptionRepair {
    /** Prefix of the name that a cursor gets whose own name is lost. */
    public static final String RECOVERED = "recovered-";

    private ConsumptionRepair() {}

    /**
     * Returns the state of a log without checkpoints: each cursor that is known has consumed what is not there any more. Records of the log are
     * applied to it by {@link #apply}.
     *
     * @param found named cursors whose files of format 1 are whole, and the log's own
     * @param oldest sequence that is still there
     * @param through whether the log writes through to the device
     */
    public static FoundConsumption rebuild(FoundConsumption found, long oldest, boolean through) {
        found.pass(oldest);
        return new FoundConsumption(found.cursors(), Long.MAX_VALUE, through, false, 0, 0, false, List.of());
    }

    /**
     * Applies a record of the log. A cursor that only such records know gets a name with its id, for its own is lost.
     *
     * @param oldest sequence that is still there
     */
    public static void apply(FoundConsumption rebuilt, long oldest, int kind, ByteBuffer payload) {
        if (kind == RecordFormat.CONSUMPTION) {
            addUnknown(rebuilt, oldest, payload);
        }
        rebuilt.apply(kind, payload);
    }

    private static void addUnknown(FoundConsumption rebuilt, long oldest, ByteBuffer payload) {
        ConsumptionEntries.readAll(payload, new ConsumptionEntries.Sink() {
            @Override
            public void consumed(long cursor, long first, long end) {
                add(cursor);
            }

            @Override
            public void attempted(long cursor, long sequence, ConsumerState.Attempt attempt) {
                add(cursor);
            }

            private void add(long cursor) {
                if (cursor != ConsumptionEntries.CHECKPOINT_ID
                        && rebuilt.cursors().size() < ConsumptionJournal.MAX_CURSORS) {
                    String name = RECOVERED + String.format(Locale.ROOT, "%016x", cursor);
                    rebuilt.cursors().computeIfAbsent(cursor, id -> new ConsumerState(id, name, oldest));
                }
            }
        });
    }

    /** Returns the cursor files of format 1 that a folder has, which {@link #write} deletes. */
    public static List<Path> legacyFiles(FileIo io, Path folder) throws IOException {
        return FoundConsumption.legacyFiles(io, folder);
    }

    /** Receives what a cursor has consumed. */
    public interface ConsumedSink {
        /** Takes the sequences from {@code first} to before {@code end}. */
        void consumed(long cursor, long first, long end);
    }

    /** Receives what a cursor has handed out. */
    public interface AttemptSink {
        /** Takes a number of deliveries of a record, and the time before which it is not handed out again. */
        void attempted(long cursor, long sequence, int deliveries, long notBeforeMillis);
    }

    /** Gives the content of a record of the log that nobody appended, other than checkpoints. */
    public static void visit(int kind, ByteBuffer payload, ConsumedSink consumed, AttemptSink attempted) {
        if (kind == RecordFormat.FLOORS) {
            ByteBuffer row = payload.order(ByteOrder.LITTLE_ENDIAN);
            while (row.remaining() >= 2 * Long.BYTES) {
                consumed.consumed(row.getLong(), 0, row.getLong());
            }
        } else if (kind == RecordFormat.CONSUMPTION) {
            ConsumptionEntries.readAll(payload, new ConsumptionEntries.Sink() {
                @Override
                public void consumed(long cursor, long first, long end) {
                    if (cursor != ConsumptionEntries.CHECKPOINT_ID) {
                        consumed.consumed(cursor, first, end);
                    }
                }

                @Override
                public void attempted(long cursor, long sequence, ConsumerState.Attempt attempt) {
                    attempted.attempted(cursor, sequence, attempt.deliveries(), attempt.notBeforeMillis());
                }
            });
        }
    }

    /** Applies that no cursor will get the records from {@code first} to before {@code end}: they cannot be read. */
    public static void lose(FoundConsumption found, long first, long end) {
        found.cursors().values().forEach(cursor -> cursor.consume(first, end));
    }

    /**
     * Writes both checkpoints as a log does that is closed.
     *
     * @param next sequence that the log goes on with; every record before it is on the device
     */
    public static void write(FileIo io, Path folder, FoundConsumption found, long next) throws IOException {
        found.cursors().values().forEach(cursor -> cursor.truncate(next));
        try (ConsumptionJournal journal = ConsumptionJournal.open(io, folder, false)) {
            journal.begin(found, next, found.writtenThrough());
            journal.writeClosed();
        }
    }
}

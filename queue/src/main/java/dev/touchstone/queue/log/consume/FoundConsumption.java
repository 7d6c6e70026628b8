package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.consume.CheckpointFile.Checkpoint;
import dev.touchstone.queue.log.consume.ConsumerState.Attempt;
import dev.touchstone.queue.log.segment.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The consumption that the files of a folder tell of, before the log is read.
 *
 * @param cursors the log's own first
 * @param checkpoint every record before this sequence is on the device
 * @param writtenThrough whether segments after the checkpoint were written through to the device
 * @param complete whether a checkpoint was found, or there is none because the log is new
 * @param generation the highest in use
 * @param newest index of the file whose checkpoint was found
 * @param closed whether the log was closed with that checkpoint
 * @param damages places that are not what was written; with {@code complete} they cost slots at most
 */
public record FoundConsumption(
        Map<Long, ConsumerState> cursors,
        long checkpoint,
        boolean writtenThrough,
        boolean complete,
        long generation,
        int newest,
        boolean closed,
        List<CorruptLogException> damages) {
    private static final int MAX_READS = 20;

    /** Reads what the files say; again where an owner at work has changed them meanwhile, or may have. */
    static FoundConsumption read(FileIo io, Path folder, CheckpointFile[] files) throws IOException {
        for (int again = MAX_READS - 1; ; again--) {
            List<ByteBuffer> headers = List.of(files[0].header(), files[1].header());
            FoundConsumption found = readOnce(io, folder, files);
            boolean isSame = headers.equals(List.of(files[0].header(), files[1].header()));
            boolean isDamaged = !found.damages.isEmpty(); // or a slot was being stored
            if ((isSame && (!isDamaged || again < MAX_READS - 2)) || again == 0) {
                return found;
            }
        }
    }

    private static FoundConsumption readOnce(FileIo io, Path folder, CheckpointFile[] files) throws IOException {
        List<CorruptLogException> damages = new ArrayList<>();
        @Nullable Checkpoint[] read = {files[0].read(), files[1].read()};
        int newest = read[1] != null
                        && (read[0] == null
                                || read[1].head().generation() > read[0].head().generation())
                ? 1
                : 0;
        Checkpoint found = read[newest];
        if (found == null) {
            return none(io, folder, files, damages);
        }
        Map<Long, ConsumerState> cursors = new LinkedHashMap<>();
        found.cursors().stream()
                .sorted(Comparator.comparing(ConsumerState::name))
                .forEach(cursor -> cursors.put(cursor.id(), cursor));
        Facts facts = new Facts(cursors);
        long number = found.head().generation();
        files[newest].readSlots(found, facts, damages);
        CheckpointFile other = files[1 - newest];
        boolean bothWritten = number > 1; // and forced, so neither was ever shorter again
        if (read[1 - newest] == null && (other.size() > 0 || bothWritten)) {
            int slotsOfNext = other.findSlots(number + 1, facts);
            boolean isCut = bothWritten && other.size() < CheckpointFile.bytes(ConsumptionJournal.MIN_SLOTS);
            if (slotsOfNext > 0 || isCut || (found.head().closed() && !other.isCleared())) {
                damages.add(
                        0, new CorruptLogException(other.path(), 0, "cursor checkpoint", "matching CRC", "another"));
            }
            number++;
        }
        return new FoundConsumption(
                cursors,
                Math.max(found.head().checkpoint(), facts.checkpoint()),
                found.head().writtenThrough(),
                true,
                number,
                newest,
                found.head().closed(),
                damages);
    }

    /** Returns what is known without a checkpoint: what files of format 1 say, if there are any. */
    private static FoundConsumption none(
            FileIo io, Path folder, CheckpointFile[] files, List<CorruptLogException> damages) throws IOException {
        Map<Long, ConsumerState> cursors = new LinkedHashMap<>();
        cursors.put(
                ConsumptionJournal.OWN_ID,
                new ConsumerState(
                        ConsumptionJournal.OWN_ID, "", 1)); // first, and all that is known of it where its file is lost
        boolean complete = false;
        boolean writtenThrough = true;
        long known = 1;
        for (Path file : legacyFiles(io, folder)) { // the log's own is first in the order of names
            LegacyCursorFile.Content content = LegacyCursorFile.read(io, file);
            if (content == null) {
                damages.add(new CorruptLogException(file, 0, "cursor file", "a whole slot", "none"));
            } else {
                if (content.cursor().name().isEmpty()) {
                    complete = true;
                    known = content.checkpoint();
                    writtenThrough = content.writtenThrough();
                    cursors.clear();
                }
                cursors.put(content.cursor().id(), content.cursor());
            }
        }
        for (CheckpointFile file : files) {
            if (!complete && file.size() > 0) {
                damages.add(new CorruptLogException(file.path(), 0, "cursor checkpoint", "matching CRC", "another"));
            }
        }
        return new FoundConsumption(cursors, known, writtenThrough, complete, 0, 0, false, damages);
    }

    /** Returns the cursor files of format 1 that a folder has. */
    static List<Path> legacyFiles(FileIo io, Path folder) throws IOException {
        return io.list(folder).stream().filter(LegacyCursorFile::isOne).toList();
    }

    /** Returns the state of the log's own cursor. */
    public ConsumerState own() {
        return cursors.values().iterator().next();
    }

    /**
     * Returns the sequence that the log goes on with. No number is given again that anybody may have taken for durable:
     *
     * <ul>
     *   <li>In a log that was written through, each consumed record was on the device, so the numbers below the lowest floor stay used.
     *   <li>In any other log a record that was promised to the device stands before the checkpoint. A record behind {@code end} never
     *       reached its file, or a power cut took it from there, so its number is given again, as are those of the lost records that
     *       nobody had consumed.
     *   <li>With no record left, the files may have been deleted because all was consumed; only the floors know the numbers then. No
     *       segment is there in which numbers could be missing.
     * </ul>
     *
     * @param end sequence after the last record that was found
     * @param anyRecords whether a record was found
     * @param lowestFloor of the cursors that keep records
     * @return the next sequence
     */
    public long next(long end, boolean anyRecords, long lowestFloor) {
        return Math.max(Math.max(end, checkpoint), writtenThrough || !anyRecords ? lowestFloor : 1);
    }

    /**
     * Returns the sequence after the last that was consumed and is lost although it was on the device.
     *
     * @param next sequence that the log goes on with
     * @return {@code next} where none is, or where the log was not written through and a power cut may have taken the records
     */
    public long lostAfter(long next) {
        return writtenThrough
                ? cursors.values().stream().mapToLong(ConsumerState::end).reduce(next, Math::max)
                : next;
    }

    /**
     * Returns whether damage costs a whole cursor: that of a file of format 1, which has no second one.
     *
     * @param damage one of {@link #damages}
     * @return false where a slot is lost at most
     */
    public boolean losesCursor(CorruptLogException damage) {
        return LegacyCursorFile.isOne(damage.file());
    }

    /** Applies that no record before {@code end} is there, so that no cursor waits for one. */
    public void pass(long end) {
        cursors.values().forEach(cursor -> cursor.consume(0, end));
    }

    /** Applies a record of the log that holds consumption. */
    public void apply(int kind, ByteBuffer payload) {
        if (kind == RecordFormat.CONSUMPTION) {
            ConsumptionEntries.readAll(payload, new Facts(cursors));
        } else if (kind == RecordFormat.FLOORS) {
            ByteBuffer row = payload.order(ByteOrder.LITTLE_ENDIAN);
            while (row.remaining() >= 2 * Long.BYTES) {
                ConsumerState cursor = cursors.get(row.getLong());
                long floor = row.getLong();
                if (cursor != null) {
                    cursor.consume(0, floor);
                }
            }
        }
    }

    /** Applies entries to the states of known cursors. */
    static final class Facts implements ConsumptionEntries.Sink {
        private final Map<Long, ConsumerState> cursors;
        private long checkpoint;

        Facts(Map<Long, ConsumerState> cursors) {
            this.cursors = cursors;
        }

        /** Returns the sequence before which every record is on the device, as far as entries say; 0 where none does. */
        long checkpoint() {
            return checkpoint;
        }

        @Override
        public void consumed(long cursor, long first, long end) {
            ConsumerState state = cursors.get(cursor);
            if (state != null) {
                state.consume(first, end);
            } else if (cursor == ConsumptionEntries.CHECKPOINT_ID) {
                checkpoint = Math.max(checkpoint, end);
            }
        }

        @Override
        public void attempted(long cursor, long sequence, Attempt attempt) {
            ConsumerState state = cursors.get(cursor);
            if (state != null) {
                state.attempt(sequence, attempt);
            }
        }
    }
}

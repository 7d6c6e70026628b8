package dev.touchstone.queue.log.inspect;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The segments of a folder, looked at again and again while their owner adds and removes some. Not thread-safe. */
final class SegmentListing {
    private final FileIo io;
    private final Path folder;

    /**
     * Segments by path. A path never holds another segment: a file is renamed before it is used again, to a name that was never used. So a
     * header needs to be read once.
     */
    private final Map<Path, Segment> known = new HashMap<>();

    private final List<CorruptLogException> damages = new ArrayList<>();

    SegmentListing(FileIo io, Path folder) {
        this.io = io;
        this.folder = folder;
    }

    /** Returns the segments that are there now, in the order in which they were begun. */
    List<Segment> read() throws IOException {
        damages.clear();
        List<Path> files =
                io.list(folder).stream().filter(SegmentStore::isSegment).toList();
        known.keySet().retainAll(files);
        for (Path file : files) {
            if (!known.containsKey(file)) {
                Segment segment = find(file);
                if (segment != null) {
                    known.put(file, segment);
                }
            }
        }
        return known.values().stream()
                .sorted(Comparator.comparingLong(s -> s.header().epoch()))
                .toList();
    }

    /** Returns the headers that {@link #read} could not read: damaged, or being written. */
    List<CorruptLogException> damages() {
        return damages;
    }

    /** Returns the segment that begins in a file; null where none does, or not yet. */
    private @Nullable Segment find(Path file) throws IOException {
        try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
            if (open.size() < SegmentHeader.BYTES) {
                return null; // a spare, or one that is being made
            }
            SegmentHeader header = SegmentHeader.read(open, file, SegmentStore.epoch(file), false);
            return header == null ? null : new Segment(file, header);
        } catch (NoSuchFileException gone) {
            return null;
        } catch (CorruptLogException damaged) {
            damages.add(damaged);
            return null;
        }
    }

    /** Returns whether the records of a segment were consumed and taken back: its file is gone, used again, or emptied. */
    boolean isGone(Segment segment) throws IOException {
        try (FileIo.DataFile open = io.open(segment.path(), FileIo.Access.READ)) {
            return open.size() <= SegmentHeader.BYTES;
        } catch (NoSuchFileException gone) {
            return true;
        }
    }
}

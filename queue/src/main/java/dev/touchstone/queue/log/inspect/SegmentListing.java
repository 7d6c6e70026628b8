package dev.touchstone.queue.log.inspect;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.MissingCodecException;
import dev.touchstone.queue.log.segment.BlockTable;
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
    private final LogOptions.Codecs codecs;

    /**
     * Segments by path. A path never holds another segment, but its file may be compressed: a file is renamed before it is used again, to a name that was never used. So a
     * header needs to be read once.
     */
    private final Map<Path, Segment> known = new HashMap<>();

    private final List<CorruptLogException> damages = new ArrayList<>();

    SegmentListing(FileIo io, Path folder, LogOptions.Codecs codecs) {
        this.io = io;
        this.codecs = codecs;
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
            if (header != null) {
                check(open, file, header);
            }
            return header == null ? null : Segment.foreign(file, header, codecs);
        } catch (NoSuchFileException gone) {
            return null;
        } catch (CorruptLogException damaged) {
            damages.add(damaged);
            return null;
        }
    }

    /** Checks that the places of a compressed segment's blocks can be read. */
    private void check(FileIo.DataFile open, Path file, SegmentHeader header) throws IOException {
        try {
            BlockTable unused = BlockTable.read(open, file, header, codecs);
        } catch (MissingCodecException untilItIsRead) {
            // whoever does not come to this segment needs no codec
        }
    }

    /** Forgets what is known of a segment's file, so that {@link #read} looks at the file again. */
    void forget(Segment segment) {
        known.remove(segment.path());
    }

    /** Returns whether the owner has compressed a segment since it was opened. */
    boolean isNewlyCompressed(Segment segment) throws IOException {
        if (segment.isCompressed()) {
            return false;
        }
        Path file = segment.path();
        try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
            SegmentHeader header =
                    SegmentHeader.read(open, file, segment.header().epoch(), false);
            return header != null && header.compressed() && open.size() > SegmentHeader.BYTES;
        } catch (NoSuchFileException | CorruptLogException unreadable) {
            return false;
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

package dev.touchstone.queue.log.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A log file that holds records, or will. Thread-safe. */
public final class Segment {
    /*
     * Who calls:  the writer takes the open file, readers open and close files of their own, the store ends the segment when the next one begins and
     *             takes it back when its records are consumed.
     * Invariants: the end is set once by a use of the log, and never moves down. No reader's file is open once the segment was taken back. The file is
     *             replaced by a compressed one at most once, and never once the segment was taken back.
     * Ordering:   the store first forgets the segment, then takes it back, then deletes or renames the file; a reader whose file was closed under
     *             it therefore finds that the segment is not live.
     *             Of another process's segment the layout is told by each file that is opened, since a name may get a compressed file at any time.
     * Failure:    the files of readers that were never closed are closed with the segment, or collected.
     */
    private final Path path;
    private final SegmentHeader header;
    private final long salt;
    private final AtomicReference<FileIo.@Nullable DataFile> open;

    @GuardedBy("this")
    private final Set<FileIo.DataFile> readers = Collections.newSetFromMap(new WeakHashMap<>());

    @GuardedBy("this")
    private boolean takenBack;

    private volatile long writtenBytes;
    private volatile long endSequence = Long.MAX_VALUE;
    private volatile boolean released;
    private volatile boolean compressible;
    private volatile @Nullable BlockTable blocks; // set under this
    private final LogOptions.@Nullable Codecs foreignCodecs;

    /** Describes a segment that was found. */
    public Segment(Path path, SegmentHeader header) {
        this(path, header, (FileIo.DataFile) null);
    }

    /** Describes a segment that was found; {@code blocks} is null where it is not compressed. */
    public Segment(Path path, SegmentHeader header, @Nullable BlockTable blocks) {
        this(path, header);
        this.blocks = blocks;
    }

    /** Describes a segment that was just begun, with its open file until the writer takes that. */
    Segment(Path path, SegmentHeader header, FileIo.@Nullable DataFile open) {
        this(path, header, open, null);
    }

    private Segment(
            Path path, SegmentHeader header, FileIo.@Nullable DataFile open, LogOptions.@Nullable Codecs codecs) {
        this.foreignCodecs = codecs;
        this.path = path;
        this.header = header;
        this.salt = header.salt();
        this.open = new AtomicReference<>(open);
        this.writtenBytes = open == null ? header.segmentBytes() : SegmentHeader.BYTES;
    }

    /** Returns a segment that another process may compress meanwhile; {@code header} stands in for a damaged one in the file. */
    public static Segment foreign(Path path, SegmentHeader header, LogOptions.Codecs codecs) {
        return new Segment(path, header, null, codecs);
    }

    /** Returns the open file of a segment that was just begun; null where it was taken, or the segment was found. */
    public FileIo.@Nullable DataFile takeFile() {
        return open.getAndSet(null);
    }

    /** Returns the file's path. */
    public Path path() {
        return path;
    }

    /** Returns the sequence of the first record that the segment may hold. */
    public long firstSequence() {
        return header.firstSequence();
    }

    /** Returns the bytes of all records of the log before this segment. */
    public long offset() {
        return header.offset();
    }

    /** Returns the length that the file may grow to, header included. */
    public int bytes() {
        return header.segmentBytes();
    }

    /**
     * Returns a number of bytes from the file's start behind which nothing is worth reading yet: the end of the last batch that was written, or
     * {@link #bytes} where nobody here writes the segment.
     */
    long writtenBytes() {
        return writtenBytes;
    }

    /** Says that every record before a place in the file was written. */
    public void markWritten(long position) {
        writtenBytes = position;
    }

    /** Returns the segment's header. */
    public SegmentHeader header() {
        return header;
    }

    /** Returns the number that salts the checks of the segment's records. */
    public long salt() {
        return salt;
    }

    /** Returns the sequence that the next segment begins with; {@link Long#MAX_VALUE} while this is the last. */
    public long endSequence() {
        return endSequence;
    }

    /** Opens the file for a reader, who gives the answer to {@link #close}. */
    synchronized FileIo.DataFile openToRead(FileIo io) throws IOException {
        if (takenBack) {
            throw new NoSuchFileException(path.toString(), null, "all its records are consumed, and it was taken back");
        }
        FileIo.DataFile file = open(io);
        if (compressible && blocks == null) {
            file = new ReplaceableFile(io, this, file);
        }
        readers.add(file);
        return file;
    }

    private FileIo.DataFile open(FileIo io) throws IOException {
        FileIo.DataFile file = io.open(path, FileIo.Access.READ);
        boolean isOpen = false;
        try {
            BlockTable table = foreignCodecs == null ? blocks : BlockTable.find(file, path, header, foreignCodecs);
            blocks = table;
            isOpen = true;
            return table == null ? file : new DecompressedFile(file, table);
        } finally {
            if (!isOpen) {
                file.close();
            }
        }
    }

    /** Returns the damage of a compressed block that holds one of the bytes from {@code start} to before {@code end}; null where there is none. */
    @Nullable
    CorruptLogException damagedBlock(FileIo.DataFile reader, long start, long end) throws IOException {
        FileIo.DataFile file = reader instanceof ReplaceableFile replaceable ? replaceable.current() : reader;
        return file instanceof DecompressedFile compressed ? compressed.damagedBlock(path, start, end) : null;
    }

    /** Opens the file again for a reader whose file was closed by {@link #replace}. */
    synchronized FileIo.DataFile reopen(FileIo io, ReplaceableFile reader) throws IOException {
        if (!readers.contains(reader)) {
            throw new ClosedChannelException();
        }
        return open(io);
    }

    /** Prepares for {@link #replace}; before any reader opens the file. */
    void makeCompressible() {
        compressible = true;
    }

    /**
     * Puts a compressed file in the place of the segment's, whose readers go on in it.
     *
     * @return false where the segment was taken back, and nothing was done
     */
    synchronized boolean replace(FileIo io, Path compressed, BlockTable table) throws IOException {
        if (takenBack || released || !compressible) {
            return false;
        }
        for (FileIo.DataFile reader : readers) {
            if (reader instanceof ReplaceableFile replaceable) {
                replaceable.detach();
            }
        }
        io.rename(compressed, path);
        blocks = table;
        return true;
    }

    /** Returns whether the file is compressed, or was when it was opened last if it is another process's. */
    public boolean isCompressed() {
        return blocks != null;
    }

    /** Returns the bytes that the file takes or may grow to. */
    public int diskBytes() {
        BlockTable table = blocks;
        return table == null ? bytes() : table.fileBytes();
    }

    /** Closes a file that {@link #openToRead} returned. */
    void close(FileIo.DataFile file) throws IOException {
        synchronized (this) {
            readers.remove(file);
        }
        file.close();
    }

    /** Closes the files of all readers for good, so that the file's space is free as soon as its name is deleted. */
    synchronized void takeBack() throws IOException {
        takenBack = true;
        for (FileIo.DataFile file : readers) {
            file.close();
        }
        readers.clear();
    }

    /** Returns whether the file holds no records any more, because every cursor has consumed them. */
    public boolean isReleased() {
        return released;
    }

    /** Says that the file holds no records any more. */
    public void markReleased() {
        released = true;
    }

    /** Ends the segment before a sequence; {@link Long#MAX_VALUE} makes it the last again, before anybody reads it. */
    public void endsBefore(long sequence) {
        endSequence = sequence;
    }
}

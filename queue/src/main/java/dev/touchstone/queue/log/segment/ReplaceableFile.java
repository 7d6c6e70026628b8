package dev.touchstone.queue.log.segment;

import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** A reader's file of a segment that may be compressed while the reader is in it. Thread-safe. */
final class ReplaceableFile implements FileIo.DataFile {
    /*
     * Who calls:  a reader; detach() and close() also the threads that compress the segment or take it back, under the segment's monitor.
     * Invariants: a file that was opened before the segment was compressed is closed before the compressed one gets its name, so none is ever opened
     *             again by that name with the layout from before.
     * Ordering:   detach() forgets the file and then closes it, so a reader whose call fails because of that finds another file or none.
     * Failure:    a file that cannot be opened now fails the read; the next read tries again.
     */
    private final FileIo io;
    private final Segment segment;
    private volatile FileIo.@Nullable DataFile file; // set under the segment's monitor

    ReplaceableFile(FileIo io, Segment segment, FileIo.DataFile file) {
        this.io = io;
        this.segment = segment;
        this.file = file;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int start = target.position();
        for (; ; ) {
            FileIo.DataFile open = open();
            try {
                return open.read(target.position(start), position);
            } catch (ClosedChannelException e) {
                failUnlessDetached(open, e);
            }
        }
    }

    @Override
    public long size() throws IOException {
        for (; ; ) {
            FileIo.DataFile open = open();
            try {
                return open.size();
            } catch (ClosedChannelException e) {
                failUnlessDetached(open, e);
            }
        }
    }

    private FileIo.DataFile open() throws IOException {
        FileIo.DataFile open = file;
        if (open != null) {
            return open;
        }
        synchronized (segment) {
            open = file;
            if (open == null) {
                open = segment.reopen(io, this);
                file = open;
            }
            return open;
        }
    }

    @SuppressWarnings("ReferenceEquality") // whether it is the very file that failed
    private void failUnlessDetached(FileIo.DataFile open, ClosedChannelException e) throws IOException {
        if (open == file) {
            throw e;
        }
    }

    /** Returns the file that is open; null between two files. */
    FileIo.@Nullable DataFile current() {
        return file;
    }

    /** Closes the file, to be opened again by the next read. */
    void detach() throws IOException {
        FileIo.DataFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() throws IOException {
        FileIo.DataFile open = file;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void force() {
        throw new UnsupportedOperationException("a reader's file is never written");
    }

    @Override
    public ByteBuffer mapForWriting(int bytes) {
        throw new UnsupportedOperationException("a reader's file is never written");
    }

    @Override
    public void write(ByteBuffer source, long position) {
        throw new UnsupportedOperationException("a reader's file is never written");
    }

    @Override
    public void truncate(long bytes) {
        throw new UnsupportedOperationException("a reader's file is never written");
    }
}

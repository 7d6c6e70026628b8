package dev.touchstone.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The file system as the log needs it: the one seam through which bytes reach files, so that tests can cut the power behind it.
 * Thread-safe. Every method may throw {@link IOException}.
 */
public interface FileIo {

    /** How a file is opened. */
    enum Access {
        /** Existing file, no writes. */
        READ,
        /** A write returns when the bytes are in the page cache. */
        WRITE,
        /** A write returns when the bytes are on the device (O_DSYNC). */
        WRITE_THROUGH
    }

    /**
     * Opens an existing file.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     */
    DataFile open(Path file, Access access) throws IOException;

    /** Opens a file, made where absent. */
    DataFile create(Path file, Access access) throws IOException;

    /** Regular files of {@code folder} in the order of their names; links are not followed. */
    List<Path> list(Path folder) throws IOException;

    /** Makes {@code folder} and its parents where absent. */
    void createFolder(Path folder) throws IOException;

    /** Renames within a folder, replacing {@code to}; atomic, durable after {@link #forceFolder}. */
    void rename(Path from, Path to) throws IOException;

    void delete(Path file) throws IOException;

    /** When {@code file} was written last, in milliseconds of the epoch. */
    long lastWrittenMillis(Path file) throws IOException;

    /** Bytes that can still be written below {@code folder}. */
    long usableBytes(Path folder) throws IOException;

    /** Returns when the names in {@code folder} are on the device. */
    void forceFolder(Path folder) throws IOException;

    /**
     * Takes the lock file for this process and writes its pid into it; closing the answer gives it back.
     *
     * @throws LogLockedException if another holder has not given it back within {@code timeout}
     */
    Closeable lock(Path file, Duration timeout) throws IOException;

    /** An open file. Reads and writes are positional, complete and thread-safe; an interrupt neither stops nor closes them. */
    interface DataFile extends Closeable {

        /** Fills {@code target} from {@code position} on, up to the file's end, and returns the number of bytes read. */
        int read(ByteBuffer target, long position) throws IOException;

        /** The first {@code bytes} bytes of the file, without copying; they must not be cut off while the answer is in use. */
        ByteBuffer map(int bytes) throws IOException;

        /** Writes all of {@code source} at {@code position}. */
        void write(ByteBuffer source, long position) throws IOException;

        /** Returns when everything written to the file, and its length, is on the device. */
        void force() throws IOException;

        void truncate(long bytes) throws IOException;

        long size() throws IOException;
    }
}

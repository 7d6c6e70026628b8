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

    /** The ways to open a file. */
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
     * @throws CorruptLogException if the file is not a regular one
     */
    DataFile open(Path file, Access access) throws IOException;

    /**
     * Opens a file, made where absent and then readable and writable by its owner only.
     *
     * @throws CorruptLogException if the file is not a regular one
     */
    DataFile create(Path file, Access access) throws IOException;

    /** Returns the regular files and the symbolic links of {@code folder}, in the order of their names. */
    List<Path> list(Path folder) throws IOException;

    /**
     * Makes {@code folder} and its parents where absent, usable by their owner only; returns when their names are on the device. A folder that
     * exists is left as it is.
     */
    void createFolder(Path folder) throws IOException;

    /** Renames within a folder, replacing {@code to}; atomic, durable after {@link #forceFolder}. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file or a link, if it exists. */
    void delete(Path file) throws IOException;

    /** Returns when {@code file} was written last, in milliseconds of the epoch. */
    long lastWrittenMillis(Path file) throws IOException;

    /** Sets when {@code file} was written last, in milliseconds of the epoch. */
    void setLastWrittenMillis(Path file, long millis) throws IOException;

    /** Returns the bytes that can still be written below {@code folder}. */
    long usableBytes(Path folder) throws IOException;

    /**
     * Returns whether a store into a mapped file of {@code folder} may need room on the disk also where the file has bytes already, as on a
     * file system that copies a block before it is changed. On a full disk such a store is lost without an exception.
     */
    boolean storesNeedRoom(Path folder);

    /** Returns when the names in {@code folder} are on the device. */
    void forceFolder(Path folder) throws IOException;

    /**
     * Takes the lock file for this process and writes the process id into it; closing the answer releases the lock.
     *
     * @throws CorruptLogException if the lock file is not a regular one
     * @throws LogLockedException if another holder has not given it back within {@code timeout}
     */
    Closeable lock(Path file, Duration timeout) throws IOException;

    /** An open file. Reads and writes are positional, complete and thread-safe; an interrupt neither stops nor closes them. */
    interface DataFile extends Closeable {

        /** Fills {@code target} from {@code position} on, up to the file's end, and returns the number of bytes read. */
        int read(ByteBuffer target, long position) throws IOException;

        /**
         * Returns the first {@code bytes} bytes of the file, which has so many: a store into them is in the page cache at once. They
         * must not be cut off while the answer is in use.
         */
        ByteBuffer mapForWriting(int bytes) throws IOException;

        /** Writes all of {@code source} at {@code position}. */
        void write(ByteBuffer source, long position) throws IOException;

        /** Returns when everything written to the file, and its length, is on the device. */
        void force() throws IOException;

        /** Cuts the file off behind its first {@code bytes} bytes, if it is longer. */
        void truncate(long bytes) throws IOException;

        /** Returns the file's length in bytes. */
        long size() throws IOException;
    }
}

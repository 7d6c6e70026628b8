package dev.touchstone.queue.replication;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A state machine that is the same on all members once it has been given the same entries. Called by one thread at a time, but for
 * {@link #stamp} and {@link #check}.
 */
public interface ReplicatedMachine {

    /**
     * Takes the next committed entry. Entries come in the order of their index, each once since the last {@link #load}, or the start.
     *
     * @param index index in the engine's log, which has entries of its own between those of the machine
     * @param entry the entry, valid during the call only
     * @throws IOException if the entry cannot be applied; the engine ends this member then
     */
    void apply(long index, ByteBuffer entry) throws IOException;

    /**
     * Writes the leader's time into an entry that was given to it, before the entry is in the log. Any thread's.
     *
     * @param entry the entry, to be changed in place
     * @return false if the bytes are no entry of this machine, which the leader refuses
     */
    boolean stamp(byte[] entry);

    /**
     * Begins a snapshot of what was applied by now. Later entries may be applied while it is written, but no second snapshot or copy is begun.
     *
     * @return writes the snapshot, by another thread
     * @throws IOException if there can be no snapshot now
     */
    Snapshot save() throws IOException;

    /**
     * Begins a copy of what all members have alike, to be compared: equal states give equal files, which {@link #load} need not take. Otherwise as
     * {@link #save}.
     *
     * @return writes the copy, by another thread
     * @throws IOException if there can be no copy now
     */
    Snapshot copy() throws IOException;

    /**
     * Replaces the state by that of a snapshot.
     *
     * @param folder folder that a {@link Snapshot} wrote
     * @throws IOException if it cannot be read or is not whole; the engine ends this member then
     */
    void load(Path folder) throws IOException;

    /**
     * Reads a snapshot as {@link #load} does, and changes nothing. Any thread's, beside all other methods.
     *
     * @param folder folder that a {@link Snapshot} wrote
     * @throws IOException if it cannot be read, is damaged or is not whole
     */
    void check(Path folder) throws IOException;

    /**
     * Tells that this member leads, and that every entry of earlier leaders was applied.
     *
     * @param term number of this leadership, larger than all before it; or that of the last one, which goes on after it could not be handed over
     */
    void leads(long term);

    /** Tells that this member does not lead any more. */
    void follows();

    /**
     * Tells that the member has ended, and that no method is called any more.
     *
     * @param cause failure for which it ended; null if it was closed
     */
    void ended(@Nullable Throwable cause);

    /** A snapshot that has begun. */
    interface Snapshot {
        /**
         * Writes the snapshot's files into a folder, where they are on the device on return.
         *
         * @param folder an empty folder
         * @throws IOException if they cannot be written; the snapshot is given up then
         */
        void write(Path folder) throws IOException;
    }
}

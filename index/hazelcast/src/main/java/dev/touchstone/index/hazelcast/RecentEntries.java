package dev.touchstone.index.hazelcast;

import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The last entries of the log that count, with the versions that they made: by them, each replica passes over the same entries that were written twice. Not
 * thread-safe.
 */
final class RecentEntries {
    /** Stands for the version of an entry that the index refused. */
    static final long REFUSED = 0;

    private final int max;
    private final Map<UUID, Long> versions = new LinkedHashMap<>(); // the oldest first

    /** Creates an empty list of up to so many entries. */
    RecentEntries(int max) {
        this.max = max;
    }

    /** Adds an entry, in place of the oldest one if there are as many as there may be. */
    void add(UUID id, long version) {
        if (versions.size() == max) {
            Iterator<UUID> oldest = versions.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        versions.put(id, version);
    }

    /** Returns the version of an entry, {@link #REFUSED}, or null if it is not among the last ones. */
    @Nullable
    Long version(UUID id) {
        return versions.get(id);
    }

    /** Returns whether there are as many entries as there may be, so that others may be forgotten. */
    boolean isFull() {
        return versions.size() == max;
    }

    RecentEntries copy() {
        RecentEntries copy = new RecentEntries(max);
        copy.versions.putAll(versions);
        return copy;
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(versions.size());
        for (Map.Entry<UUID, Long> each : versions.entrySet()) {
            ReplicaRequests.writeUuid(each.getKey(), out);
            out.writeLong(each.getValue());
        }
    }

    /** Reads entries that {@link #write} wrote. Of more than there may be, the last ones stay. */
    static RecentEntries read(DataInputStream in, int max) throws IOException {
        RecentEntries read = new RecentEntries(max);
        for (int i = in.readInt(); i > 0; i--) {
            read.add(ReplicaRequests.readUuid(in), in.readLong());
        }
        return read;
    }
}

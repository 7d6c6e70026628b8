package dev.touchstone.queue.replicated.member;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.replicated.storage.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;

/**
 * Ids of the members with an empty folder to which this one has answered that they may start. A new member may confirm entries before its id is a
 * committed entry: all others have it here by then, as it starts when all have answered. Thread-safe; waits for the disk.
 */
final class AnsweredMembers {
    static final String FILE = "answered";

    private final FileIo io;
    private final Path file;

    @GuardedBy("this")
    private final KnownMembers members = new KnownMembers();

    /**
     * Reads the file, if there is one.
     *
     * @throws IOException if it cannot be read or is damaged
     */
    AnsweredMembers(FileIo io, Path folder) throws IOException {
        this.io = io;
        file = folder.resolve(FILE);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            members.load(io, file);
        }
    }

    /** Returns whether another member with this address was answered. */
    synchronized boolean hasOther(Identity asking) {
        String id = members.id(asking.address());
        return id != null && !id.equals(asking.id());
    }

    /**
     * Notes that a member is answered that it may start; on return this is on the device. One that is not among {@code current}, the members of the group, is not noted:
     * it confirms nothing before it is added, and then its id is a committed entry.
     */
    synchronized void put(Identity asking, Collection<String> current) throws IOException {
        if (current.contains(asking.address()) && !asking.id().equals(members.id(asking.address()))) {
            members.retain(current);
            members.put(asking);
            SmallFile.write(io, file, members.encode());
        }
    }
}

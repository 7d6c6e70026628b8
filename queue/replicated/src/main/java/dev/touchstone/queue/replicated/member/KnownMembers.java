package dev.touchstone.queue.replicated.member;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.replicated.storage.SmallFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Ids of the members by their addresses, as the entries of the log tell them: part of the replicated state, so the same on all members once
 * they have applied the same entries. Thread-safe.
 */
final class KnownMembers {
    /*
     * Who calls:   the applying thread changes; anybody reads.
     * Invariants:  changed by committed entries and snapshots alone.
     */
    static final String FILE = "members";
    private static final String HEADER = "touchstone-members 1";
    private static final String END = "end ";
    private static final int MAX_FILE_BYTES = 1 << 20;

    @GuardedBy("this")
    private final Map<String, String> ids = new TreeMap<>();

    /** Notes the id of a member, in the place of an earlier one. */
    synchronized void put(Identity identity) {
        ids.put(identity.address(), identity.id());
    }

    /** Forgets all members but those of {@code members}. */
    synchronized void retain(Collection<String> members) {
        ids.keySet().retainAll(members);
    }

    /** {@return the id of the member with this address, or null} */
    synchronized @Nullable String id(String address) {
        return ids.get(address);
    }

    /** {@return the addresses of the members whose ids are known} */
    synchronized List<String> addresses() {
        return List.copyOf(ids.keySet());
    }

    /** {@return the text of the file, without its checksum} */
    synchronized String encode() {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        ids.forEach((address, id) -> text.append(id).append(' ').append(address).append('\n'));
        return text.append(END).append(ids.size()).append('\n').toString();
    }

    /**
     * Takes the state of a snapshot.
     *
     * @throws IOException if the file cannot be read or is damaged
     */
    synchronized void load(FileIo io, Path file) throws IOException {
        List<String> lines = SmallFile.read(io, file, MAX_FILE_BYTES).lines().toList();
        int last = lines.size() - 1;
        if (last < 1 || !lines.get(0).equals(HEADER) || !lines.get(last).equals(END + (last - 1))) {
            throw new IOException("the file of the members' ids is damaged: first or last line in " + file);
        }
        ids.clear();
        for (String line : lines.subList(1, last)) {
            try {
                put(Identity.parse(line));
            } catch (IllegalArgumentException e) {
                throw new IOException("the file of the members' ids is damaged: " + e.getMessage() + " in " + file, e);
            }
        }
    }
}

package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.etf.TermTooLargeException;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The members of groups that one other node has, and about how much of the heap they take. For one thread. */
final class RemoteGroups {
    private static final int BYTES_OF_MEMBER = 64; // a pid, its place here, and that in the view of all members
    private static final int BYTES_OF_GROUP = 256; // two entries of maps, and two lists
    private static final int BYTES_OF_BYTE = 32; // of a name: an element of a list can have one byte when encoded

    private final Map<Term, List<Pid>> groups = new HashMap<>();
    private final int maxNameBytes;
    private long bytes;

    /**
     * Makes one that is empty.
     *
     * @param maxBytes the largest {@link #bytes} that are of use
     */
    RemoteGroups(long maxBytes) {
        this.maxNameBytes = (int) Math.min(TermWriter.DEFAULT_MAX_BYTES, maxBytes / BYTES_OF_BYTE + 1);
    }

    /** Returns about how many bytes of the heap the groups take; more than the bound where a name alone does. */
    long bytes() {
        return bytes;
    }

    /** Returns the names of groups that have members. */
    Set<Term> names() {
        return groups.keySet();
    }

    /** Returns the members of a group, once for each time they joined. */
    List<Pid> members(Term group) {
        return groups.getOrDefault(group, List.of());
    }

    /** Adds members to a group, each once for each time that it is given. */
    void add(Term group, List<Pid> joining) {
        if (!joining.isEmpty()) {
            groups.computeIfAbsent(group, name -> {
                        bytes += bytesOfGroup(name);
                        return new ArrayList<>(joining.size());
                    })
                    .addAll(joining);
            bytes += (long) BYTES_OF_MEMBER * joining.size();
        }
    }

    /**
     * Removes members from groups, each once for each time that it and the group are given. Takes time in proportion to what is given and
     * to the groups' members.
     *
     * @return the groups that have lost members
     */
    List<Term> remove(List<Pid> leaving, List<Term> names) {
        Map<Pid, Long> times = count(leaving);
        List<Term> changed = new ArrayList<>();
        count(names).forEach((group, repeated) -> {
            List<Pid> members = groups.get(group);
            if (members == null) {
                return;
            }
            int before = members.size();
            Map<Pid, Long> left = new HashMap<>();
            if (members.removeIf(pid -> times.containsKey(pid)
                    && left.merge(pid, 1L, Long::sum) <= times.getOrDefault(pid, 0L) * repeated)) {
                changed.add(group);
                bytes -= (long) BYTES_OF_MEMBER * (before - members.size());
            }
            if (members.isEmpty()) {
                groups.remove(group);
                bytes -= bytesOfGroup(group);
            }
        });
        return changed;
    }

    private static <T> Map<T, Long> count(List<T> given) {
        Map<T, Long> times = new HashMap<>();
        given.forEach(one -> times.merge(one, 1L, Long::sum));
        return times;
    }

    private long bytesOfGroup(Term name) {
        TermWriter writer = new TermWriter(64, maxNameBytes);
        try {
            writer.write(name);
        } catch (TermTooLargeException e) {
            return BYTES_OF_GROUP + (long) BYTES_OF_BYTE * maxNameBytes;
        }
        return BYTES_OF_GROUP + (long) BYTES_OF_BYTE * writer.position();
    }
}

package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.link.Reply;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The standing of a member in its group: behind it, removed from it, or without a leader. Thread-safe. */
final class Standing {
    /*
     * Who calls:   a timer looks; callers whose calls were not done ask.
     * Why:         a member that was removed is not told so by its leader, which sends it nothing any more: it asks the others.
     */
    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int ANSWER_MILLIS = 2_000;
    /** More entries than members have on their way at any time: a member that has them to apply is behind. */
    private static final long MIN_BEHIND = 32;

    private final PeerId own;
    private final List<PeerId> first;
    private final MachineAdapter adapter;
    private final KnownMembers known;
    private final Links links;
    private long ledNanos = System.nanoTime(); // the timer's, as is askedNanos
    private long askedNanos = System.nanoTime();
    private volatile @Nullable List<String> membersWithoutThis;
    private final Map<String, String> unreached = new ConcurrentSkipListMap<>(); // since this member hears of no leader

    /**
     * Creates the standing of a member.
     *
     * @param first the members with which the group began, as this one was told
     */
    Standing(PeerId own, List<PeerId> first, MachineAdapter adapter, KnownMembers known, Links links) {
        this.own = own;
        this.first = first;
        this.adapter = adapter;
        this.known = known;
        this.links = links;
    }

    /** Asks the other members whether this one was removed, now and then while it hears of no leader. */
    void look() {
        long now = System.nanoTime();
        if (adapter.leaderPeer() != null) {
            ledNanos = now;
            membersWithoutThis = null;
            unreached.clear();
        } else if (now - ledNanos >= ASK_NANOS && now - askedNanos >= ASK_NANOS) {
            askedNanos = now;
            for (PeerId other : others()) {
                links.send(other, Message.of(Kind.MEMBERS, ""), ANSWER_MILLIS, new Answer(other.toString()));
            }
        }
    }

    private Set<PeerId> others() {
        Set<PeerId> others = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        others.addAll(first);
        known.addresses().forEach(address -> others.add(MemberAddress.parse(address)));
        others.remove(own);
        return others;
    }

    /** Takes the answer of a member that leads this group; others cannot tell. */
    private final class Answer implements Reply {
        private final String other;

        Answer(String other) {
            this.other = other;
        }

        @Override
        public void answered(Message answer) {
            unreached.remove(other);
            if (answer.kind() == Kind.DONE) {
                List<String> members = Arrays.asList(answer.text().split(" "));
                membersWithoutThis = members.contains(own.toString()) ? null : members;
            }
        }

        @Override
        public void notSent(String reason) {
            unreached.put(other, reason); // asked again later
        }

        @Override
        public void lost(String reason) {
            unreached.put(other, reason); // asked again later
        }
    }

    /** Returns what keeps calls of this member from being done, as a clause of a message. */
    String hindrance() {
        List<String> without = membersWithoutThis;
        if (without != null) {
            return "this member, " + own + ", was removed from the group, whose members are " + without;
        }
        String leader = adapter.leader();
        long behind = adapter.committedIndex() - adapter.appliedIndex();
        if (behind >= MIN_BEHIND) {
            return "this member, " + own + ", is " + behind + " entries behind the group: leader="
                    + (leader == null ? "unknown" : leader);
        }
        if (leader != null) {
            return own.toString().equals(leader)
                    ? "this member leads, and no majority of the members answers it"
                    : "the leader " + leader + " does not answer";
        }
        return "there is no leader" + unreached();
    }

    private String unreached() {
        return unreached.isEmpty()
                ? ""
                : ", and no answer of "
                        + unreached.entrySet().stream()
                                .map(each -> each.getKey() + " (" + each.getValue() + ")")
                                .collect(Collectors.joining(", "));
    }
}

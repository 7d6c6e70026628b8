package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import dev.touchstone.queue.replicated.link.MemberAddress;

/**
 * Word of a leader that an entry of its own term, and so all before it, is committed.
 *
 * @param leader the leader
 * @param term its term, which is the entry's too
 * @param index index of the entry
 */
record CommitNotice(PeerId leader, long term, long index) {

    /**
     * Reads {@link #text}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static CommitNotice parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException(
                    "not a notice of a commit: expected leader, term and index, got " + parts.length + " words");
        }
        return new CommitNotice(MemberAddress.parse(parts[0]), positive(parts[1]), positive(parts[2]));
    }

    private static long positive(String number) {
        long value = Long.parseLong(number);
        if (value <= 0) {
            throw new IllegalArgumentException("not a notice of a commit: expected a number above 0, got " + value);
        }
        return value;
    }

    String text() {
        return leader + " " + term + " " + index;
    }

    /** Returns whether this one says more than {@code other}. */
    boolean isAfter(CommitNotice other) {
        return term > other.term || (term == other.term && index > other.index);
    }

    /** Returns the heartbeat by which the leader would tell the same to a follower. */
    AppendEntriesRequest heartbeat(String group, PeerId follower) {
        return AppendEntriesRequest.newBuilder()
                .setGroupId(group)
                .setServerId(leader.toString())
                .setPeerId(follower.toString())
                .setTerm(term)
                .setPrevLogTerm(term)
                .setPrevLogIndex(index)
                .setCommittedIndex(index)
                .build();
    }
}

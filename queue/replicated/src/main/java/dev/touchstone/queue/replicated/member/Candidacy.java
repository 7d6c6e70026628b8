package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.Node;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * A member's question before it adds another one, and its answer to such a question: whether the folder of the member that is to be added is empty or
 * of the same group. jraft compares indexes and terms alone, which are soon the same in two groups: it would add a member of another group, whose
 * state then differs for good. Thread-safe.
 */
final class Candidacy {
    private final Identity identity;
    private final KnownMembers known;
    private final AnsweredMembers answered;
    private final Node node;

    /**
     * Creates the candidacy of a member.
     *
     * @param identity the member's own
     * @param known members of whose ids the applied entries tell
     * @param answered members to which this one has answered that they may start
     */
    Candidacy(Identity identity, KnownMembers known, AnsweredMembers answered, Node node) {
        this.identity = identity;
        this.known = known;
        this.answered = answered;
        this.node = node;
    }

    /** Returns the question that this member asks one that it is to add. */
    Message question() {
        Set<String> ids = ids();
        ids.add(identity.id());
        return Message.of(Kind.JOIN, String.join(" ", ids));
    }

    /** Returns the answer to {@code question}: done if this member can be added, not done if it never can, or that it cannot tell yet. */
    Message answer(Message question) {
        if (!node.getNodeState().isActive()) {
            return Message.of(Kind.NOT_YET, "the member is starting, or has ended");
        }
        Set<String> ids = ids();
        boolean isUnknown =
                ids.isEmpty() && !node.isLeader(false); // no group, or a start without having applied an entry since
        if (node.getLastLogIndex() == 0
                || isUnknown
                || !Collections.disjoint(ids, Arrays.asList(question.text().split(" ")))) {
            return Message.of(Kind.DONE, "");
        }
        return Message.of(
                Kind.NOT_DONE,
                "its folder has entries of another group, of members " + known.addresses()
                        + ": empty its folder, start it without members and add it");
    }

    /** Returns the ids of the members, past ones too, that this one has had to do with. */
    private Set<String> ids() {
        Set<String> ids = new TreeSet<>(known.ids());
        ids.addAll(answered.ids());
        return ids;
    }
}

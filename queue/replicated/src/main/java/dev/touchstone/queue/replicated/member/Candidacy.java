package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.Node;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A member's question before it adds another one, and its answer to such a question: whether the folder of the member that is to be added is empty or
 * of the same group, by the group's id. jraft compares indexes and terms alone, which are soon the same in two groups: it would add a member of another group, whose
 * state then differs for good. A member whose folder is new takes part only after it has answered yes. Thread-safe.
 */
final class Candidacy {
    private static final String GROUP = "group=";

    private final MemberFolder folder;
    private final KnownMembers known;
    private final Node node;
    private final Runnable admitted;

    /**
     * Creates the candidacy of a member.
     *
     * @param folder the member's own
     * @param known members of whose ids the applied entries tell
     * @param admitted told before the answer that this member can be added
     */
    Candidacy(MemberFolder folder, KnownMembers known, Node node, Runnable admitted) {
        this.folder = folder;
        this.known = known;
        this.node = node;
        this.admitted = admitted;
    }

    /** Returns the question that this member asks one that it is to add: the id of the group. */
    Message question() {
        return Message.of(Kind.JOIN, GROUP + folder.group());
    }

    /** Returns the answer to {@code question}: done with this member's identity if it can be added, not done if it never can, or that it cannot tell yet. */
    Message answer(Message question) {
        if (!node.getNodeState().isActive()) {
            return Message.of(Kind.NOT_YET, "the member is starting, or has ended");
        }
        String asking = Stream.of(question.text().split(" "))
                .filter(word -> word.startsWith(GROUP))
                .map(word -> word.substring(GROUP.length()))
                .findFirst()
                .orElse("");
        if (!asking.isEmpty() && (folder.group().isEmpty() || asking.equals(folder.group()))) {
            return admit(asking);
        }
        List<String> members = known.addresses();
        return Message.of(
                Kind.NOT_DONE,
                "its folder is of another group" + (members.isEmpty() ? "" : ", of members " + members)
                        + ": empty its folder, start it without members and add it");
    }

    /** Lets this member take part in a group from now on, also after a start. */
    private Message admit(String group) {
        try {
            folder.admit(group, List.of());
        } catch (IOException e) {
            return Message.of(Kind.NOT_YET, "the member cannot store its answer: " + e);
        }
        admitted.run();
        return Message.of(Kind.DONE, folder.identity().text());
    }
}

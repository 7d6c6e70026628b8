package dev.touchstone.queue.replicated.member;

import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A member's answers to others that start with an empty folder, or tell their ids. Thread-safe; waits for the disk. */
final class AdmissionAnswers {
    /*
     * Invariants:  only members of the group take room, in the state of the group and in the folder of a member that has answered them: anybody may ask.
     */
    private final String member;
    private final List<String> first;
    private final MemberFolder folder;
    private final KnownMembers known;
    private final MachineAdapter adapter;

    /**
     * Creates the answers of a member.
     *
     * @param first members with which it begins, as its options have them
     */
    AdmissionAnswers(
            String member, List<String> first, MemberFolder folder, KnownMembers known, MachineAdapter adapter) {
        this.member = member;
        this.first = first;
        this.folder = folder;
        this.known = known;
        this.adapter = adapter;
    }

    /** Returns the addresses of the members, as far as this one knows them: those that its entries name, or those with which it begins. */
    private Collection<String> members() {
        Set<String> named = adapter.members();
        if (named != null) {
            return named;
        }
        return folder.isCandidate() ? first : folder.founders();
    }

    /** Returns the answer to {@linkplain Admission#question a question} where this member has no entries. */
    Message withoutEntries(String question, Identity asking) {
        Collection<String> members = members();
        String own = Admission.question(asking, members);
        boolean isOther = !members.isEmpty() && question.contains("\n") && !own.equals(question);
        return isOther ? Admission.refusal(question, member, own) : admit(Kind.NO_GROUP, asking);
    }

    /**
     * Returns the answer to a question where this member has entries.
     *
     * @param failure why it does not have all that were committed before the question; null if it has
     */
    Message withEntries(Identity asking, @Nullable Throwable failure) {
        if (failure != null) {
            return Message.of(Kind.NOT_YET, "member " + member + " cannot tell yet: " + failure.getMessage());
        }
        String id = known.id(asking.address());
        boolean isOther = id == null ? folder.answered().hasOther(asking) : !id.equals(asking.id());
        return isOther ? Message.of(Kind.OTHER_ID, "") : admit(Kind.DONE, asking);
    }

    private Message admit(Kind kind, Identity asking) {
        try {
            folder.answered().put(asking, members());
            return Message.of(kind, folder.group());
        } catch (IOException e) {
            return Message.of(Kind.NOT_YET, "member " + member + " cannot store its answer: " + e);
        }
    }

    /** Returns why the group is not told the id of another member; null if it can be. */
    @Nullable
    Message refusal(Identity announced) {
        String address = announced.address();
        if (!members().contains(address)) {
            return Message.of(Kind.NOT_DONE, address + " is no member");
        }
        String id = known.id(address);
        return id == null || id.equals(announced.id())
                ? null
                : Message.of(Kind.OTHER_ID, "member " + address + " is known by another id");
    }
}

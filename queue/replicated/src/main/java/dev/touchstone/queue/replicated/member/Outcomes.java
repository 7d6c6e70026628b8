package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.error.RaftError;
import dev.touchstone.queue.replication.NotProposedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Meaning of jraft's statuses for an entry that was proposed. EPERM stands both for a task that was refused and for one that was in the log
 * when the leader stepped down, so that its texts tell them apart; whatever is not certain counts as unknown.
 */
final class Outcomes {
    static final String NOT_LEADER = "Is not leader.";
    static final String OTHER_TERM = "expected_term=";

    private Outcomes() {}

    /**
     * Returns the failure of an entry that jraft ended with this status.
     *
     * @param failure why the member fails, as its storage says it, which jraft does not tell; null if it does not
     */
    static IOException ofProposal(Status status, String member, @Nullable String leader, @Nullable Throwable failure) {
        String text = describe(status) + (failure == null ? "" : ": " + failed(failure));
        if (isNotInLog(status)) {
            return notProposed(text, member, leader);
        }
        return new IOException(
                "the outcome of the entry is not known: member=" + member + " may have had it in its log: " + text,
                failure);
    }

    /** Returns why a member takes no calls any more: its failure, or that it was closed where that is null. */
    static String ended(@Nullable Throwable failure) {
        return failure == null ? "the member is closed" : failed(failure);
    }

    /** Returns the failure of a call whose member has ended before the outcome was known. */
    static IOException endedBefore(String member, @Nullable Throwable failure) {
        return new IOException("the outcome is not known: member " + member + ": " + ended(failure), failure);
    }

    private static String failed(Throwable failure) {
        String message = failure.getMessage();
        return "the member has failed: " + (failure instanceof IOException && message != null ? message : failure);
    }

    /** Returns the failure of an entry that is in no log. */
    static NotProposedException notProposed(String reason, String member, @Nullable String leader) {
        return new NotProposedException("the entry was not proposed: member=" + member + " leader="
                + (leader == null ? "unknown" : leader) + ": " + reason);
    }

    private static boolean isNotInLog(Status status) {
        RaftError error = status.getRaftError();
        if (error == RaftError.EBUSY || error == RaftError.ENODESHUTDOWN) {
            return true;
        }
        String text = status.getErrorMsg();
        return error == RaftError.EPERM && text != null && (text.equals(NOT_LEADER) || text.startsWith(OTHER_TERM));
    }

    /** Returns the status as text for a message. */
    static String describe(Status status) {
        String text = status.getErrorMsg();
        return "jraft: " + status.getRaftError() + (text == null || text.isEmpty() ? "" : " " + text);
    }
}

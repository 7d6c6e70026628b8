package dev.touchstone.queue.replicated.member;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.error.RaftError;
import dev.touchstone.queue.replication.NotProposedException;
import org.junit.jupiter.api.Test;

class OutcomesTest {

    @Test
    void ofProposal_refusedBeforeTheLog_isNotProposed() {
        assertNotProposed(new Status(RaftError.EPERM, "Is not leader."));
        assertNotProposed(new Status(RaftError.EPERM, "expected_term=%d doesn't match current_term=%d", 1, 2));
        assertNotProposed(new Status(RaftError.EBUSY, "Is transferring leadership."));
        assertNotProposed(
                new Status(RaftError.EBUSY, "Node is busy, has too many tasks, queue is full and bufferSize=16384"));
        assertNotProposed(new Status(RaftError.ENODESHUTDOWN, "Node is shutting down."));
    }

    @Test
    void ofProposal_perhapsInTheLog_isUnknown() {
        assertUnknown(new Status(RaftError.EPERM, "Leader stepped down"));
        assertUnknown(new Status(RaftError.EINTERNAL, "Fail to append task."));
        assertUnknown(new Status(RaftError.ESTATEMACHINE, "index=1"));
        assertUnknown(new Status(RaftError.EPERM, "anything else"));
        assertUnknown(new Status(-1, "unknown"));
        assertUnknown(new Status(RaftError.EPERM.getNumber(), null));
    }

    private static void assertNotProposed(Status status) {
        assertThat(Outcomes.ofProposal(status, "a:1", "b:1"))
                .isInstanceOf(NotProposedException.class)
                .hasMessageContaining("leader=b:1")
                .hasMessageContaining(status.getErrorMsg());
    }

    private static void assertUnknown(Status status) {
        assertThat(Outcomes.ofProposal(status, "a:1", null))
                .isNotInstanceOf(NotProposedException.class)
                .hasMessageContaining("not known");
    }
}

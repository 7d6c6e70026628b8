package dev.touchstone.queue.replicated.member;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.error.RaftError;
import dev.touchstone.queue.replication.NotProposedException;
import java.io.IOException;
import java.util.List;
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

    @Test
    void ofProposal_storageHasFailed_tellsItsFailure() {
        IOException failure = new IOException("no segment can be made: file=3.segment: No space left on device");
        for (Status status : List.of(
                new Status(RaftError.EIO, "Fail to append log entries"),
                new Status(RaftError.EPERM, "Is not leader."))) {
            assertThat(Outcomes.ofProposal(status, "a:1", null, failure))
                    .hasMessageContaining(status.getErrorMsg())
                    .hasMessageContaining("the member has failed: no segment can be made: file=3.segment");
        }
        assertThat(Outcomes.ended(failure)).contains("file=3.segment");
        assertThat(Outcomes.ended(null)).isEqualTo("the member is closed");
    }

    private static void assertNotProposed(Status status) {
        assertThat(Outcomes.ofProposal(status, "a:1", "b:1", null))
                .isInstanceOf(NotProposedException.class)
                .hasMessageContaining("leader=b:1")
                .hasMessageContaining(status.getErrorMsg());
    }

    private static void assertUnknown(Status status) {
        assertThat(Outcomes.ofProposal(status, "a:1", null, null))
                .isNotInstanceOf(NotProposedException.class)
                .hasMessageContaining("not known");
    }
}

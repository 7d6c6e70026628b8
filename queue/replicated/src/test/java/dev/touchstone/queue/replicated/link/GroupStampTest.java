package dev.touchstone.queue.replicated.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import org.junit.jupiter.api.Test;

/** The group in requests of jraft. */
class GroupStampTest {
    private final TimeoutNowRequest request = TimeoutNowRequest.newBuilder()
            .setGroupId("queue")
            .setServerId("a:1")
            .setPeerId("b:1")
            .setTerm(7)
            .build();

    @Test
    void of_requestThatWasSent_isTheGroup() throws Exception {
        TimeoutNowRequest received = TimeoutNowRequest.parseFrom(
                GroupStamp.put(request, "0123456789abcdef").toByteArray());
        assertThat(GroupStamp.of(received)).isEqualTo("0123456789abcdef");
        assertThat(received.getTerm()).isEqualTo(7);
    }

    @Test
    void put_noGroup_leavesTheRequest() {
        assertThat(GroupStamp.put(request, "")).isSameAs(request);
        assertThat(GroupStamp.of(request)).isEmpty();
    }
}

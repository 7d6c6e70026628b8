package dev.touchstone.queue.replicated.link;

import com.alipay.sofa.jraft.rpc.RaftServerService;
import com.alipay.sofa.jraft.rpc.RpcRequestClosure;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.impl.core.AppendEntriesRequestProcessor;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Receiver of a leader's heartbeats and entries, which jraft handles. What they say of the leader is told at once: jraft tells its state machine of a
 * leader behind the entries that are still to be applied, which a member that is far behind needs long for.
 */
final class LeaderListener extends AppendEntriesRequestProcessor {
    private final Consumer<LeaderNews> heard;

    /**
     * Creates a receiver.
     *
     * @param executor runs jraft's work
     * @param heard told of each request, by several threads; must not block
     */
    LeaderListener(Executor executor, Consumer<LeaderNews> heard) {
        super(executor);
        this.heard = heard;
    }

    @Override
    public com.google.protobuf.Message processRequest0(
            RaftServerService service, AppendEntriesRequest request, RpcRequestClosure done) {
        heard.accept(new LeaderNews(request.getServerId(), request.getTerm(), request.getCommittedIndex()));
        return super.processRequest0(service, request, done);
    }
}

package dev.touchstone.queue.replicated.link;

import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcRequestProcessor;
import com.alipay.sofa.jraft.util.RpcFactoryHelper;
import com.google.protobuf.Message;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/**
 * Receiver of jraft's requests of one type, which jraft handles where the member may take part in its group. Before that they are refused as jraft refuses
 * requests to a node that it does not have: votes and entries of a member that has lost its folder, or has begun another group, would let a group lose entries.
 *
 * @param <T> type of the requests
 * @param handler handles the requests
 * @param admits returns whether a request may be handled
 */
record AdmittedProcessor<T extends Message>(RpcRequestProcessor<T> handler, Predicate<Message> admits)
        implements RpcProcessor<T> {
    @Override
    public void handleRequest(RpcContext context, T request) {
        if (admits.test(request)) {
            handler.handleRequest(context, request);
        } else {
            context.sendResponse(RpcFactoryHelper.responseFactory()
                    .newResponse(
                            handler.defaultResp(),
                            RaftError.ENOENT,
                            "the member has not been added to the group of the request"));
        }
    }

    @Override
    public String interest() {
        return handler.interest();
    }

    @Override
    public Executor executor() {
        return handler.executor();
    }

    @Override
    public ExecutorSelector executorSelector() {
        return handler.executorSelector();
    }
}

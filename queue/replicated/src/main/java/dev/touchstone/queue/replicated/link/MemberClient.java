package dev.touchstone.queue.replicated.link;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.InvokeContext;
import com.alipay.sofa.jraft.rpc.impl.BoltRpcClient;
import com.alipay.sofa.jraft.util.Endpoint;
import com.google.protobuf.Message;
import org.jspecify.annotations.Nullable;

/** The client of a member's node, whose requests have the member's group in them: others refuse those of another group. Thread-safe. */
final class MemberClient extends BoltRpcClient {
    private final MemberNodeOptions options;

    /** Creates the client of the node with these options, which are told of it. */
    MemberClient(MemberNodeOptions options) {
        super(new com.alipay.remoting.rpc.RpcClient());
        this.options = options;
        options.configure(getRpcClient());
    }

    @Override
    public Object invokeSync(Endpoint to, Object request, @Nullable InvokeContext context, long timeoutMillis)
            throws InterruptedException, RemotingException {
        return super.invokeSync(to, stamped(request), context, timeoutMillis);
    }

    @Override
    public void invokeAsync(
            Endpoint to, Object request, @Nullable InvokeContext context, InvokeCallback callback, long timeoutMillis)
            throws InterruptedException, RemotingException {
        super.invokeAsync(to, stamped(request), context, callback, timeoutMillis);
    }

    private Object stamped(Object request) {
        return request instanceof Message message ? GroupStamp.put(message, options.group()) : request;
    }
}

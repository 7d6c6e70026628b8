package dev.touchstone.queue.replicated.link;

import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.InvokeContext;
import com.alipay.sofa.jraft.rpc.impl.BoltRpcClient;
import com.alipay.sofa.jraft.util.Endpoint;
import com.google.protobuf.Message;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The client of a member's node, whose requests have the member's group in them: others refuse those of another group. Thread-safe. */
final class MemberClient extends BoltRpcClient {
    /*
     * Invariants:  a member that can be connected to is, some seconds later. Bolt was seen to keep a pool without a connection in which it made none any
     *              more, under load, after the member was started again: a pool in which there is none for long is dropped.
     */
    private static final long MAX_ABSENT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final MemberNodeOptions options;
    private final Map<Endpoint, Long> absentSince = new ConcurrentHashMap<>(); // nanoseconds

    /** Creates the client of the node with these options, which are told of it. */
    MemberClient(MemberNodeOptions options) {
        super(new com.alipay.remoting.rpc.RpcClient());
        this.options = options;
        options.configure(getRpcClient());
    }

    @Override
    public boolean checkConnection(Endpoint to) {
        return noted(to, super.checkConnection(to));
    }

    @Override
    public boolean checkConnection(Endpoint to, boolean createIfAbsent) {
        return noted(to, super.checkConnection(to, createIfAbsent));
    }

    private boolean noted(Endpoint to, boolean isConnected) {
        if (isConnected) {
            Long unused = absentSince.remove(to);
        } else {
            long now = System.nanoTime();
            Long since = absentSince.putIfAbsent(to, now);
            if (since != null && now - since > MAX_ABSENT_NANOS && absentSince.remove(to, since)) {
                closeConnection(to);
            }
        }
        return isConnected;
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

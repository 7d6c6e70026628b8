package dev.touchstone.queue.replicated.link;

import com.alipay.remoting.Connection;
import com.alipay.remoting.ConnectionPool;
import com.alipay.remoting.DefaultConnectionManager;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.InvokeContext;
import com.alipay.sofa.jraft.rpc.impl.BoltRpcClient;
import com.alipay.sofa.jraft.util.Endpoint;
import com.google.protobuf.Message;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The client of a member's node, whose requests have the member's group in them: others refuse those of another group. Thread-safe. */
final class MemberClient extends BoltRpcClient {
    /*
     * Invariants:  a member that accepts connections gets one at the next check. Bolt keeps a connection that was closed before its channel had been
     *              bound to it, as proxies in front of an absent member close theirs, and makes no other one for ten minutes: such a pool is dropped.
     */
    private final MemberNodeOptions options;

    /** Creates the client of the node with these options, which are told of it. */
    MemberClient(MemberNodeOptions options) {
        super(new com.alipay.remoting.rpc.RpcClient());
        this.options = options;
        options.configure(getRpcClient());
    }

    @Override
    public boolean checkConnection(Endpoint to, boolean createIfAbsent) {
        if (createIfAbsent && hasOnlyClosed(to)) {
            closeConnection(to);
        }
        return super.checkConnection(to, createIfAbsent);
    }

    private boolean hasOnlyClosed(Endpoint to) {
        var pools = ((DefaultConnectionManager) getRpcClient().getConnectionManager()).getConnPools();
        Future<ConnectionPool> made = pools.get(to.toString());
        if (made == null || !made.isDone()) {
            return false;
        }
        try {
            ConnectionPool pool = made.get();
            return pool.isAsyncCreationDone() && pool.getAll().stream().noneMatch(Connection::isFine);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            return false; // bolt makes another one itself
        }
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

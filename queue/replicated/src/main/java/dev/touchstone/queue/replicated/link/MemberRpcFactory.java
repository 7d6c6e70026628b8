package dev.touchstone.queue.replicated.link;

import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.impl.BoltRaftRpcFactory;
import com.alipay.sofa.jraft.util.SPI;
import org.jspecify.annotations.Nullable;

/**
 * Makes the clients of jraft's nodes, for the whole process: those of our members are a {@link MemberClient}; those of other users of jraft
 * are bolt's as before. Public for jraft, which loads it by its name.
 */
@SPI(priority = 1)
public final class MemberRpcFactory extends BoltRaftRpcFactory {

    /** Creates the factory; called by jraft. */
    public MemberRpcFactory() {}

    @Override
    public @Nullable ConfigHelper<RpcClient> defaultJRaftClientConfigHelper(RpcOptions options) {
        if (options instanceof MemberNodeOptions member) {
            return new MemberClients(member);
        }
        return super.defaultJRaftClientConfigHelper(options);
    }

    @Override
    public RpcClient createRpcClient(@Nullable ConfigHelper<RpcClient> helper) {
        return helper instanceof MemberClients clients
                ? new MemberClient(clients.options)
                : super.createRpcClient(helper);
    }

    /** Stands for the options of a member between the two calls by which jraft makes a client. */
    private record MemberClients(MemberNodeOptions options) implements ConfigHelper<RpcClient> {
        @Override
        public void config(RpcClient client) {} // made with its options
    }
}

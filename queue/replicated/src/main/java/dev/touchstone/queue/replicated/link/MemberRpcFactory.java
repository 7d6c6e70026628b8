package dev.touchstone.queue.replicated.link;

import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.impl.BoltRaftRpcFactory;
import com.alipay.sofa.jraft.rpc.impl.BoltRpcClient;
import com.alipay.sofa.jraft.util.SPI;
import org.jspecify.annotations.Nullable;

/**
 * Makes the clients of jraft's nodes, for the whole process: those of our members speak TLS if their options say so; those of other users of jraft
 * are bolt's as before. Public for jraft, which loads it by its name.
 */
@SPI(priority = 1)
public final class MemberRpcFactory extends BoltRaftRpcFactory {

    /** Creates the factory; called by jraft. */
    public MemberRpcFactory() {}

    @Override
    public @Nullable ConfigHelper<RpcClient> defaultJRaftClientConfigHelper(RpcOptions options) {
        if (options instanceof MemberNodeOptions member) {
            return client -> member.configure(((BoltRpcClient) client).getRpcClient());
        }
        return super.defaultJRaftClientConfigHelper(options);
    }
}

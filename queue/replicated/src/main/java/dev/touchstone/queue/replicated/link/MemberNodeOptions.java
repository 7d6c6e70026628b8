package dev.touchstone.queue.replicated.link;

import com.alipay.remoting.config.BoltClientOption;
import com.alipay.remoting.rpc.RpcClient;
import com.alipay.sofa.jraft.option.NodeOptions;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Options of a member's node, which are told the client that jraft makes for the node. */
public final class MemberNodeOptions extends NodeOptions {
    private final @Nullable TlsContexts tls;
    private final Supplier<String> group;
    private volatile @Nullable RpcClient client;

    /**
     * Creates options that are jraft's defaults otherwise.
     *
     * @param tls encryption; null for none
     * @param group returns the id of the member's group, empty for none
     */
    public MemberNodeOptions(@Nullable TlsContexts tls, Supplier<String> group) {
        this.tls = tls;
        this.group = group;
    }

    /** Returns the id of the member's group, empty for none. */
    String group() {
        return group.get();
    }

    /** Takes the node's client, before it is used. */
    void configure(RpcClient created) {
        created.option(BoltClientOption.EXTENDED_NETTY_CHANNEL_HANDLER, new MemberChannels(tls));
        client = created;
    }

    /** Returns whether the node's client is ours: not before the node has started, nor if another library has put its own factory before ours. */
    public boolean hasClient() {
        return client != null;
    }

    /** Lets go of what the client of the node, which has ended, leaves behind. */
    public void nodeEnded() {
        RpcClient ended = client;
        if (ended != null) {
            BoltThreads.end(ended);
        }
    }
}

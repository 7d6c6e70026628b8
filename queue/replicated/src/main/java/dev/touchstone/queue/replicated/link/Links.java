package dev.touchstone.queue.replicated.link;

import com.alipay.remoting.config.BoltClientOption;
import com.alipay.remoting.rpc.RpcClient;
import com.alipay.sofa.jraft.entity.PeerId;
import java.io.Closeable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connections of a member to the others, for messages of ours. Thread-safe. */
public final class Links implements Closeable {
    private final RpcClient client = new RpcClient();
    private final Executor connector;
    private final Supplier<String> group;
    private final Map<PeerId, Link> links = new ConcurrentHashMap<>();

    /** Starts a client that is in no group. */
    public Links(Executor connector, @Nullable TlsContexts tls) {
        this(connector, tls, () -> "");
    }

    /**
     * Starts a client.
     *
     * @param connector runs what waits for a connection
     * @param tls encryption; null for none
     * @param group returns the id of the group that messages are of, empty for none
     */
    public Links(Executor connector, @Nullable TlsContexts tls, Supplier<String> group) {
        this.group = group;
        MessageSerializer.register();
        this.connector = connector;
        client.option(BoltClientOption.EXTENDED_NETTY_CHANNEL_HANDLER, new MemberChannels(tls));
        client.startup();
    }

    /**
     * Sends a message to a member, which refuses it if it is of another group, unless it asks about that; of one thread's messages to one member each arrives
     * before the next.
     */
    public void send(PeerId to, Message message, int timeoutMillis, Reply reply) {
        String own = group.get();
        boolean isOfAGroup = !own.isEmpty() && message.kind() != Message.Kind.JOIN;
        links.computeIfAbsent(to, peer -> new Link(peer, client, connector))
                .send(isOfAGroup ? message.inGroup(own) : message, timeoutMillis, reply);
    }

    @Override
    public void close() {
        links.values().forEach(Link::close);
        client.shutdown();
        BoltThreads.end(client);
    }
}

package dev.touchstone.queue.replicated.link;

import com.alipay.remoting.Connection;
import com.alipay.remoting.rpc.RpcClient;
import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.util.Endpoint;
import dev.touchstone.queue.replicated.Group;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemberClientTest {
    @Test
    void check_connectionWasClosedBeforeItWasPooled_makesAnother() throws Exception {
        MemberClient client = new MemberClient(new MemberNodeOptions(null, () -> ""));
        client.init(new RpcOptions());
        try (ServerSocket member = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Endpoint address = new Endpoint("127.0.0.1", member.getLocalPort());
            RpcClient bolt = client.getRpcClient();
            Connection closed = bolt.createStandaloneConnection(address.toString(), (int) TimeUnit.SECONDS.toMillis(5));
            member.accept().close();
            Group.await("the end of the connection", () -> !closed.isFine());
            bolt.getConnectionManager().add(closed, address.toString()); // as if it had ended while it was made

            Group.await("a connection", () -> client.checkConnection(address, true));
        } finally {
            client.shutdown();
            BoltThreads.end(client.getRpcClient());
        }
    }
}

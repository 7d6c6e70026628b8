package dev.touchstone.queue.replicated.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.remoting.Connection;
import com.alipay.remoting.rpc.RpcClient;
import dev.touchstone.queue.replicated.Group;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemberChannelsTest {
    @Test
    void connection_manyBytesWaitToBeSent_takesMore() throws Exception {
        RpcClient client = new RpcClient();
        new MemberNodeOptions(null, () -> "").configure(client);
        client.startup();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Connection connection = client.createStandaloneConnection(
                    "127.0.0.1", silent.getLocalPort(), (int) TimeUnit.SECONDS.toMillis(5));
            Channel channel = connection.getChannel();
            for (int i = 0; i < 32; i++) {
                var unused = channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[1 << 20]));
            }
            Group.await("bytes that wait", () -> channel.bytesBeforeUnwritable() < (512L << 20) - (16 << 20));
            assertThat(channel.isWritable()).isTrue();
            client.closeStandaloneConnection(connection);
        } finally {
            client.shutdown();
            BoltThreads.end(client);
        }
    }
}

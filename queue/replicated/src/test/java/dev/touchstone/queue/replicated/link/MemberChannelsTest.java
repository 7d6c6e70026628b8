package dev.touchstone.queue.replicated.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.remoting.Connection;
import com.alipay.remoting.rpc.RpcClient;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.util.Endpoint;
import dev.touchstone.queue.replicated.Group;
import dev.touchstone.queue.replicated.link.Message.Kind;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class MemberChannelsTest {
    @Test
    void connection_otherEndIsSilent_ends() throws Exception {
        MemberClient client = new MemberClient(new MemberNodeOptions(null, () -> ""));
        client.init(new RpcOptions());
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Endpoint address = new Endpoint("127.0.0.1", silent.getLocalPort());
            Group.await("a connection", () -> client.checkConnection(address, true));
            try (Socket accepted = silent.accept()) {
                Group.get(CompletableFuture.runAsync(() -> readAll(accepted)));
            }
        } finally {
            client.shutdown();
            BoltThreads.end(client.getRpcClient());
        }
    }

    @Test
    void link_getsSilent_messagesGoOverAnother() throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool();
        PeerId listen = MemberAddress.parse(Group.freeAddress());
        AtomicBoolean isSilent = new AtomicBoolean();
        BiConsumer<Message, Consumer<Message>> echo = (message, reply) -> reply.accept(message);
        try (ServerSocket proxy = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                Links links = new Links(executor, null)) {
            PeerId to = new PeerId("127.0.0.1", proxy.getLocalPort());
            try (MemberServer server = new MemberServer(to, listen, executor, echo, news -> {}, () -> "", null)) {
                server.start();
                executor.execute(() -> carry(proxy, listen, isSilent, executor));
                assertThat(send(links, to).kind()).isEqualTo(Kind.STATUS);
                isSilent.set(true);
                assertThat(send(links, to).kind()).isEqualTo(Kind.UNKNOWN);
                isSilent.set(false);
                Group.await("an answer", () -> send(links, to).kind() == Kind.STATUS);
            }
        } finally {
            executor.shutdown();
        }
    }

    private static Message send(Links links, PeerId to) {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        links.send(to, Message.of(Kind.STATUS, ""), (int) TimeUnit.SECONDS.toMillis(60), new FutureReply(answer));
        return answer.orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** Carries the bytes of connections to a server, and those of its answers while it is not silent. */
    private static void carry(ServerSocket proxy, PeerId to, AtomicBoolean isSilent, ExecutorService executor) {
        while (true) {
            try {
                Socket near = proxy.accept();
                Socket far = new Socket(to.getIp(), to.getPort());
                executor.execute(() -> copy(near, far, new AtomicBoolean()));
                executor.execute(() -> copy(far, near, isSilent));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void readAll(Socket from) {
        try {
            from.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Socket from, Socket to, AtomicBoolean isSilent) {
        try (from;
                to) {
            byte[] buffer = new byte[1 << 12];
            for (int count; (count = from.getInputStream().read(buffer)) >= 0; ) {
                if (!isSilent.get()) {
                    to.getOutputStream().write(buffer, 0, count);
                }
            }
        } catch (IOException ended) {
            // its other end is closed as well
        }
    }

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

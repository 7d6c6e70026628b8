package dev.touchstone.queue.replicated.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.touchstone.queue.replicated.Group;
import dev.touchstone.queue.replicated.link.Message.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages of ours between a client and a server. */
class LinkTest {
    private static final int TIMEOUT_MILLIS = 5_000;

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final Links links = new Links(executor, null);

    @AfterEach
    void close() {
        links.close();
        executor.shutdown();
    }

    @Test
    void send_manyMessages_arriveInOrder() throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        try (MemberServer server = serve((message, reply) -> {
            received.add(message.text());
            reply.accept(message);
        })) {
            server.start();
            List<String> sent = new ArrayList<>();
            List<CompletableFuture<Message>> answers = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) { // the first ones wait for the connection
                sent.add(Integer.toString(i));
                answers.add(send(server.address(), Message.of(Kind.PROPOSE, sent.get(i))));
            }
            for (int i = 0; i < sent.size(); i++) {
                assertThat(Group.get(answers.get(i)).text()).isEqualTo(sent.get(i));
            }
            assertThat(received).isEqualTo(sent);
        }
    }

    @Test
    void send_nobodyListens_isNotSent() throws Exception {
        PeerId nobody = MemberAddress.parse(Group.freeAddress());
        Message answer = Group.get(send(nobody, Message.of(Kind.PROPOSE, "a")));
        assertThat(answer.kind()).isEqualTo(Kind.NOT_LEADING);
        assertThat(answer.text()).isEqualTo("no connection to " + nobody + ": Connection refused");
    }

    @Test
    void send_unknownHost_namesIt() throws Exception {
        PeerId unknown = MemberAddress.parse("no-such-host.invalid:7100");
        Message answer = Group.get(send(unknown, Message.of(Kind.PROPOSE, "a")));
        assertThat(answer.text())
                .isEqualTo("no connection to " + unknown + ": unknown host: host=no-such-host.invalid");
        try (MemberServer server =
                new MemberServer(unknown, unknown, executor, (message, reply) -> {}, news -> {}, () -> "", null)) {
            assertThatThrownBy(server::start)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("unknown host: host=no-such-host.invalid");
        }
    }

    @Test
    void send_anotherMemberListens_isNotSentAndNamesIt() throws Exception {
        PeerId expected = MemberAddress.parse(Group.freeAddress());
        PeerId other = MemberAddress.parse(Group.freeAddress());
        List<Message> received = new CopyOnWriteArrayList<>();
        try (MemberServer server = new MemberServer(
                other, expected, executor, (message, reply) -> received.add(message), news -> {}, () -> "", null)) {
            server.start();
            Message answer = Group.get(send(expected, Message.of(Kind.IDENTIFY, "a")));
            assertThat(answer.kind()).isEqualTo(Kind.NOT_LEADING);
            assertThat(answer.text()).contains("no connection to member " + expected, "member " + other + " answers");
            assertThat(received).isEmpty();
        }
    }

    @Test
    void send_messageOfAnotherGroup_isRefusedUnlessItAsksAboutThat() throws Exception {
        PeerId member = MemberAddress.parse(Group.freeAddress());
        List<Message> received = new CopyOnWriteArrayList<>();
        try (MemberServer server = new MemberServer(
                        member,
                        member,
                        executor,
                        (message, reply) -> {
                            received.add(message);
                            reply.accept(Message.of(Kind.DONE, "a"));
                        },
                        news -> {},
                        () -> "1",
                        null);
                Links same = new Links(executor, null, () -> "1");
                Links other = new Links(executor, null, () -> "2")) {
            server.start();
            for (Kind kind : List.of(Kind.PROPOSE, Kind.ANNOUNCE, Kind.MEMBERS, Kind.COMMITTED)) {
                assertThat(Group.get(send(same, member, Message.of(kind, ""))).kind())
                        .isEqualTo(Kind.DONE);
                Message refusal = Group.get(send(other, member, Message.of(kind, "")));
                assertThat(refusal.kind()).isEqualTo(Kind.NOT_DONE);
                assertThat(refusal.text()).contains("member " + member + " is of another group");
            }
            assertThat(received)
                    .hasSize(4)
                    .allSatisfy(message -> assertThat(message.group()).isEqualTo("1"));
            assertThat(Group.get(send(other, member, Message.of(Kind.JOIN, ""))).kind())
                    .isEqualTo(Kind.DONE);
            Message answer = Group.get(send(member, Message.of(Kind.STATUS, "")));
            assertThat(answer.kind()).isEqualTo(Kind.DONE);
            assertThat(answer.group()).isEqualTo("1");
        }
    }

    private static CompletableFuture<Message> send(Links links, PeerId to, Message message) {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        links.send(to, message, TIMEOUT_MILLIS, new FutureReply(answer));
        return answer;
    }

    @Test
    void start_threadIsInterrupted_saysSo() throws Exception {
        try (MemberServer server = serve((message, reply) -> {})) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(server::start)
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessage("interrupted while the address of the member is bound: listen=" + server.address());
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void send_handlerFails_isToldInFewWords() throws Exception {
        try (MemberServer server = serve((message, reply) -> {
            throw new IllegalArgumentException("got " + message.text());
        })) {
            server.start();
            Message answer = Group.get(send(server.address(), Message.of(Kind.ANNOUNCE, "\n".repeat(1 << 20))));
            assertThat(answer.kind()).isEqualTo(Kind.UNKNOWN);
            assertThat(answer.text()).hasSizeLessThan(400).doesNotContain("\n");
        }
    }

    @Test
    void send_peerThatDoesNotAnswer_isLostAndHoldsUpNobody() throws Exception {
        List<Consumer<Message>> silent = new CopyOnWriteArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                MemberServer server = serve((message, reply) -> silent.add(reply));
                Socket first = new Socket(full.getInetAddress(), full.getLocalPort());
                Socket second = new Socket(full.getInetAddress(), full.getLocalPort())) {
            assertThat(first.isConnected() && second.isConnected()).isTrue(); // its queue is full: no third connection
            server.start();
            long start = System.nanoTime();
            CompletableFuture<Message> unconnected =
                    send(MemberAddress.parse("127.0.0.1:" + full.getLocalPort()), Message.of(Kind.PROPOSE, "a"));
            CompletableFuture<Message> lost = send(server.address(), Message.of(Kind.PROPOSE, "b"));
            assertThat(System.nanoTime() - start).isLessThan(1_000_000_000L);
            Group.await("the message", () -> silent.size() == 1);
            assertThat(unconnected).isNotDone();
            assertThat(Group.get(unconnected).kind()).isEqualTo(Kind.NOT_LEADING);
            end(server);
            assertThat(Group.get(lost).kind()).isEqualTo(Kind.UNKNOWN);
        }
    }

    @Test
    void send_handlerFails_isAnsweredUnknown() throws Exception {
        try (MemberServer server = serve((message, reply) -> {
            throw new IllegalStateException("broken");
        })) {
            server.start();
            Message answer = Group.get(send(server.address(), Message.of(Kind.PROPOSE, "a")));
            assertThat(answer.kind()).isEqualTo(Kind.UNKNOWN);
            assertThat(answer.text()).contains("broken");
        }
    }

    @Test
    void send_afterServerWasStartedAgain_connectsAgain() throws Exception {
        String address = Group.freeAddress();
        for (int i = 0; i < 3; i++) {
            try (MemberServer server = new MemberServer(
                    MemberAddress.parse(address),
                    MemberAddress.parse(address),
                    executor,
                    (message, reply) -> reply.accept(message),
                    news -> {},
                    () -> "",
                    null)) {
                server.start();
                Group.await("an answer", () -> {
                    try {
                        return Group.get(send(server.address(), Message.of(Kind.DONE, "a")))
                                        .kind()
                                == Kind.DONE;
                    } catch (IOException e) {
                        return false;
                    }
                });
            }
        }
    }

    @Test
    void receive_garbage_harmsNobodyElse() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.getLogger(LinkTest.class.getName()).log(System.Logger.Level.INFO, "LinkTest -Dseed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        try (MemberServer server = serve((message, reply) -> reply.accept(message))) {
            server.start();
            for (int i = 0; i < 200; i++) {
                try (Socket socket =
                        new Socket(server.address().getIp(), server.address().getPort())) {
                    OutputStream out = socket.getOutputStream();
                    out.write(i % 2 == 0 ? random(random) : request(random));
                } catch (IOException closed) {
                    // the server may have closed it
                }
            }
            assertThat(Group.get(send(server.address(), Message.of(Kind.DONE, "still here")))
                            .text())
                    .isEqualTo("still here");
        }
    }

    private static byte[] random(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Returns a request of bolt's protocol with a length that is not that of its content, or a class that is none of ours. */
    private static byte[] request(SplittableRandom random) {
        byte[] name =
                (random.nextBoolean() ? Message.class.getName() : "java.util.HashMap").getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(64 + name.length);
        frame.put((byte) 2)
                .put((byte) 1)
                .put((byte) 1)
                .putShort((short) 1)
                .put((byte) 1)
                .putInt(random.nextInt())
                .put((byte) 1)
                .put((byte) 0);
        frame.putInt(1_000).putShort((short) name.length).putShort((short) 0);
        frame.putInt(random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(20));
        frame.put(name).put(new byte[16]);
        return Arrays.copyOf(frame.array(), frame.position());
    }

    private MemberServer serve(BiConsumer<Message, Consumer<Message>> handler) throws IOException {
        PeerId address = MemberAddress.parse(Group.freeAddress());
        return new MemberServer(address, address, executor, handler, news -> {}, () -> "", null);
    }

    private static void end(MemberServer server) {
        server.close();
    }

    private CompletableFuture<Message> send(PeerId to, Message message) {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        links.send(to, message, TIMEOUT_MILLIS, new FutureReply(answer));
        return answer;
    }
}

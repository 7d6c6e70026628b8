package dev.touchstone.queue.replicated.link;

import com.alipay.remoting.rpc.RpcServer;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.rpc.ProtobufMsgFactory;
import com.alipay.sofa.jraft.rpc.RpcContext;
import com.alipay.sofa.jraft.rpc.RpcProcessor;
import com.alipay.sofa.jraft.rpc.RpcRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.BoltRpcServer;
import com.alipay.sofa.jraft.rpc.impl.PingRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.GetFileRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.InstallSnapshotRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.ReadIndexRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.RequestVoteRequestProcessor;
import com.alipay.sofa.jraft.rpc.impl.core.TimeoutNowRequestProcessor;
import com.alipay.sofa.jraft.util.RpcFactoryHelper;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server of a member: receives jraft's messages of the group and ours at exactly one address. jraft's commands for operators are not
 * served: some of them can split a group.
 */
public final class MemberServer implements Closeable {
    private static final long FREE_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final PeerId listen;
    private final BoltRpcServer server;
    private final LeaderListener appendEntries;
    private final Supplier<String> group;
    private volatile boolean isAdmitted;
    private volatile boolean hasRefused;
    private boolean isStarted;

    /**
     * Creates a server, which refuses jraft's requests until the member is admitted.
     *
     * @param member address of the member, which is told everybody that connects
     * @param listen address to listen on
     * @param executor runs jraft's work
     * @param handler takes each message of ours and the receiver of its answer, in the order in which they arrive on a connection; must not block
     * @param heard told what each request of a leader says of it; must not block
     * @param group returns the id of the member's group, empty for none: requests of other groups are refused; must not block
     * @param tls encryption; null for none
     */
    public MemberServer(
            PeerId member,
            PeerId listen,
            Executor executor,
            BiConsumer<Message, Consumer<Message>> handler,
            Consumer<LeaderNews> heard,
            Supplier<String> group,
            @Nullable TlsContexts tls) {
        ProtobufMsgFactory.load();
        MessageSerializer.register();
        RpcFactoryHelper.rpcFactory()
                .ensurePipeline(); // without it bolt hands messages of a connection to several threads
        this.listen = listen;
        this.group = group;
        RpcServer bolt = new RpcServer(listen.getIp(), listen.getPort(), true);
        if (tls != null) {
            tls.secure(bolt);
        }
        server = new BoltRpcServer(bolt);
        appendEntries = new LeaderListener(executor, heard);
        server.registerConnectionClosedEventListener(appendEntries);
        server.registerProcessor(admitted(appendEntries));
        server.registerProcessor(new GetFileRequestProcessor(executor));
        server.registerProcessor(admitted(new InstallSnapshotRequestProcessor(executor)));
        server.registerProcessor(admitted(new RequestVoteRequestProcessor(executor)));
        server.registerProcessor(new PingRequestProcessor(executor));
        server.registerProcessor(admitted(new TimeoutNowRequestProcessor(executor)));
        server.registerProcessor(admitted(new ReadIndexRequestProcessor(executor)));
        server.registerProcessor(new MessageProcessor(member, group, handler));
    }

    private <T extends com.google.protobuf.Message> AdmittedProcessor<T> admitted(RpcRequestProcessor<T> handler) {
        return new AdmittedProcessor<>(handler, this::admits);
    }

    private boolean admits(com.google.protobuf.Message request) {
        boolean admits = isAdmitted && GroupStamp.of(request).equals(group.get());
        if (!admits) {
            hasRefused = true;
        }
        return admits;
    }

    /** Lets jraft handle the requests of the group from now on. */
    public void admit() {
        isAdmitted = true;
        hasRefused = false;
    }

    /** Returns whether others have sent requests of a group to this member, which is not admitted to one, or is of another one. */
    public boolean hasRefused() {
        return hasRefused;
    }

    private record MessageProcessor(
            PeerId member, Supplier<String> group, BiConsumer<Message, Consumer<Message>> handler)
            implements RpcProcessor<Message> {
        private static final LimitedLog LOG = new LimitedLog(System.getLogger(MemberServer.class.getName()));

        @Override
        public void handleRequest(RpcContext context, Message request) {
            if (request.kind() == Message.Kind.HELLO) {
                context.sendResponse(Message.of(Message.Kind.DONE, member.toString()));
                return;
            }
            if (!request.group().isEmpty() && !request.group().equals(group.get())) {
                answer(
                        context,
                        Message.of(
                                Message.Kind.NOT_DONE,
                                "member " + member + " is of another group, or of none yet: expected a member of group "
                                        + Reasons.shown(request.group())));
                return;
            }
            try {
                handler.accept(request, answer -> answer(context, answer));
            } catch (RuntimeException e) {
                String reason = Reasons.shown(String.valueOf(e));
                LOG.warn(
                        "a message could not be handled: from=" + context.getRemoteAddress() + " message=" + request
                                + " cause=" + reason,
                        e instanceof IllegalArgumentException ? null : e); // else a defect of ours
                answer(context, Message.of(Message.Kind.UNKNOWN, "the member failed to handle the message: " + reason));
            }
        }

        private void answer(RpcContext context, Message answer) {
            context.sendResponse(answer.inGroup(group.get()));
        }

        @Override
        public String interest() {
            return Message.class.getName();
        }

        /** Returns an executor that runs its tasks at once, by the thread that reads the connection, so that messages keep their order. */
        @Override
        public Executor executor() {
            return Runnable::run;
        }
    }

    private InterruptedIOException interrupted() {
        return new InterruptedIOException("interrupted while the address of the member is bound: listen=" + listen);
    }

    /**
     * Begins to serve.
     *
     * @throws InterruptedIOException if the thread was interrupted
     * @throws IOException if the address cannot be bound
     */
    public void start() throws IOException {
        if (Thread.currentThread().isInterrupted()) { // bolt notices it only if it has to wait
            throw interrupted();
        }
        try {
            if (server.init(null)) {
                isStarted = true;
                return;
            }
        } catch (RuntimeException e) {
            if (Reasons.first(e) instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                throw interrupted();
            }
            throw new IOException(
                    "the address of the member cannot be bound: listen=" + listen + ": "
                            + Reasons.of(e, listen.getIp()),
                    e);
        }
        throw new IOException("the address of the member cannot be bound: listen=" + listen);
    }

    /** Returns the address to which the server is or will be bound. */
    public PeerId address() {
        return listen;
    }

    /** Ends the server; returns when its port is free. Its thread ends by itself within some seconds, which Netty waits for further work. */
    @Override
    public void close() {
        if (!isStarted) {
            return;
        }
        isStarted = false;
        server.shutdown();
        BoltThreads.end(server.getServer());
        appendEntries.destroy();
        long start = System.nanoTime();
        while (!isFree() && System.nanoTime() - start < FREE_WITHIN_NANOS) {
            LockSupport.parkNanos(RECHECK_NANOS);
        }
    }

    private boolean isFree() {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(listen.getIp(), listen.getPort()));
            return true;
        } catch (IOException inUse) {
            return false;
        }
    }
}

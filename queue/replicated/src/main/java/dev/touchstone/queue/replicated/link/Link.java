package dev.touchstone.queue.replicated.link;

import com.alipay.remoting.Connection;
import com.alipay.remoting.InvokeCallback;
import com.alipay.remoting.exception.RemotingException;
import com.alipay.remoting.rpc.RpcClient;
import com.alipay.remoting.rpc.exception.InvokeTimeoutException;
import com.alipay.sofa.jraft.entity.PeerId;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A connection to another member, made when a message is to be sent. Thread-safe; no method but {@link #close} waits. */
final class Link {
    /*
     * Who calls:   any thread sends; a thread of the executor connects, one at a time.
     * Invariants:  messages of one thread reach the other member's decoder in their order: while there is a connection and nothing waits, a
     *              message is written at once, under the lock; else it joins those that wait for the connection, which are written in
     *              order, under the lock, when it is there.
     *              A connection is used once the member at its other end has told that it is the expected one.
     * Failure:     what waits when the connection cannot be made is not sent. What was given to a connection that is lost may have arrived.
     */
    private static final int MAX_WAITING = 4_096;
    private static final int CONNECT_MILLIS = 2_000;
    private static final int HELLO_MILLIS = 2_000;
    private static final System.Logger LOG = System.getLogger(Link.class.getName());

    private final PeerId to;
    private final RpcClient client;
    private final Executor connector;

    @GuardedBy("this")
    private final Queue<Request> waiting = new ArrayDeque<>();

    @GuardedBy("this")
    private @Nullable Connection connection;

    @GuardedBy("this")
    private boolean isConnecting;

    @GuardedBy("this")
    private boolean isClosed;

    private String toldOther = ""; // the connecting thread's

    private record Request(Message message, int timeoutMillis, Reply reply) {}

    /** The receiver of the answer to a request that was given to a connection. */
    private record Sent(Reply reply, Channel channel) implements InvokeCallback {
        @Override
        public void onResponse(Object result) {
            if (result instanceof Message answer) {
                reply.answered(answer);
            } else {
                reply.lost("got an answer of another kind: " + result);
            }
        }

        @Override
        public void onException(Throwable e) {
            String failure = TlsWatch.failure(channel);
            if (failure == null) {
                failure = e instanceof InvokeTimeoutException ? "no answer in time" : String.valueOf(e.getMessage());
            }
            reply.lost(failure);
        }

        /** Returns null: bolt's thread runs the callback, as a queue of an executor could be full and lose it. */
        @Override
        public @Nullable Executor getExecutor() {
            return null;
        }
    }

    Link(PeerId to, RpcClient client, Executor connector) {
        this.to = to;
        this.client = client;
        this.connector = connector;
    }

    /** Sends a message, or queues it until there is a connection. */
    void send(Message message, int timeoutMillis, Reply reply) {
        Request request = new Request(message, timeoutMillis, reply);
        String refusal = null;
        synchronized (this) {
            Connection current = connection;
            if (isClosed) {
                refusal = "this member is closed";
            } else if (waiting.size() >= MAX_WAITING) {
                refusal = "too many messages wait for a connection to " + to + ": limit=" + MAX_WAITING;
            } else if (current != null && current.isFine() && !isConnecting) {
                refusal = write(current, request);
            } else {
                waiting.add(request);
                refusal = connectLater();
            }
        }
        if (refusal != null) {
            reply.notSent(refusal);
        }
    }

    @GuardedBy("this")
    private @Nullable String connectLater() {
        if (!isConnecting) {
            try {
                connector.execute(this::connect);
                isConnecting = true;
            } catch (RejectedExecutionException e) {
                waiting.clear(); // only this request: otherwise a thread would be connecting
                return "this member is closed";
            }
        }
        return null;
    }

    private void connect() {
        Connection made = null;
        String failure = null;
        try {
            made = client.createStandaloneConnection(to.getIp(), to.getPort(), CONNECT_MILLIS);
            failure = failureOfHello(made);
        } catch (RemotingException | RuntimeException e) {
            failure = "no connection to " + to + ": " + Reasons.of(e, to.getIp());
        }
        List<Request> failed = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        Connection unused = failure == null ? null : made;
        synchronized (this) {
            isConnecting = false;
            if (isClosed) {
                unused = made;
                failure = "this member is closed";
            }
            connection = unused == null ? made : null;
            for (Request request; (request = waiting.poll()) != null; ) {
                String refusal = failure != null || made == null ? String.valueOf(failure) : write(made, request);
                if (refusal != null) {
                    failed.add(request);
                    reasons.add(refusal);
                }
            }
        }
        if (unused != null) {
            unused.close(); // also where the client has ended meanwhile
        }
        for (int i = 0; i < failed.size(); i++) {
            failed.get(i).reply.notSent(reasons.get(i));
        }
    }

    /** Asks the member at the other end of a connection who it is; returns why the connection cannot be used, or null. */
    private @Nullable String failureOfHello(Connection made) {
        Object answer;
        try {
            answer = client.invokeSync(made, Message.of(Message.Kind.HELLO, to.toString()), HELLO_MILLIS);
        } catch (RemotingException | RuntimeException e) {
            String reason = TlsWatch.failure(made.getChannel());
            return "no answer of " + to + ": " + (reason == null ? Reasons.of(e, to.getIp()) : reason);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted while connecting to " + to;
        }
        if (!(answer instanceof Message hello)
                || hello.kind() != Message.Kind.DONE
                || hello.text().equals(to.toString())) {
            return null; // not DONE: a member of an earlier version
        }
        String other = Reasons.shown(hello.text());
        String failure = "no connection to member " + to + ": member " + other
                + " answers at that address: expected listen=" + to + " at one member only";
        if (!other.equals(toldOther)) {
            toldOther = other;
            LOG.log(System.Logger.Level.WARNING, failure);
        }
        return failure;
    }

    /** Returns why the request was not written, or null if it may have been. */
    private @Nullable String write(Connection current, Request request) {
        try {
            Sent sent = new Sent(request.reply, current.getChannel());
            client.invokeWithCallback(current, request.message, sent, request.timeoutMillis);
            return null;
        } catch (RemotingException e) {
            return "the message cannot be encoded: " + e.getMessage(); // thrown before anything is written
        }
    }

    /** Closes the connection: messages without an answer are lost. */
    void close() {
        Connection open;
        synchronized (this) {
            isClosed = true;
            open = connection;
            connection = null;
        }
        if (open != null) {
            open.close();
        }
    }
}

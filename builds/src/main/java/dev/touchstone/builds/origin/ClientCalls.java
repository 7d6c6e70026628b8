package dev.touchstone.builds.origin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.Token;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.java_websocket.framing.CloseFrame;
import org.jspecify.annotations.Nullable;

/** The calls of one guest as a client: each call becomes a job of the token that the guest has shown. Thread-safe. */
final class ClientCalls {
    /*
     * Who calls:   the WebSocket library with messages, threads of the client with logs and results, the gateway's clock when there is room again.
     * Ordering:    a call's reply follows the last byte of its log.
     * Bounds:      calls by their number, which has two bytes; the arguments of all guests' calls by MAX_HELD_BYTES, until their jobs have ended. A log goes on
     *              only while the guest reads: no thread waits for a guest.
     */
    private static final int MAX_PIECE = 32 << 10; // of a log in a message
    private static final long CALL_BYTES = 512; // of a call beside its arguments, about
    private static final long MAX_HELD_BYTES =
            Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8);

    private final OriginPeer peer;
    private final OriginGateway gateway;
    private final Token token;
    private final Map<Integer, Call> calls = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private SharedClients.@Nullable Shared client;

    @GuardedBy("this")
    private boolean isGone;

    /** A call that has no reply yet. */
    private static final class Call {
        final int id;
        /** Tag of the stream that its log goes to. */
        final int tag;
        /** Counted until its job has ended. */
        final long heldBytes;

        volatile @Nullable Build build;
        volatile boolean isInterrupted;
        /** Offset in the log behind what was sent. */
        volatile long offset;
        /** True if the log stopped for want of room. */
        volatile boolean isPaused;

        Call(int id, int tag, long heldBytes) {
            this.id = id;
            this.tag = tag;
            this.heldBytes = heldBytes;
        }
    }

    ClientCalls(OriginPeer peer, OriginGateway gateway, Token token) {
        this.peer = peer;
        this.gateway = gateway;
        this.token = token;
    }

    /** Begins a call. */
    void request(OriginMessage.Request request) {
        if (calls.containsKey(request.id())) {
            gateway.complain("call has the number of another", "");
            peer.end(CloseFrame.PROTOCOL_ERROR, "call has the number of another");
            return;
        }
        Optional<BuildMethod> method = BuildMethod.of(request.method());
        if (method.isEmpty()) {
            refuse(request, ReplyCode.NO_METHOD, "no such method: expected=cider.LABEL.RUNNER");
            return;
        }
        try {
            BuildArguments arguments = BuildArguments.decode(request.arguments());
            submit(request, job(method.get(), arguments, tag(request)));
        } catch (MalformedMessageException e) {
            refuse(request, ReplyCode.BAD_ARGUMENTS, String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            refuse(request, ReplyCode.INVALID, String.valueOf(e.getMessage()));
        }
    }

    private static int tag(OriginMessage.Request request) {
        return request.stdout() == OriginMessage.NO_TAG ? request.stderr() : request.stdout();
    }

    private static BuildRequest job(BuildMethod method, BuildArguments arguments, int tag) {
        return BuildRequest.of(arguments.url(), arguments.branch(), arguments.script())
                .label(method.label())
                .runner(method.runner())
                .environment(arguments.environment())
                .noop(arguments.noop())
                .output(tag == OriginMessage.NO_TAG ? OutputMode.DISCARD : OutputMode.STREAM)
                .build();
    }

    private void refuse(OriginMessage.Request request, int code, String reason) {
        peer.send(new OriginMessage.Reply(
                "", request.id(), code, BuildReply.failed(reason).encode()));
    }

    private void submit(OriginMessage.Request request, BuildRequest job) {
        long bytes = CALL_BYTES + request.arguments().remaining();
        if (gateway.heldBytes().addAndGet(bytes) > MAX_HELD_BYTES) {
            gateway.heldBytes().addAndGet(-bytes);
            refuse(request, ReplyCode.DISPATCH_FAILED, "too many calls wait: bytes at most=" + MAX_HELD_BYTES);
            return;
        }
        SharedClients.Shared to = client();
        if (to == null) {
            gateway.heldBytes().addAndGet(-bytes);
            return;
        }
        Call call = new Call(request.id(), tag(request), bytes);
        calls.put(call.id, call);
        to.run(by -> begin(call, by.submit(job), job.noop()), failure -> ended(call, failure));
    }

    private synchronized SharedClients.@Nullable Shared client() {
        if (client == null && !isGone) {
            client = gateway.clients().take(peer.caller(), token);
        }
        return client;
    }

    private void begin(Call call, Build build, boolean isNoop) {
        call.build = build;
        if (call.isInterrupted) {
            cancel(build);
        }
        if (call.tag != OriginMessage.NO_TAG && !isNoop) {
            follow(call, build);
        } else {
            reply(call, build);
        }
    }

    /** Sends the log from where it stopped. */
    private void follow(Call call, Build build) {
        call.isPaused = false;
        var unused = build.follow(call.offset, (offset, bytes) -> send(call, offset, bytes))
                .whenComplete((end, failure) -> {
                    if (failure == null && call.isPaused) {
                        peer.whenRoom(() -> follow(call, build));
                    } else {
                        reply(call, build);
                    }
                });
    }

    private boolean send(Call call, long offset, ByteBuffer bytes) {
        if (peer.isGone()) {
            return false;
        }
        if (!peer.hasRoom()) { // logs of other calls have filled it
            call.isPaused = true;
            return false;
        }
        call.offset = offset + bytes.remaining();
        while (bytes.hasRemaining()) {
            int length = Math.min(MAX_PIECE, bytes.remaining());
            peer.send(new OriginMessage.StreamFrame("", call.tag, bytes.slice(bytes.position(), length)));
            bytes.position(bytes.position() + length);
        }
        call.isPaused = !peer.hasRoom();
        return !call.isPaused;
    }

    private void reply(Call call, Build build) {
        var unused = build.result().whenComplete((result, failure) -> {
            if (failure == null) {
                ended(call, result);
            } else {
                ended(
                        call,
                        failure instanceof BuildException known
                                ? known
                                : new BuildException(BuildCode.DISPATCH_FAILED, failure.toString()));
            }
        });
    }

    private void ended(Call call, BuildResult result) {
        ended(call, ReplyCode.of(result.code()), BuildReply.of(result));
    }

    private void ended(Call call, BuildException failure) {
        ended(call, ReplyCode.of(failure.code()), BuildReply.failed(String.valueOf(failure.getMessage())));
    }

    private void ended(Call call, int code, BuildReply reply) {
        if (calls.remove(call.id, call)) {
            gateway.heldBytes().addAndGet(-call.heldBytes);
            peer.send(new OriginMessage.Reply("", call.id, code, reply.encode()));
        }
    }

    /** Cancels the build of a call; nothing happens if the call has ended. */
    void interrupt(int id) {
        Call call = calls.get(id);
        if (call == null || call.isInterrupted) {
            return;
        }
        call.isInterrupted = true;
        Build build = call.build;
        if (build != null) {
            cancel(build);
        }
    }

    private static void cancel(Build build) {
        var unused = build.cancel("its client was interrupted").exceptionally(failure -> false);
    }

    /** Notes that the guest is gone; its builds go on. */
    void left() {
        SharedClients.Shared known;
        synchronized (this) {
            isGone = true;
            known = client;
            client = null;
        }
        if (known != null) {
            gateway.clients().release(peer.caller(), known);
        }
    }
}

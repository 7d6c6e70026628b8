package dev.touchstone.builds.origin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.AgentStatus;
import dev.touchstone.builds.Artefact;
import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildSummary;
import dev.touchstone.builds.ConnectOptions;
import dev.touchstone.builds.OutputMode;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client that speaks the origin's protocol, to our masters and to the original. Thread-safe. The protocol has no jobs: a build is a call, which is lost with the
 * connection.
 */
public final class OriginClient implements BuildClient, OriginConnection.Listener {
    /*
     * Who calls:  the caller's threads submit and close; the connection's thread `said` and `ended`.
     * Invariants: a call is in `calls` from before its request until its reply, so that no other gets its number.
     * Ordering:   `submit` looks whether the connection is open behind the request: `ended` may have failed all calls before this one was among them.
     */
    private static final BuildRequest DEFAULTS =
            BuildRequest.of("repository", "branch", "script").build();
    private static final int NUMBERS = 1 << 16;
    private static final int NAME_BYTES = 10;

    private final Map<Integer, OriginCall> calls = new ConcurrentHashMap<>();
    private final OriginConnection connection;

    @GuardedBy("this")
    private int last; // number of a call

    private OriginClient(ConnectOptions options) throws IOException, InterruptedException {
        byte[] name = new byte[NAME_BYTES];
        new SecureRandom().nextBytes(name);
        this.connection = OriginConnection.open(
                OriginAddress.parse(options.master()),
                options.token(),
                "cider#" + Base64.getEncoder().encodeToString(name),
                options.tls(),
                options.tick(),
                options.connectTimeout(),
                this);
    }

    /**
     * Connects to a master.
     *
     * @param options where it is, as {@link OriginAddress} reads it, and by which token; not null
     * @return a client that the caller closes
     * @throws BuildException if it is not reached in time, or refuses
     * @throws InterruptedException if the thread is interrupted meanwhile
     * @throws IllegalArgumentException if the address is none
     */
    public static BuildClient connect(ConnectOptions options) throws InterruptedException {
        try {
            return new OriginClient(options);
        } catch (IOException e) {
            throw new BuildException(BuildCode.UNREACHABLE, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Calls a method that builds. The log has to be followed unless it is discarded: what nobody takes stops the connection.
     *
     * @throws IllegalArgumentException if the request asks for what the protocol has not
     */
    @Override
    public Build submit(BuildRequest request) {
        check(request.commit().isEmpty(), "a commit");
        check(request.secretNames().isEmpty(), "secrets");
        check(request.timeout().equals(DEFAULTS.timeout()), "a timeout");
        check(request.queueTimeout().equals(DEFAULTS.queueTimeout()), "a timeout");
        check(request.files().isEmpty(), "artefacts and caches");
        check(request.output() == OutputMode.STREAM || request.output() == OutputMode.DISCARD, "this output");
        OriginCall call = add();
        int tag = request.output() == OutputMode.DISCARD ? OriginMessage.NO_TAG : call.id();
        BuildArguments arguments = new BuildArguments(
                request.repository() + '#' + request.branch(), request.script(), request.environment(), request.noop());
        connection.say(new OriginMessage.Request(
                "",
                call.id(),
                new BuildMethod(request.label(), request.runner()).toString(),
                arguments.encode(),
                tag,
                tag));
        if (!connection.isOpen()) {
            ended("connection was closed");
        }
        return call;
    }

    private static void check(boolean has, String what) {
        if (!has) {
            throw new IllegalArgumentException("the protocol of ws:// has not " + what
                    + ": connect to the master's own address, builds://host:port");
        }
    }

    private synchronized OriginCall add() {
        if (calls.size() >= NUMBERS / 2) {
            throw new BuildException(BuildCode.QUEUE_FULL, "too many calls of one connection: most=" + NUMBERS / 2);
        }
        do {
            last = (last + 1) % NUMBERS;
        } while (calls.containsKey(last));
        int id = last;
        OriginCall call = new OriginCall(id, () -> connection.say(new OriginMessage.Interrupt("", id)));
        calls.put(id, call);
        return call;
    }

    @Override
    public void said(OriginMessage message) {
        if (message instanceof OriginMessage.StreamFrame frame) {
            OriginCall call = calls.get(frame.tag());
            if (call != null) {
                call.deliver(frame.payload());
            }
        } else if (message instanceof OriginMessage.Reply reply) {
            OriginCall call = calls.remove(reply.id());
            if (call != null) {
                call.end(reply);
            }
        }
    }

    @Override
    public void ended(String reason) {
        BuildException cause = new BuildException(
                BuildCode.UNREACHABLE, "connection to the master is lost, and the build with it: cause=" + reason);
        calls.values().forEach(call -> call.fail(cause));
        calls.clear();
    }

    private static BuildException hasNot(String what) {
        return new BuildException(
                BuildCode.REFUSED,
                "the protocol of ws:// has not " + what + ": connect to the master's own address, builds://host:port");
    }

    @Override
    public Build job(String jobId) {
        throw hasNot("jobs");
    }

    @Override
    public CompletableFuture<List<BuildSummary>> jobs(int most) {
        return CompletableFuture.failedFuture(hasNot("lists of jobs"));
    }

    @Override
    public CompletableFuture<List<AgentStatus>> agents() {
        return CompletableFuture.failedFuture(hasNot("lists of agents"));
    }

    @Override
    public CompletableFuture<String> retry(String jobId) {
        return CompletableFuture.failedFuture(hasNot("retries"));
    }

    @Override
    public CompletableFuture<List<Artefact>> artefacts(String jobId) {
        return CompletableFuture.failedFuture(hasNot("artefacts"));
    }

    @Override
    public CompletableFuture<List<Artefact>> downloadArtefacts(String jobId, Path folder) {
        return CompletableFuture.failedFuture(hasNot("artefacts"));
    }

    @Override
    public void close() {
        connection.stop();
        ended("client is closed");
    }
}

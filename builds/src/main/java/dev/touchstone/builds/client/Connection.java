package dev.touchstone.builds.client;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.ConnectOptions;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.Security;
import dev.touchstone.builds.wire.Statuses;
import dev.touchstone.builds.wire.Streams;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.builds.wire.v1.Wire;
import io.grpc.Status;
import io.grpc.StatusException;
import java.io.IOException;
import java.lang.System.Logger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Keeps a client connected: connects again whenever the connection is lost, and asks again what was not answered. Thread-safe. */
final class Connection {
    /*
     * Who calls:      `receiver` connects and takes what the master says; `sender` sends, so that what many threads submit meanwhile goes in
     *                 one message; visitors of logs have threads of their own.
     */
    private static final Logger LOG = System.getLogger(Connection.class.getName());
    private static final Duration WELCOME = Duration.ofSeconds(10);
    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int MAX_WATCHED = 16 << 10;

    private final ConnectOptions options;
    private final Security security;
    private final MasterAddress master;
    private final Pending pending;
    private final Questions questions;
    private final Answers answers;
    private final long id = new SecureRandom().nextLong() >>> 4;
    private final CompletableFuture<String> ready = new CompletableFuture<>(); // of the master's prefix
    private final ExecutorService visitors =
            Executors.newCachedThreadPool(task -> daemon(task, "builds-client-visitor"));
    private final ExecutorService transport = Streams.threads();
    private final Thread receiver = daemon(this::receive, "builds-client");
    private final Thread sender = daemon(this::send, "builds-client-sender");
    private final AtomicBoolean signalled = new AtomicBoolean();
    private volatile @Nullable Session session;
    private volatile @Nullable Streams streams;
    private volatile String problem = "";
    private volatile boolean closed;
    private volatile int version; // of the last session; 0 before the first

    Connection(ConnectOptions options, MasterAddress master, Pending pending, Questions questions, Semaphore window) {
        this.options = options;
        this.security = new Security(options.token(), options.tls(), options.tick());
        this.master = master;
        this.pending = pending;
        this.questions = questions;
        this.answers = new Answers(pending, questions, window);
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    void start() {
        receiver.start();
        sender.start();
    }

    /** Returns what ids of the master's jobs begin with, once it is known. */
    CompletableFuture<String> ready() {
        return ready;
    }

    /** Returns why the last connection was not made; may be empty. */
    String problem() {
        return problem;
    }

    /** Returns whether the master knows artefacts and caches, as far as it was reached. */
    boolean knowsFiles() {
        return version >= Versions.FILES;
    }

    boolean isReceiver() {
        return Thread.currentThread().equals(receiver);
    }

    Executor visitors() {
        return visitors;
    }

    /** Has the sender look for something to send. */
    void signal() {
        if (!signalled.get() && signalled.compareAndSet(false, true)) {
            LockSupport.unpark(sender);
        }
    }

    /** Gives the number of a job to {@code task} once the master is known; fails {@code onFailure} where it is none of the master's. */
    void withJob(String jobId, Object onFailure, LongConsumer task) {
        var unused = ready.whenComplete((prefix, failure) -> {
            long number = failure == null ? number(prefix, jobId) : -1;
            if (number >= 0) {
                task.accept(number);
                return;
            }
            BuildException cause = failure instanceof BuildException known
                    ? known
                    : new BuildException(BuildCode.UNKNOWN_JOB, "not a job of this master: job=" + jobId);
            if (onFailure instanceof RemoteBuild build) {
                build.fail(cause);
            } else if (onFailure instanceof CompletableFuture<?> future) {
                future.completeExceptionally(cause);
            }
        });
    }

    private static long number(String prefix, String jobId) {
        String digits = jobId.startsWith(prefix + "-") ? jobId.substring(prefix.length() + 1) : "";
        boolean isNumber =
                !digits.isEmpty() && digits.length() < 19 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Long.parseLong(digits) : -1;
    }

    void ask(Question question) {
        long ask = questions.add(question);
        failIfClosed();
        Session to = session;
        if (to != null) {
            question.ask(to, ask);
        }
    }

    void watch(long job) {
        Session to = session;
        if (to != null) {
            to.send(Wire.FromClient.newBuilder()
                    .setWatch(Wire.Watch.newBuilder().addJobs(job)));
        }
    }

    private void send() {
        while (!closed) {
            signalled.set(false);
            Session to = session;
            if (to != null) {
                sendAll(to);
            }
            if (!signalled.get()) {
                LockSupport.park(this);
            }
        }
    }

    /** Sends what there is, or ends the connection if that fails: the next one sends it again. */
    private void sendAll(Session to) {
        try {
            to.sendAll(() -> to.equals(session) ? pending.nextBatch() : null);
        } catch (RuntimeException | Error e) {
            LOG.log(Logger.Level.WARNING, "nothing can be sent to the master: " + e, e);
            Streams open = streams;
            if (open != null) {
                open.close();
            }
        }
    }

    private void receive() {
        long backoff = FIRST_BACKOFF_NANOS;
        long lost = System.nanoTime();
        while (!closed) {
            boolean welcome = false;
            try (Streams made = new Streams(security, master, transport, this::signal)) {
                streams = made; // before `closed` is looked at
                welcome = !closed && session(made);
            } catch (IOException e) {
                problem = String.valueOf(e.getMessage());
                LOG.log(Logger.Level.DEBUG, "master is not reached", e);
            } catch (RuntimeException | Error e) { // which must not end the thread: whoever waits would wait for ever
                problem = e.toString();
                LOG.log(Logger.Level.WARNING, "connection has failed: " + e, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } finally {
                session = null;
            }
            if (welcome) {
                lost = System.nanoTime();
                backoff = FIRST_BACKOFF_NANOS;
            } else if (System.nanoTime() - lost > options.patience().toNanos()) {
                answers.failAll(
                        new BuildException(BuildCode.UNREACHABLE, "master is not reached any more: " + problem));
                lost = System.nanoTime();
            }
            if (!closed) {
                LockSupport.parkNanos(this, backoff);
            }
            backoff = Math.min(2 * backoff, MAX_BACKOFF_NANOS);
        }
    }

    /** Lives through one connection; returns whether the master welcomed it. */
    private boolean session(Streams made) throws IOException, InterruptedException {
        boolean isWelcome = false;
        try {
            Outlet<Wire.FromClient> control = made.open(Rpc.CLIENT_SESSION);
            control.send(Wire.FromClient.newBuilder()
                    .setHello(Wire.ClientHello.newBuilder()
                            .setVersions(Versions.ours())
                            .setClient(id)
                            .setName("client"))
                    .build());
            if (!(made.receive(WELCOME) instanceof Wire.ToClient first) || !first.hasWelcome()) {
                throw new IOException("master does not say welcome: master=" + master);
            }
            Wire.ClientWelcome welcome = first.getWelcome();
            isWelcome = true;
            version = welcome.getVersion();
            begin(new Session(made, control, welcome.getSession(), this::signal), welcome.getMaster());
            while (true) {
                Object message = made.receive();
                if (message instanceof Wire.ToClient told) {
                    answers.handle(told, ready.getNow(""));
                } else if (message instanceof Wire.LogAnswer told) {
                    answers.handle(told);
                }
            }
        } catch (StatusException e) {
            return ended(e.getStatus(), isWelcome);
        } catch (WireException e) {
            throw new IOException("master says what it may not: " + e.getMessage(), e);
        }
    }

    /** Fails all that waits if the master refuses this client, and else notes why the connection has ended. */
    private boolean ended(Status status, boolean wasWelcome) {
        problem = Statuses.text(status);
        LOG.log(Logger.Level.DEBUG, "connection has ended: status=" + status);
        if (!Statuses.isRefusal(status)) {
            return wasWelcome;
        }
        BuildException cause = new BuildException(BuildCode.REFUSED, "master refuses: " + problem);
        ready.completeExceptionally(cause);
        answers.failAll(cause);
        return false;
    }

    private void begin(Session begun, String prefix) {
        String known = ready.getNow(prefix);
        if (!known.equals(prefix)) {
            BuildException cause =
                    new BuildException(BuildCode.UNKNOWN_JOB, "master has lost its folder, and all jobs with it");
            pending.removeAccepted().forEach(build -> answers.fail(build, cause));
        }
        pending.newSession();
        session = begun;
        LongArrayList jobs = pending.jobs();
        for (int row = 0; row < jobs.size(); row += MAX_WATCHED) {
            Wire.Watch.Builder some = Wire.Watch.newBuilder();
            for (int i = row; i < Math.min(jobs.size(), row + MAX_WATCHED); i++) {
                some.addJobs(jobs.get(i));
            }
            begun.send(Wire.FromClient.newBuilder().setWatch(some));
        }
        for (Questions.Numbered open : questions.all()) {
            open.question().ask(begun, open.ask());
        }
        ready.complete(prefix);
        signal();
    }

    /** Fails all that waits if the client is closed; to be called behind whatever has something wait. */
    void failIfClosed() {
        if (closed) {
            answers.failAll(new BuildException(BuildCode.UNREACHABLE, "client is closed"));
        }
    }

    void close() {
        closed = true;
        Streams open = streams;
        if (open != null) {
            open.close();
        }
        transport.shutdown();
        LockSupport.unpark(receiver);
        LockSupport.unpark(sender);
        visitors.shutdown();
        failIfClosed(); // which makes room for those who wait to submit
    }
}

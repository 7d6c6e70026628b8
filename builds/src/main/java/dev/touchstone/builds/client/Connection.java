package dev.touchstone.builds.client;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.ConnectOptions;
import dev.touchstone.builds.wire.Column;
import dev.touchstone.builds.wire.FromClient;
import dev.touchstone.builds.wire.Nodes;
import dev.touchstone.builds.wire.ToClient;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.lang.System.Logger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
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
     * Threads:        `receiver` connects and takes what the master says; `sender` sends, so that what many threads submit meanwhile goes in
     *                 one message; visitors of logs have threads of their own.
     */
    private static final Logger LOG = System.getLogger(Connection.class.getName());
    private static final Duration WELCOME = Duration.ofSeconds(10);
    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long RETRY_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final int MAX_WATCHED = 16 << 10;
    private static final Atom DOWN = Atom.of("DOWN");

    private final Node node;
    private final ConnectOptions options;
    private final Pending pending;
    private final Questions questions;
    private final Answers answers;
    private final long id = new SecureRandom().nextLong() >>> 4;
    private final CompletableFuture<String> ready = new CompletableFuture<>(); // of the master's prefix
    private final ExecutorService visitors =
            Executors.newCachedThreadPool(task -> daemon(task, "builds-client-visitor"));
    private final Thread receiver = daemon(this::receive, "builds-client");
    private final Thread sender = daemon(this::send, "builds-client-sender");
    private final AtomicBoolean signalled = new AtomicBoolean();
    private volatile @Nullable Session session;
    private volatile String problem = "";
    private volatile boolean closed;

    /** One connection. */
    private static final class Session {
        final Mailbox mailbox;
        final ToClient.Welcome welcome;
        final Queue<Outgoing> control = new ConcurrentLinkedQueue<>();

        Session(Mailbox mailbox, ToClient.Welcome welcome) {
            this.mailbox = mailbox;
            this.welcome = welcome;
        }
    }

    private record Outgoing(Pid to, Term message) {}

    Connection(Node node, ConnectOptions options, Pending pending, Questions questions, Semaphore window) {
        this.node = node;
        this.options = options;
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

    /** What ids of the master's jobs begin with, once it is known. */
    CompletableFuture<String> ready() {
        return ready;
    }

    /** Why the last connection was not made; may be empty. */
    String problem() {
        return problem;
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
        Session to = session;
        if (to != null) {
            send(to, ask, question);
        }
    }

    private void send(Session to, long ask, Question question) {
        FromClient message = question.message(to.welcome.session(), ask);
        Pid receiving = message instanceof FromClient.Read ? to.welcome.views() : to.welcome.control();
        send(to, receiving, message.toTerm());
    }

    private void send(Session to, Pid receiving, Term message) {
        try {
            if (!to.control.isEmpty() || !to.mailbox.trySend(receiving, message)) {
                to.control.add(new Outgoing(receiving, message));
                signal();
            }
        } catch (MessagingException.Closed e) {
            // asked again in the next session
        }
    }

    void watch(long job) {
        Session to = session;
        if (to != null) {
            send(to, to.welcome.control(), new FromClient.Watch(to.welcome.session(), Column.of(job)).toTerm());
        }
    }

    private void send() {
        while (!closed) {
            signalled.set(false);
            Session to = session;
            boolean all = true;
            try {
                all = to == null || sendAll(to);
            } catch (MessagingException.Closed e) {
                // the session is about to end
            }
            if (!all) {
                LockSupport.parkNanos(this, RETRY_NANOS);
            } else if (!signalled.get()) {
                LockSupport.park(this);
            }
        }
    }

    /** False where the connection takes no more now. */
    private boolean sendAll(Session to) {
        for (Outgoing next = to.control.peek(); next != null; next = to.control.peek()) {
            if (!to.mailbox.trySend(next.to(), next.message())) {
                return false;
            }
            to.control.poll();
        }
        for (FromClient.Submit batch = next(to); batch != null; batch = next(to)) {
            Term message = batch.toTerm();
            if (!to.mailbox.trySend(to.welcome.control(), message)) {
                to.control.add(new Outgoing(to.welcome.control(), message));
                return false;
            }
        }
        return true;
    }

    private FromClient.@Nullable Submit next(Session to) {
        return to.equals(session) ? pending.nextBatch(to.welcome.session()) : null;
    }

    private void receive() {
        long backoff = FIRST_BACKOFF_NANOS;
        long lost = System.nanoTime();
        while (!closed) {
            boolean welcome = false;
            try (Mailbox mailbox = node.mailbox()) {
                welcome = session(mailbox);
            } catch (IOException | MessagingException e) {
                problem = String.valueOf(e.getMessage());
                LOG.log(Logger.Level.DEBUG, "master is not reached", e);
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
    private boolean session(Mailbox mailbox) throws IOException, InterruptedException {
        node.connect(Nodes.MASTER);
        var unused = mailbox.monitor(Nodes.CONTROL, Nodes.MASTER);
        mailbox.send(
                Nodes.CONTROL,
                Nodes.MASTER,
                new FromClient.Hello(
                                Versions.CURRENT, mailbox.pid(), id, node.name().alive())
                        .toTerm());
        Term first = mailbox.receive(WELCOME);
        if (first == null || isDown(first)) {
            throw new IOException("master does not answer: master=" + options.master());
        }
        ToClient answer = parse(first);
        if (answer instanceof ToClient.Refused refused) {
            BuildException cause = new BuildException(
                    BuildCode.of(refused.code()).orElse(BuildCode.REFUSED), "master refuses: " + refused.reason());
            ready.completeExceptionally(cause);
            problem = refused.reason();
            answers.failAll(cause);
            return false;
        }
        if (!(answer instanceof ToClient.Welcome welcome)) {
            throw new IOException("master does not say welcome: master=" + options.master());
        }
        begin(new Session(mailbox, welcome));
        while (true) {
            Term message = mailbox.receive();
            if (isDown(message)) {
                return true;
            }
            answers.handle(parse(message), ready.getNow(""));
        }
    }

    private void begin(Session begun) {
        String known = ready.getNow(begun.welcome.master());
        if (!known.equals(begun.welcome.master())) {
            BuildException cause =
                    new BuildException(BuildCode.UNKNOWN_JOB, "master has lost its folder, and all jobs with it");
            pending.removeAccepted().forEach(build -> answers.fail(build, cause));
        }
        pending.newSession();
        session = begun;
        Column jobs = pending.jobs();
        for (int row = 0; row < jobs.size(); row += MAX_WATCHED) {
            Column some = new Column();
            for (int i = row; i < Math.min(jobs.size(), row + MAX_WATCHED); i++) {
                some.add(jobs.get(i));
            }
            send(begun, begun.welcome.control(), new FromClient.Watch(begun.welcome.session(), some).toTerm());
        }
        for (Questions.Numbered open : questions.all()) {
            send(begun, open.ask(), open.question());
        }
        ready.complete(begun.welcome.master());
        signal();
    }

    private static boolean isDown(Term message) {
        return message instanceof Tuple tuple && tuple.is(DOWN, 5);
    }

    private static ToClient parse(Term message) throws IOException {
        try {
            return ToClient.parse(message);
        } catch (WireException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    void close() {
        closed = true;
        LockSupport.unpark(receiver);
        LockSupport.unpark(sender);
        visitors.shutdown();
    }
}

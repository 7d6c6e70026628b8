package dev.touchstone.builds.hook;

import java.lang.System.Logger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells forges the state of builds, by a thread of its own that no build waits for. A forge that does not answer is asked again, {@value #MAX_TRIES} times
 * for each state; then the log says so. Builds of which a forge is still to be told are kept in a folder, and told of after a restart. Thread-safe.
 */
final class StatusReporter implements AutoCloseable {
    /*
     * Who calls:  threads of the web server `follow`; whoever starts the web server `resume`, and whoever ends it `close`; everything else, and all
     *             of a Followed, is the own thread's.
     * Ordering:   a build is in the folder before `follow` returns, and so before the forge is answered. Answers of forges come back to the thread.
     * Failure:    a forge that does not answer is asked again, MAX_TRIES times for each state; a job that is not known any more is forgotten.
     */
    static final int MAX_TRIES = 5;

    private static final Logger LOG = System.getLogger(StatusReporter.class.getName());
    private static final int MAX_FOLLOWED = 1_000;
    private static final long LOOK_MILLIS = 1_000;
    private static final long FIRST_RETRY_MILLIS = 1_000;
    private static final long MAX_RETRY_MILLIS = 600_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HookJobs jobs;
    private final @Nullable ReportFolder folder;
    private final Supplier<HttpClient> clients;
    private final Map<String, Followed> followed = new HashMap<>(); // the thread's
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread created = new Thread(task, "builds-status");
        created.setDaemon(true);
        return created;
    });
    private @Nullable HttpClient client; // the thread's
    private @Nullable ScheduledFuture<?> looks; // the thread's

    /**
     * Creates a reporter.
     *
     * @param folder of the builds that are followed; null if they need not outlive the process
     */
    StatusReporter(HookJobs jobs, @Nullable ReportFolder folder) {
        this(jobs, folder, () -> HttpClient.newBuilder().connectTimeout(TIMEOUT).build());
    }

    /**
     * Creates a reporter with a client of its own kind.
     *
     * @param clients makes the client when it is first needed, and again after it could not
     */
    StatusReporter(HookJobs jobs, @Nullable ReportFolder folder, Supplier<HttpClient> clients) {
        this.jobs = jobs;
        this.folder = folder;
        this.clients = clients;
    }

    /** A build whose state is told. The thread's. */
    private static final class Followed {
        private final Hook hook;
        private final Hook.Target target;
        private final Push push;
        private final String id;
        private StatusReport.@Nullable State told;
        private boolean isTelling;
        private int tries;

        private Followed(Hook hook, Hook.Target target, Push push, String id) {
            this.hook = hook;
            this.target = target;
            this.push = push;
            this.id = id;
        }
    }

    /** The body of an answer, which nobody reads: it may never end, and the timeout of a request ends with the head of its answer. */
    private static final class UnreadBody implements HttpResponse.BodySubscriber<Void> {
        @Override
        public CompletionStage<Void> getBody() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.cancel();
        }

        @Override
        public void onNext(List<ByteBuffer> item) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}
    }

    /** Tells a build's state from now until its end, in this life of the master or a later one; waits for the device only. */
    void follow(Hook hook, Push push, String id) {
        hook.status().ifPresent(target -> {
            if (folder != null) {
                folder.add(new ReportFolder.Report(hook.name(), push, id));
            }
            thread.execute(() -> add(new Followed(hook, target, push, id)));
        });
    }

    /**
     * Goes on with the builds that an earlier life of the master has followed.
     *
     * @param hooks by name; builds of others are followed no more
     */
    void resume(Map<String, Hook> hooks) {
        ReportFolder earlier = folder;
        if (earlier == null) {
            return;
        }
        for (ReportFolder.Report report : earlier.all()) {
            Hook hook = hooks.get(report.hook());
            if (hook == null || hook.status().isEmpty()) {
                LOG.log(
                        Logger.Level.WARNING,
                        "forge is not told of a build, as its hook is gone: hook=" + report.hook() + " job="
                                + report.id());
                earlier.remove(report.id());
            } else {
                Followed build = new Followed(hook, hook.status().get(), report.push(), report.id());
                thread.execute(() -> add(build));
            }
        }
    }

    private void add(Followed build) {
        if (followed.size() >= MAX_FOLLOWED && !followed.containsKey(build.id)) {
            LOG.log(
                    Logger.Level.WARNING,
                    "too many builds to tell forges of: most=" + MAX_FOLLOWED + " job=" + build.id);
            forget(build);
            return;
        }
        followed.putIfAbsent(build.id, build);
        if (looks == null) {
            looks = thread.scheduleWithFixedDelay(this::lookAgain, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void lookAgain() {
        try {
            look();
        } catch (RuntimeException | Error e) { // else this would have been the last look
            LOG.log(
                    Logger.Level.ERROR,
                    "states of builds are not known, looked up again: builds=" + followed.size(),
                    e);
        }
    }

    private void look() {
        for (Followed build : List.copyOf(followed.values())) {
            try {
                if (!build.isTelling) {
                    look(build);
                }
            } catch (RuntimeException | Error e) { // else no build behind this one would be looked at
                LOG.log(Logger.Level.WARNING, "state of a build is not known, looked up again: job=" + build.id, e);
            }
        }
        if (followed.isEmpty() && looks != null) {
            looks.cancel(false);
            looks = null;
        }
    }

    private void look(Followed build) {
        Optional<StatusReport.State> state = jobs.state(build.hook.owner(), build.id);
        if (state.isEmpty()) {
            forget(build);
        } else if (state.get() != build.told) {
            build.isTelling = true;
            build.tries = 0;
            tell(build, state.get());
        }
    }

    /** Asks the forge to take a state; a question that cannot even be asked counts as one that failed. */
    private void tell(Followed build, StatusReport.State state) {
        build.tries++;
        try {
            send(build, state);
        } catch (RuntimeException | Error e) { // a client needs descriptors, threads and memory
            told(build, state, null, e);
        }
    }

    private void send(Followed build, StatusReport.State state) {
        HttpRequest request = build.hook
                .forge()
                .status()
                .request(build.target, build.push, report(build, state))
                .timeout(TIMEOUT)
                .build();
        HttpClient by = client;
        if (by == null) {
            by = clients.get();
            client = by;
        }
        var unused = by.sendAsync(request, head -> new UnreadBody())
                .whenComplete((answer, failure) -> thread.execute(() -> told(build, state, answer, failure)));
    }

    private static StatusReport report(Followed build, StatusReport.State state) {
        URI page = build.target.link();
        String text = switch (state) {
            case PENDING -> "waits for an agent";
            case RUNNING -> "runs";
            case SUCCESS -> "succeeded";
            case FAILURE -> "failed";
            case ERROR -> "did not run to its end";
        };
        return new StatusReport(
                state,
                "builds/" + build.hook.name(),
                text + ": job " + build.id,
                page == null ? null : page.resolve("#/job/" + build.id));
    }

    private void told(
            Followed build,
            StatusReport.State state,
            @Nullable HttpResponse<Void> answer,
            @Nullable Throwable failure) {
        boolean isAgain = false;
        try {
            isAgain = isToldAgain(build, state, answer, failure);
        } finally {
            build.isTelling = isAgain; // whatever is thrown, else no look would tell it any more
        }
    }

    /** Notes what the forge has answered; returns whether it is asked again, after some time. */
    private boolean isToldAgain(
            Followed build,
            StatusReport.State state,
            @Nullable HttpResponse<Void> answer,
            @Nullable Throwable failure) {
        int code = answer == null ? 0 : answer.statusCode();
        boolean isDone = code >= 200 && code < 300;
        boolean isTransient = code == 0 || code == 408 || code == 429 || code >= 500;
        if (!isDone && isTransient && build.tries < MAX_TRIES) {
            long delay = Math.max(FIRST_RETRY_MILLIS << (build.tries - 1), wantedMillis(header(answer)));
            var unused = thread.schedule(() -> tell(build, state), delay, TimeUnit.MILLISECONDS);
            return true;
        }
        if (!isDone) {
            LOG.log(
                    Logger.Level.WARNING,
                    "forge is not told a state: " + build.hook + " job=" + build.id + " state=" + state + " tries="
                            + build.tries + (failure == null ? " status=" + code : " cause=" + failure));
        }
        build.told = state;
        if (state.isLast()) {
            forget(build);
        }
        return false;
    }

    private void forget(Followed build) {
        followed.remove(build.id);
        if (folder != null) {
            folder.remove(build.id);
        }
    }

    private static Optional<String> header(@Nullable HttpResponse<Void> answer) {
        return Optional.ofNullable(answer).flatMap(some -> some.headers().firstValue("Retry-After"));
    }

    /** Returns the time in milliseconds that a header {@code Retry-After} asks for; 0 if it is missing, or no number of seconds. */
    static long wantedMillis(Optional<String> retryAfter) {
        return retryAfter
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(text -> Math.min(MAX_RETRY_MILLIS, TimeUnit.SECONDS.toMillis(Long.parseLong(text))))
                .orElse(0L);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

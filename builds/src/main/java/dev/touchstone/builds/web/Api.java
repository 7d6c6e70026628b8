package dev.touchstone.builds.web;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.access.Caller;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Answers what clients ask for, by JSON. Thread-safe. */
final class Api {
    /** The most bytes of a log in one answer. */
    static final int MAX_BYTES = 1 << 20;
    /** The most bytes of a request's body. */
    static final int MAX_BODY = 1 << 20;

    private static final int MAX_KEY = 200;
    private static final int MAX_WAITING = 64;
    private static final int MAX_JOBS = 500;
    private static final long MAX_WAIT_MILLIS = 20_000;
    private static final String AGAIN = "Retry-After";
    private static final Map<BuildCode, Integer> STATUSES = Map.of(
            BuildCode.QUEUE_FULL, 503,
            BuildCode.STORAGE, 503,
            BuildCode.OUTPUT, 422,
            BuildCode.UNKNOWN_JOB, 404,
            BuildCode.REFUSED, 403);

    private final BuildsView view;
    private final Semaphore waiting = new Semaphore(MAX_WAITING);
    private final AtomicLong refused = new AtomicLong();
    private final Followers followers = new Followers();

    Api(BuildsView view) {
        this.view = view;
    }

    /**
     * Answers a client.
     *
     * @param id of the job that the path names; null if it names none
     * @param isValid whether the caller's token still counts
     * @throws Problem if the request is refused, and nothing was answered
     */
    void answer(Endpoint endpoint, Reply reply, @Nullable String id, Caller caller, BooleanSupplier isValid)
            throws IOException, InterruptedException, Problem {
        Map<String, String> query = reply.query(endpoint.query());
        switch (endpoint) {
            case LIST_JOBS -> list(reply, query, caller);
            case SUBMIT -> submit(reply, caller);
            case AGENTS -> reply.json(200, view.agents());
            case HEALTH -> health(reply);
            case METRICS -> metrics(reply, caller);
            case JOB -> reply.json(200, job(caller, id));
            case LOG -> part(reply, query, caller, job(caller, id));
            case RAW -> whole(reply, job(caller, id));
            case TIMES -> {
                long offset = Reply.number(Problem.Place.QUERY, "offset", query.get("offset"), 0);
                reply.json(200, view.logTimes(job(caller, id).id(), offset));
            }
            case EVENTS -> follow(reply, query, caller, job(caller, id), isValid);
            case CANCEL -> cancel(reply, caller, job(caller, id));
            case RETRY ->
                create(reply, caller, () -> view.retry(caller, job(caller, id).id()));
            default -> throw new IllegalArgumentException("endpoint=" + endpoint);
        }
    }

    private JobSummary job(Caller caller, @Nullable String id) throws Problem {
        String known = id == null ? "" : id;
        return view.job(caller, known)
                .orElseThrow(() -> Problem.of(404, "no such job for this token", Problem.Place.PATH, "id", known));
    }

    private void health(Reply reply) throws IOException, Problem {
        Optional<String> problem = view.problem();
        if (problem.isPresent()) {
            throw Problem.of(503, problem.get());
        }
        reply.json(200, Map.of("status", "serving"));
    }

    /** Answers with figures of all jobs, which only those may know who may see all jobs. */
    private void metrics(Reply reply, Caller caller) throws IOException, Problem {
        if (!caller.maySeeAll()) {
            throw Problem.of(403, "token may not see the builds of others: token=" + caller);
        }
        reply.text(
                200, "text/plain; version=0.0.4; charset=utf-8", view.figures().toPrometheus(refused.get()));
    }

    /** Counts an answer, if somebody was not let in. */
    void count(Problem problem) {
        if (problem.status() == 401 || problem.status() == 403) {
            refused.incrementAndGet();
        }
    }

    private void list(Reply reply, Map<String, String> query, Caller caller) throws IOException, Problem {
        String text = query.get("most");
        long most = Reply.number(Problem.Place.QUERY, "most", text, MAX_JOBS);
        if (most < 1 || most > MAX_JOBS) {
            throw Problem.of(400, "expected 1 to " + MAX_JOBS, Problem.Place.QUERY, "most", text);
        }
        reply.json(200, view.jobs(caller, query.getOrDefault("before", ""), (int) most));
    }

    private void submit(Reply reply, Caller caller) throws IOException, Problem {
        String type = reply.header("Content-Type");
        String plain = type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!plain.equals(Reply.JSON)) {
            throw Problem.of(415, "expected " + Reply.JSON, Problem.Place.HEADER, "Content-Type", type);
        }
        var request = JobForm.read(reply.body(MAX_BODY));
        String key = reply.header("Idempotency-Key");
        if (key != null && (key.isEmpty() || key.length() > MAX_KEY)) {
            throw Problem.of(
                    400, "expected 1 to " + MAX_KEY + " characters", Problem.Place.HEADER, "Idempotency-Key", key);
        }
        create(reply, caller, () -> view.submit(caller, request, key == null ? null : "key " + key));
    }

    /** Makes a job. */
    private interface Maker {
        /** Returns the job. */
        JobSummary make() throws Problem;
    }

    private static void create(Reply reply, Caller caller, Maker maker) throws IOException, Problem {
        if (!caller.maySubmit()) {
            throw Problem.of(403, "token may not submit builds: token=" + caller);
        }
        try {
            JobSummary job = maker.make();
            reply.set("Location", "/api/v1/jobs/" + job.id());
            reply.json(201, job);
        } catch (BuildException e) {
            throw refusal(reply, e);
        }
    }

    static Problem refusal(Reply reply, BuildException refused) {
        int status = STATUSES.getOrDefault(refused.code(), 503);
        if (status == 503) {
            reply.set(AGAIN, "10");
        }
        String detail = String.valueOf(refused.getMessage());
        return refused.code() == BuildCode.OUTPUT
                ? Problem.of(status, detail, Problem.Place.BODY, "/output")
                : Problem.of(status, detail);
    }

    private void cancel(Reply reply, Caller caller, JobSummary job) throws IOException, Problem {
        if (!caller.mayCancel(job.owner())) {
            throw Problem.of(403, "token may not cancel builds of others: token=" + caller);
        }
        reply.json(200, Map.of("cancelled", view.cancel(caller, job.id())));
    }

    /** Answers with bytes from an offset on, after a wait for the first of them if that is asked for. */
    private void part(Reply reply, Map<String, String> query, Caller caller, JobSummary job)
            throws IOException, InterruptedException, Problem {
        long offset = Reply.number(Problem.Place.QUERY, "offset", query.get("offset"), 0);
        int length =
                (int) Math.min(MAX_BYTES, Reply.number(Problem.Place.QUERY, "length", query.get("length"), MAX_BYTES));
        long wait = Math.min(MAX_WAIT_MILLIS, Reply.number(Problem.Place.QUERY, "wait", query.get("wait"), 0));
        if (wait > 0 && offset >= job.logBytes() && !job.over()) {
            if (!waiting.tryAcquire()) {
                reply.set(AGAIN, "1");
                throw Problem.of(503, "too many readers at once: most=" + MAX_WAITING);
            }
            try {
                await(caller, job, offset, wait);
            } finally {
                waiting.release();
            }
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && view.readLog(job.id(), offset + bytes.position(), bytes) > 0) {
            // until there is no more
        }
        JobSummary now = view.job(caller, job.id()).orElse(job);
        reply.set("X-Log-Bytes", Long.toString(now.logBytes()));
        reply.set("X-Job-Over", Boolean.toString(now.over()));
        reply.send(200, "application/octet-stream", bytes.array(), bytes.position());
    }

    private void await(Caller caller, JobSummary job, long offset, long millis) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        JobSummary now = job;
        for (long left = deadline - System.nanoTime();
                left > 0 && !now.over() && offset >= now.logBytes();
                left = deadline - System.nanoTime()) {
            view.awaitChange(now, Duration.ofNanos(left));
            JobSummary seen = now;
            now = view.job(caller, job.id()).orElse(seen);
        }
    }

    private void whole(Reply reply, JobSummary job) throws IOException {
        reply.set("Content-Disposition", "attachment; filename=\"" + job.id() + ".log\"");
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        try (OutputStream out = reply.stream("text/plain; charset=utf-8")) {
            long offset = 0;
            while (view.readLog(job.id(), offset, bytes) > 0) {
                out.write(bytes.array(), 0, bytes.position());
                offset += bytes.position();
                bytes.clear();
            }
        }
    }

    private void follow(Reply reply, Map<String, String> query, Caller caller, JobSummary job, BooleanSupplier isValid)
            throws IOException, InterruptedException, Problem {
        String last = reply.header("Last-Event-ID");
        long offset = last == null
                ? Reply.number(Problem.Place.QUERY, "offset", query.get("offset"), 0)
                : Reply.number(Problem.Place.HEADER, "Last-Event-ID", last, 0);
        if (!followers.enter(caller)) {
            reply.set(AGAIN, "5");
            throw Problem.of(
                    503,
                    "too many followers at once: most=" + Followers.MAX_OF_ALL + " of one token="
                            + Followers.MAX_OF_TOKEN);
        }
        try (OutputStream out = reply.stream("text/event-stream")) {
            new EventStream(view, caller, out, offset).run(job, isValid);
        } finally {
            followers.leave(caller);
        }
    }
}

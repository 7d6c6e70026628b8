package dev.touchstone.builds.web;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.access.Caller;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Answers what clients ask for, by JSON. Thread-safe. */
final class Api {
    /*
     * Who calls:  threads of requests, many at once.
     * Invariants: whoever waits has a place in `waiting`, whoever follows one in `followers`, and whoever sends a large body one in `bodies`, so that
     *             threads and memory are left for others.
     * Ordering:   only `times` takes the lock, and asks the view with it.
     */
    /** The most bytes of a log in one answer. */
    static final int MAX_BYTES = 1 << 20;

    private static final int MAX_TIMES = 4_096; // log.js knows it
    private static final int PIECE = 16 << 10;
    private static final int LISTED_AT_ONCE = 50;
    private static final byte[] SEPARATOR = {','};
    private static final int MAX_KEY = 200;
    static final int MAX_FOLLOWERS_OF_TOKEN = 16;
    private static final int MAX_FOLLOWERS = 64;
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
    private final Refusals refusals;
    private final Places waiting = new Places(MAX_WAITING, MAX_WAITING / 2);
    private final Places followers = new Places(MAX_FOLLOWERS, MAX_FOLLOWERS_OF_TOKEN);
    private final Bodies bodies = new Bodies();

    Api(BuildsView view, Refusals refusals) {
        this.view = view;
        this.refusals = refusals;
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
            case LIST_JOBS -> list(reply, query, caller, isValid);
            case SUBMIT -> submit(reply, caller);
            case AGENTS -> reply.json(200, view.agents());
            case HEALTH -> health(reply);
            case METRICS -> metrics(reply, caller);
            case JOB -> reply.json(200, job(caller, id));
            case LOG -> part(reply, query, caller, job(caller, id), isValid);
            case RAW -> whole(reply, job(caller, id), isValid);
            case TIMES -> {
                long offset = Reply.number(Problem.Place.QUERY, "offset", query.get("offset"), 0);
                byte[] json = times(job(caller, id).id(), offset);
                reply.send(200, Reply.JSON, json, json.length);
            }
            case EVENTS -> follow(reply, query, caller, job(caller, id), isValid);
            case CANCEL -> cancel(reply, caller, job(caller, id));
            case RETRY -> {
                checkMaySubmit(caller);
                create(reply, () -> view.retry(caller, job(caller, id).id()));
            }
            default -> throw new IllegalArgumentException("endpoint=" + endpoint);
        }
    }

    /** Returns the first times from an offset on. For one thread at once: a file of times takes some MB in memory while it is read. */
    private synchronized byte[] times(String id, long offset) throws IOException {
        LogTimes all = view.logTimes(id, offset);
        int count = Math.min(MAX_TIMES, all.offsets().size());
        return Reply.line(
                new LogTimes(all.offsets().subList(0, count), all.seconds().subList(0, count)));
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
                200, "text/plain; version=0.0.4; charset=utf-8", view.figures().toPrometheus(refusals.notLetIn()));
    }

    private void list(Reply reply, Map<String, String> query, Caller caller, BooleanSupplier isValid)
            throws IOException, Problem {
        String text = query.get("most");
        long most = Reply.number(Problem.Place.QUERY, "most", text, MAX_JOBS);
        if (most < 1 || most > MAX_JOBS) {
            throw Problem.of(400, "expected 1 to " + MAX_JOBS, Problem.Place.QUERY, "most", text);
        }
        String before = query.getOrDefault("before", "");
        OutputStream out = reply.stream(Reply.JSON);
        out.write('[');
        boolean isFirst = true;
        for (int left = (int) most; left > 0; ) { // in parts, since many may not read their answers
            checkValid(isValid);
            int asked = Math.min(left, LISTED_AT_ONCE);
            List<JobSummary> some = view.jobs(caller, before, asked);
            for (JobSummary job : some) {
                out.write(isFirst ? new byte[0] : SEPARATOR);
                out.write(Reply.line(job));
                isFirst = false;
                before = job.id();
            }
            left = some.size() < asked ? 0 : left - asked;
        }
        out.write(']');
        out.close();
    }

    /** Breaks an answer off whose caller may see no more of it: a client that reads slowly takes minutes for it. */
    private static void checkValid(BooleanSupplier isValid) throws IOException {
        if (!isValid.getAsBoolean()) {
            throw new IOException("token is revoked before all is sent");
        }
    }

    private void submit(Reply reply, Caller caller) throws IOException, Problem {
        checkMaySubmit(caller);
        String type = reply.header("Content-Type");
        String plain = type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!plain.equals(Reply.JSON)) {
            throw Problem.of(415, "expected " + Reply.JSON, Problem.Place.HEADER, "Content-Type", type);
        }
        String key = reply.header("Idempotency-Key");
        if (key != null && (key.isEmpty() || key.length() > MAX_KEY)) {
            throw Problem.of(
                    400, "expected 1 to " + MAX_KEY + " characters", Problem.Place.HEADER, "Idempotency-Key", key);
        }
        bodies.read(reply, body -> submit(reply, caller, JobForm.read(body), key));
    }

    private void submit(Reply reply, Caller caller, BuildRequest request, @Nullable String key)
            throws IOException, Problem {
        create(reply, () -> {
            JobSummary job = view.submit(caller, request, key == null ? null : "key " + key);
            if (key != null && !view.isRequestOf(job.id(), request)) {
                throw Problem.of(
                        422,
                        "key was used for another request: job=" + job.id(),
                        Problem.Place.HEADER,
                        "Idempotency-Key",
                        key);
            }
            return job;
        });
    }

    private static void checkMaySubmit(Caller caller) throws Problem {
        if (!caller.maySubmit()) {
            throw Problem.of(403, "token may not submit builds: token=" + caller);
        }
    }

    /** Makes a job. */
    private interface Maker {
        /** Returns the job. */
        JobSummary make() throws Problem;
    }

    private static void create(Reply reply, Maker maker) throws IOException, Problem {
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
    private void part(Reply reply, Map<String, String> query, Caller caller, JobSummary job, BooleanSupplier isValid)
            throws IOException, InterruptedException, Problem {
        long offset = Reply.number(Problem.Place.QUERY, "offset", query.get("offset"), 0);
        int length =
                (int) Math.min(MAX_BYTES, Reply.number(Problem.Place.QUERY, "length", query.get("length"), MAX_BYTES));
        long wait = Math.min(MAX_WAIT_MILLIS, Reply.number(Problem.Place.QUERY, "wait", query.get("wait"), 0));
        if (wait > 0 && offset >= job.logBytes() && !job.over()) {
            waiting.enter(reply, caller, "readers that wait");
            try {
                await(caller, job, offset, wait);
            } finally {
                waiting.leave(caller);
            }
        }
        JobSummary now = view.job(caller, job.id()).orElse(job);
        reply.set("X-Log-Bytes", Long.toString(now.logBytes()));
        reply.set("X-Job-Over", Boolean.toString(now.over()));
        copy(reply, "application/octet-stream", now, offset, length, isValid);
    }

    /** Answers with bytes of a log in pieces, since many may not read their answers; breaks off where the log has fewer bytes than it had. */
    private void copy(Reply reply, String type, JobSummary job, long from, long length, BooleanSupplier isValid)
            throws IOException {
        OutputStream out = reply.stream(type);
        ByteBuffer piece = ByteBuffer.allocate(PIECE);
        long offset = from;
        long left = length;
        while (left > 0 && view.readLog(job.id(), offset, piece.limit((int) Math.min(PIECE, left))) > 0) {
            checkValid(isValid);
            out.write(piece.array(), 0, piece.position());
            offset += piece.position();
            left -= piece.position();
            piece.clear();
        }
        if (left > 0 && offset < job.logBytes()) {
            throw new IOException(
                    "log ends before its length: job=" + job.id() + " offset=" + offset + " length=" + job.logBytes());
        }
        out.close();
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

    private void whole(Reply reply, JobSummary job, BooleanSupplier isValid) throws IOException {
        reply.set("Content-Disposition", "attachment; filename=\"" + job.id() + ".log\"");
        copy(reply, "text/plain; charset=utf-8", job, 0, Long.MAX_VALUE, isValid);
    }

    private void follow(Reply reply, Map<String, String> query, Caller caller, JobSummary job, BooleanSupplier isValid)
            throws IOException, InterruptedException, Problem {
        String last = reply.header("Last-Event-ID");
        long offset = last == null
                ? Reply.number(Problem.Place.QUERY, "offset", query.get("offset"), 0)
                : Reply.number(Problem.Place.HEADER, "Last-Event-ID", last, 0);
        followers.enter(reply, caller, "followers");
        try {
            OutputStream out = reply.stream("text/event-stream");
            new EventStream(view, caller, out, offset).run(job, isValid);
            out.close();
        } finally {
            followers.leave(caller);
        }
    }
}

package dev.touchstone.builds.web;

import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.access.Caller;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A master of some jobs whose logs the test writes. */
final class FakeBuilds implements BuildsView {
    static final String OWNER = "alice";
    private static final Caller ALL = Site.ALL;

    private final Map<String, Job> jobs = new TreeMap<>();
    final List<String> cancelled = new ArrayList<>(); // guarded by this
    final List<BuildRequest> submitted = new ArrayList<>(); // guarded by this
    private final Map<@Nullable String, @Nullable String> byKey = new HashMap<>();
    volatile List<Long> times = List.of(0L, 10L);
    int mostListed; // at once; guarded by this
    int mostRead; // bytes of a log at once; guarded by this
    volatile @Nullable BuildException refusal;
    volatile @Nullable String problem;
    volatile Runnable whenRead = () -> {}; // jobs or a log

    /** One job; guarded by the master. */
    private static final class Job {
        private final ByteArrayOutputStream log = new ByteArrayOutputStream();
        private byte @Nullable [] whole;
        private boolean over;
        private @Nullable String retryOf;
    }

    void append(String id, String text) {
        append(id, text.getBytes(StandardCharsets.UTF_8));
    }

    synchronized void append(String id, byte[] bytes) {
        Job job = jobs.computeIfAbsent(id, some -> new Job());
        job.log.writeBytes(bytes);
        job.whole = null;
        notifyAll();
    }

    synchronized void empty(String id) {
        Job job = require(id);
        job.log.reset();
        job.whole = null;
    }

    synchronized void end(String id) {
        require(id).over = true;
        notifyAll();
    }

    private Job require(String id) {
        Job job = jobs.get(id);
        if (job == null) {
            throw new IllegalArgumentException("id=" + id);
        }
        return job;
    }

    @Override
    public synchronized List<JobSummary> jobs(Caller caller, String before, int most) {
        whenRead.run();
        mostListed = Math.max(mostListed, most);
        return jobs.keySet().stream()
                .filter(id -> before.isEmpty() || id.compareTo(before) < 0)
                .sorted(Comparator.reverseOrder())
                .limit(most)
                .flatMap(id -> job(caller, id).stream())
                .toList();
    }

    @Override
    public synchronized Optional<JobSummary> job(Caller caller, String id) {
        return Optional.ofNullable(caller.maySee(OWNER) ? jobs.get(id) : null)
                .map(job -> new JobSummary(
                        id,
                        OWNER,
                        "git+file:///repository",
                        "branch <b>1</b>",
                        "build.sh",
                        "bash",
                        "any",
                        job.over ? "SUCCEEDED" : "RUNNING",
                        job.over,
                        1,
                        "agent-1",
                        1_700_000_000_000L,
                        1_700_000_001_000L,
                        job.over ? 1_700_000_003_000L : 0,
                        job.over ? 0 : null,
                        job.log.size(),
                        "",
                        job.retryOf));
    }

    @Override
    public List<AgentSummary> agents() {
        return List.of(new AgentSummary("agent-1", List.of("any", "linux"), List.of("bash"), 2, 1, true));
    }

    @Override
    public synchronized int readLog(String id, long offset, ByteBuffer into) {
        whenRead.run();
        mostRead = Math.max(mostRead, into.remaining());
        Job job = require(id);
        byte[] whole = job.whole == null ? job.log.toByteArray() : job.whole;
        job.whole = whole;
        int length = (int) Math.max(0, Math.min(into.remaining(), whole.length - offset));
        if (length > 0) {
            into.put(whole, (int) offset, length);
        }
        return length;
    }

    @Override
    public LogTimes logTimes(String id, long offset) {
        List<Long> offsets = times.stream().filter(time -> time >= offset).toList();
        return new LogTimes(
                offsets,
                offsets.stream().map(at -> 1_700_000_001L + 61 * (at / 10)).toList());
    }

    @Override
    public synchronized void awaitChange(JobSummary seen, Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        while (job(ALL, seen.id()).filter(seen::equals).isPresent() && end - System.nanoTime() > 1_000_000) {
            wait((end - System.nanoTime()) / 1_000_000);
        }
    }

    @Override
    public synchronized JobSummary submit(Caller caller, BuildRequest request, @Nullable String key) {
        if (refusal != null) {
            throw refusal;
        }
        String known = byKey.get(key);
        if (known != null) {
            return job(ALL, known).orElseThrow();
        }
        submitted.add(request);
        String id = "new-" + submitted.size();
        byKey.put(key, key == null ? null : id);
        append(id, "");
        return job(ALL, id).orElseThrow();
    }

    @Override
    public synchronized boolean isRequestOf(String id, BuildRequest request) {
        return submitted.get(Integer.parseInt(id.substring(4)) - 1).equals(request);
    }

    @Override
    public synchronized MasterFigures figures() {
        return new MasterFigures(1, 2, Map.of("SUCCEEDED", 3L, "CANCELLED", 0L), 4, 5, 6, 7, 8, 9, 10, 1_500, 12);
    }

    @Override
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    @Override
    public synchronized JobSummary retry(Caller caller, String id) {
        JobSummary job = submit(caller, BuildRequest.of("r", "b", "s").build(), null);
        require(job.id()).retryOf = id;
        return job(ALL, job.id()).orElseThrow();
    }

    @Override
    public synchronized boolean cancel(Caller caller, String id) {
        cancelled.add(id);
        notifyAll();
        return true;
    }
}

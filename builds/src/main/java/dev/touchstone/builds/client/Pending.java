package dev.touchstone.builds.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.Requests;
import dev.touchstone.builds.wire.v1.Wire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds that wait for the master: to be sent, to be accepted, for their results. Thread-safe. */
final class Pending {
    /*
     * Who calls:  any thread `add` and `watch`; the sender `nextBatch`; whoever finds the client closed `removeAll`; the receiver that and the
     *             others.
     * Invariants: a build is in `byNumber` until the master has accepted, refused or done it, and in `byJob` from then until its result. `unsent` and
     *             `again` have what is still to be sent in this session.
     * Ordering:   futures are completed without the lock, by the callers.
     */
    private static final int MAX_ROWS = 8 << 10;
    private static final int MAX_BYTES = 256 << 10;

    @GuardedBy("this")
    private final ArrayDeque<RemoteBuild> unsent = new ArrayDeque<>();

    @GuardedBy("this")
    private final Map<Long, RemoteBuild> byNumber = new LinkedHashMap<>(); // not accepted yet

    @GuardedBy("this")
    private final Map<Long, List<RemoteBuild>> byJob = new HashMap<>();

    @GuardedBy("this")
    private final ArrayDeque<RemoteBuild> again = new ArrayDeque<>();

    synchronized void add(RemoteBuild build) {
        byNumber.put(build.number, build);
        unsent.add(build);
    }

    /** Returns the next requests to send in one message; null if there are none. */
    @SuppressWarnings(
            "ReferenceEquality") // requests that are the same object are written once; equal ones are found by the map
    synchronized Wire.@Nullable FromClient nextBatch() {
        boolean repeat = !again.isEmpty();
        ArrayDeque<RemoteBuild> from = repeat ? again : unsent;
        if (from.isEmpty()) {
            return null;
        }
        Wire.Submit.Builder submit = Wire.Submit.newBuilder().setAgain(repeat);
        Map<BuildRequest, Integer> places = new HashMap<>();
        BuildRequest last = null;
        int place = 0;
        int bytes = 0;
        while (!from.isEmpty() && submit.getNumbersCount() < MAX_ROWS && bytes < MAX_BYTES) {
            RemoteBuild build = from.remove();
            BuildRequest request = build.request;
            if (request == null) {
                throw new IllegalStateException("build without a request: number=" + build.number);
            }
            if (request != last) {
                Integer known = places.putIfAbsent(request, places.size());
                place = known == null ? places.size() - 1 : known;
                if (known == null) {
                    submit.addRequests(Requests.toMessage(request).toByteString());
                    bytes += Requests.bytes(request);
                }
                last = request;
            }
            build.sent = true;
            submit.addNumbers(build.number).addWhich(place);
        }
        return Wire.FromClient.newBuilder().setSubmit(submit).build();
    }

    /** Has all that was sent and not answered sent again. */
    synchronized void newSession() {
        again.clear();
        for (RemoteBuild build : byNumber.values()) {
            if (build.sent) {
                again.add(build);
            }
        }
    }

    /** Has the results of requests that have become jobs waited for; returns those requests, null where one is not known. */
    synchronized List<@Nullable RemoteBuild> accepted(Wire.Accepted told) {
        List<@Nullable RemoteBuild> builds = new ArrayList<>(told.getNumbersCount());
        for (int row = 0; row < told.getNumbersCount(); row++) {
            RemoteBuild build = byNumber.remove(told.getNumbers(row));
            if (build != null) {
                watch(told.getJobs(row), build);
            }
            builds.add(build);
        }
        return builds;
    }

    /** Takes out jobs that are done; returns the builds that wait for each. */
    synchronized List<List<RemoteBuild>> done(Wire.Done told) {
        List<List<RemoteBuild>> builds = new ArrayList<>(told.getNumbersCount());
        for (int row = 0; row < told.getNumbersCount(); row++) {
            RemoteBuild build = byNumber.remove(told.getNumbers(row));
            builds.add(build == null ? ended(told.getJobs(row)) : List.of(build));
        }
        return builds;
    }

    /** Takes out a request that was not accepted. */
    synchronized @Nullable RemoteBuild remove(long number) {
        return byNumber.remove(number);
    }

    /** Has the result of a job waited for. */
    synchronized void watch(long job, RemoteBuild build) {
        byJob.computeIfAbsent(job, unused -> new ArrayList<>(1)).add(build);
    }

    /** Takes out all who wait for the result of a job. */
    synchronized List<RemoteBuild> ended(long job) {
        List<RemoteBuild> builds = byJob.remove(job);
        return builds == null ? List.of() : builds;
    }

    /** Returns the numbers of jobs whose results are waited for. */
    synchronized LongArrayList jobs() {
        LongArrayList jobs = new LongArrayList();
        byJob.keySet().forEach(jobs::add);
        return jobs;
    }

    /** Takes out all. */
    synchronized Collection<RemoteBuild> removeAll() {
        List<RemoteBuild> all = new ArrayList<>(byNumber.values());
        byJob.values().forEach(all::addAll);
        unsent.clear();
        again.clear();
        byNumber.clear();
        byJob.clear();
        return all;
    }

    /** Takes out those that were accepted. */
    synchronized Collection<RemoteBuild> removeAccepted() {
        List<RemoteBuild> all = new ArrayList<>();
        byJob.values().forEach(all::addAll);
        byJob.clear();
        return all;
    }
}

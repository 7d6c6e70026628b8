package dev.touchstone.builds.master;

import dev.touchstone.builds.access.Admission;
import dev.touchstone.builds.master.artefact.ArtefactLimits;
import dev.touchstone.builds.master.job.JobLimits;
import dev.touchstone.builds.master.job.Retention;
import dev.touchstone.builds.wire.Security;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * The options of a master. Immutable.
 *
 * @param folder its own: the journal and the logs
 * @param listen address; beyond this machine with TLS only
 * @param port TCP port; 0 for any that is free
 * @param admission tokens, TLS and heartbeat
 * @param grace how long a build whose agent is not connected may go on before it counts as lost
 * @param maxAttempts how often a job is given to an agent
 * @param maxQueued jobs that may wait
 * @param quota builds of one named token that may wait, and as many noops
 * @param retention what is kept of jobs that have ended
 * @param requestBytes what requests of waiting jobs may take in memory before they are left in the journal
 * @param cleanBytes of the journal, at least, between two cleanings
 * @param artefacts what artefacts may take
 */
public record MasterOptions(
        Path folder,
        InetAddress listen,
        int port,
        Admission admission,
        Duration grace,
        int maxAttempts,
        int maxQueued,
        int quota,
        Retention retention,
        int requestBytes,
        long cleanBytes,
        ArtefactLimits artefacts) {
    private static final long MIN_REQUEST_BYTES = 4 << 20;
    private static final long MAX_REQUEST_BYTES = 256 << 20;

    /**
     * Checks what it is given.
     *
     * @throws IllegalArgumentException if a value is out of its range
     */
    public MasterOptions {
        Objects.requireNonNull(folder, "folder");
        check("grace in ns", grace.toNanos(), 0);
        check("maxAttempts", maxAttempts, 1);
        check("maxQueued", maxQueued, 1);
        check("quota", quota, 1);
        check("requestBytes", requestBytes, 0);
    }

    private static void check(String name, long value, long min) {
        if (value < min) {
            throw new IllegalArgumentException(name + "=" + value + " is less than " + min);
        }
    }

    /** Returns the defaults: loopback, any free port, grace of 15 s, 2 attempts, 1 million jobs waiting, half as many of one token, a 32nd of the heap for requests. */
    public static MasterOptions of(Path folder, Admission admission) {
        return new MasterOptions(
                folder,
                InetAddress.getLoopbackAddress(),
                0,
                admission,
                Duration.ofSeconds(15),
                2,
                1_000_000,
                500_000,
                Retention.DEFAULT,
                (int) Math.min(
                        MAX_REQUEST_BYTES,
                        Math.max(MIN_REQUEST_BYTES, Runtime.getRuntime().maxMemory() / 32)),
                64L << 20,
                ArtefactLimits.DEFAULT);
    }

    /** Returns the defaults, for all who know the token. */
    public static MasterOptions of(Path folder, Security security) {
        return of(folder, Admission.of(security));
    }

    /** Returns the limits that hold for jobs. */
    JobLimits jobLimits() {
        return new JobLimits(grace, maxAttempts, maxQueued, quota, retention, requestBytes);
    }

    /** Returns these options with another address and port. */
    public MasterOptions withAddress(InetAddress address, int newPort) {
        Draft draft = new Draft(this);
        draft.listen = address;
        draft.port = newPort;
        return draft.options();
    }

    /** Returns these options with another time for agents to come back. */
    public MasterOptions withGrace(Duration time) {
        Draft draft = new Draft(this);
        draft.grace = time;
        return draft.options();
    }

    /** Returns these options with another number of attempts. */
    public MasterOptions withMaxAttempts(int attempts) {
        Draft draft = new Draft(this);
        draft.maxAttempts = attempts;
        return draft.options();
    }

    /** Returns these options with other limits of the jobs that wait, of all tokens and of one. */
    public MasterOptions withMaxQueued(int jobs, int ofOne) {
        Draft draft = new Draft(this);
        draft.maxQueued = jobs;
        draft.quota = ofOne;
        return draft.options();
    }

    /** Returns these options with other limits of what is kept. */
    public MasterOptions withRetention(Retention newRetention) {
        Draft draft = new Draft(this);
        draft.retention = newRetention;
        return draft.options();
    }

    /** Returns these options with another limit of requests in memory. */
    public MasterOptions withRequestBytes(int bytes) {
        Draft draft = new Draft(this);
        draft.requestBytes = bytes;
        return draft.options();
    }

    /** Returns these options with another size of the journal between two cleanings. */
    public MasterOptions withCleanBytes(long bytes) {
        Draft draft = new Draft(this);
        draft.cleanBytes = bytes;
        return draft.options();
    }

    /** Returns these options with other limits of artefacts. */
    public MasterOptions withArtefacts(ArtefactLimits limits) {
        Draft draft = new Draft(this);
        draft.artefacts = limits;
        return draft.options();
    }

    /** Holds options while one of them changes. For one thread. */
    private static final class Draft {
        private final MasterOptions before;
        private InetAddress listen;
        private int port;
        private Duration grace;
        private int maxAttempts;
        private int maxQueued;
        private int quota;
        private Retention retention;
        private int requestBytes;
        private long cleanBytes;
        private ArtefactLimits artefacts;

        Draft(MasterOptions before) {
            this.before = before;
            this.listen = before.listen;
            this.port = before.port;
            this.grace = before.grace;
            this.maxAttempts = before.maxAttempts;
            this.maxQueued = before.maxQueued;
            this.quota = before.quota;
            this.retention = before.retention;
            this.requestBytes = before.requestBytes;
            this.cleanBytes = before.cleanBytes;
            this.artefacts = before.artefacts;
        }

        MasterOptions options() {
            return new MasterOptions(
                    before.folder,
                    listen,
                    port,
                    before.admission,
                    grace,
                    maxAttempts,
                    maxQueued,
                    quota,
                    retention,
                    requestBytes,
                    cleanBytes,
                    artefacts);
        }
    }
}

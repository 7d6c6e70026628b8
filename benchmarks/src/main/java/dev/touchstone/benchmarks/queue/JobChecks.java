package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.queue.peer.Folders;
import dev.touchstone.benchmarks.queue.peer.JobTable;
import dev.touchstone.harness.run.check.CheckFailedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

/** Checks of a table of jobs. Jobs are numbered by the worker that adds them, so that a job that is lost or done twice shows. */
final class JobChecks {

    /** The producer of the jobs that are there before any worker is. */
    private static final int NOBODY = 0;

    private static final int JOBS = 100;

    private final QueueSubject subject;

    JobChecks(QueueSubject subject) {
        this.subject = subject;
    }

    /**
     * Checks that each job is done exactly once: by workers at the same time, by whoever opens the table after they stopped with a job
     * in their hands, and by whoever finds only the files that a killed process leaves. A job that was done never comes back.
     *
     * @param folder an empty folder
     */
    void doneOnce(Path folder, int workers, int each) throws CheckFailedException, IOException {
        Path table = Files.createDirectory(folder.resolve("table"));
        Path killed = folder.resolve("killed");
        Set<Long> added = new HashSet<>();
        List<byte[]> done = Collections.synchronizedList(new ArrayList<>());
        try (JobTable jobs = open(table)) {
            add(jobs, added);
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int worker = 1; worker <= workers; worker++) {
                int producer = worker;
                for (int i = 0; i < each; i++) {
                    added.add(key(producer, i));
                }
                tasks.add(() -> {
                    work(jobs, producer, each, done);
                    return null;
                });
            }
            QueueChecks.together(tasks);
            demandJobs("jobs in the table after the work", jobs.remaining(), JOBS);
            if (subject.survivesKill()) {
                Folders.copy(table, killed);
            }
        }
        Set<Long> left = new HashSet<>(added);
        strike(left, done, "workers");
        demandJobs("jobs that the workers left", left.size(), JOBS);
        if (Files.exists(killed)) {
            demandLeft(killed, left, "after a kill");
        }
        demandLeft(table, left, "after a reopening");
        demandLeft(table, Set.of(), "after all were done");
    }

    /**
     * Checks that a lease ends with the first acknowledgement: another is refused and removes nothing.
     *
     * @param folder an empty folder
     */
    void ended(Path folder) throws CheckFailedException, IOException {
        try (JobTable jobs = open(folder)) {
            add(jobs, new HashSet<>());
            JobTable.Job job = first(jobs);
            jobs.finish(job);
            if (!refused(jobs, job)) {
                throw new CheckFailedException("expected IllegalStateException for a second acknowledgement, got none");
            }
            demandJobs("jobs after one was done", jobs.remaining(), JOBS - 1);
        }
    }

    private static boolean refused(JobTable jobs, JobTable.Job job) throws IOException {
        try {
            jobs.finish(job);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private JobTable open(Path folder) throws IOException {
        return (JobTable) subject.open(folder);
    }

    private static void add(JobTable jobs, Set<Long> added) throws IOException {
        for (int i = 0; i < JOBS; i++) {
            jobs.write(QueueChecks.numbered(NOBODY, i));
            added.add(key(NOBODY, i));
        }
    }

    /** Works off so many jobs and keeps one more on lease. */
    private static void work(JobTable jobs, int producer, int each, List<byte[]> done)
            throws CheckFailedException, IOException {
        JobTable.Job job = first(jobs);
        for (int i = 0; i < each; i++) {
            done.add(job.payload());
            job = next(jobs, job, QueueChecks.numbered(producer, i));
        }
    }

    private static JobTable.Job first(JobTable jobs) throws CheckFailedException, IOException {
        JobTable.Job job = jobs.lease();
        if (job == null) {
            throw new CheckFailedException("expected a free job, got none");
        }
        return job;
    }

    private static JobTable.Job next(JobTable jobs, JobTable.Job done, byte[] added)
            throws CheckFailedException, IOException {
        JobTable.Job job = jobs.exchange(done, added);
        if (job == null) {
            throw new CheckFailedException("expected a free job, got none");
        }
        return job;
    }

    /** Does all jobs of a table in {@code folder}, which have to be those that are left. */
    private void demandLeft(Path folder, Set<Long> left, String when) throws CheckFailedException, IOException {
        List<byte[]> done = new ArrayList<>();
        try (JobTable jobs = open(folder)) {
            for (JobTable.Job job = jobs.lease(); job != null; job = jobs.lease()) {
                done.add(job.payload());
                jobs.finish(job);
            }
        }
        Set<Long> missing = new HashSet<>(left);
        strike(missing, done, when);
        demandJobs("jobs lost " + when, missing.size(), 0);
    }

    private static void strike(Set<Long> left, List<byte[]> done, String who) throws CheckFailedException {
        for (byte[] record : done) {
            ByteBuffer bytes = ByteBuffer.wrap(record);
            int producer = bytes.getInt();
            int number = bytes.getInt();
            String job = "producer=" + producer + " number=" + number;
            if (!left.remove(key(producer, number))) {
                throw new CheckFailedException(who + ": expected each job once, got one again: " + job);
            }
            if (!Arrays.equals(record, QueueChecks.numbered(producer, number))) {
                throw new CheckFailedException(who + ": expected the record as it was added, got another: " + job);
            }
        }
    }

    private static void demandJobs(String what, long actual, long expected) throws CheckFailedException {
        if (actual != expected) {
            throw new CheckFailedException(what + ": expected " + expected + ", got " + actual);
        }
    }

    private static long key(int producer, int number) {
        return ((long) producer << Integer.SIZE) + number;
    }
}

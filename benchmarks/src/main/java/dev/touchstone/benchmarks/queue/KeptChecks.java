package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.queue.peer.AsyncWrites;
import dev.touchstone.benchmarks.queue.peer.BulkWrites;
import dev.touchstone.benchmarks.queue.peer.Folders;
import dev.touchstone.benchmarks.queue.peer.JobTable;
import dev.touchstone.benchmarks.queue.peer.QueueUnderTest;
import dev.touchstone.benchmarks.queue.replicated.ReplicatedUnderTest;
import dev.touchstone.harness.run.check.CheckFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks of what a record has survived when the call that wrote it returns, made by one thread: a force within the call where the subject is
 * durable, and the record in the page cache where the subject promises that or more.
 */
final class KeptChecks {

    private static final int CALLS = 100;
    private static final int COPIES = 3;
    private static final int MAJORITY = 2;

    private final QueueSubject subject;
    private final QueueCheck.Work work;
    private JobTable.@Nullable Job job;

    KeptChecks(QueueSubject subject, QueueCheck.Work work) {
        this.subject = subject;
        this.work = work;
    }

    /** Does the calls of the workload in a folder of the subject's own below an existing one. */
    void run(Path dataFolder) throws CheckFailedException, IOException {
        Path folder = Files.createDirectory(dataFolder.resolve("kept"));
        try (QueueUnderTest queue = subject.open(folder)) {
            int together = callsForAForce();
            call(queue, 0); // what a subject does once only is not what each call does
            ForceWitness forces = ForceWitness.of(subject, folder);
            for (int i = 1; i <= CALLS; i++) {
                for (int j = 0; j < together; j++) {
                    call(queue, i * together + j);
                }
                if (subject.durable()) {
                    forces.demandForce("call " + i + " of " + CALLS);
                }
                if (subject.survivesKill() && work != QueueCheck.Work.JOBS && i > CALLS - COPIES) {
                    demandKept(folder, dataFolder.resolve("copy" + i), (i + 1) * recordsPerCall());
                }
            }
        }
    }

    /** Writes to a log of three processes: files of two of them are forced within each call, and all records are there once all processes were killed. */
    void runKilled(Path dataFolder) throws CheckFailedException, IOException {
        Path folder = Files.createDirectory(dataFolder.resolve("killed"));
        try (ReplicatedUnderTest log = subject.declared().open(ReplicatedUnderTest.class, folder)) {
            call(log, 0);
            List<ForceWitness> processes = new ArrayList<>();
            for (Path process : log.folders()) {
                processes.add(ForceWitness.of(subject, process));
            }
            for (int i = 1; i <= CALLS; i++) {
                call(log, i);
                int forced = 0;
                for (ForceWitness process : processes) {
                    forced += process.hasForced() ? 1 : 0;
                }
                if (forced < MAJORITY) {
                    throw new CheckFailedException("call " + i + " of " + CALLS + " returned with forces by " + forced
                            + " processes: expected " + MAJORITY + " or more");
                }
            }
            log.kill();
        }
        try (QueueUnderTest found = subject.open(folder)) {
            QueueChecks.demand(QueueChecks.scan(found), CALLS + 1, 1, "scan of a log that is opened anew after a kill");
        }
    }

    /** A limit of asynchronous writes ends records before their force, up to a buffer of them. */
    private int callsForAForce() {
        return subject.ceiling() && work == QueueCheck.Work.ASYNC ? Records.BULK_RECORDS : 1;
    }

    private int recordsPerCall() {
        return work == QueueCheck.Work.BULK ? Records.BULK_RECORDS : 1;
    }

    private void call(QueueUnderTest queue, int number) throws CheckFailedException, IOException {
        switch (work) {
            case ASYNC -> {
                InFlight inFlight = new InFlight(1);
                inFlight.begin();
                ((AsyncWrites) queue).writeAsync(QueueChecks.numbered(0, number), inFlight::end);
                inFlight.awaitAll();
            }
            case BULK -> {
                List<byte[]> bulk = new ArrayList<>();
                for (int i = 0; i < Records.BULK_RECORDS; i++) {
                    bulk.add(QueueChecks.numbered(0, number * Records.BULK_RECORDS + i));
                }
                ((BulkWrites) queue).writeAll(bulk);
            }
            case JOBS -> exchange((JobTable) queue, number);
            default -> queue.write(QueueChecks.numbered(0, number));
        }
    }

    /** Works off a job as the benchmark does; the first call adds some jobs and leases one. */
    private void exchange(JobTable table, int number) throws CheckFailedException, IOException {
        JobTable.Job done = job;
        if (done == null) {
            for (int i = 0; i < CALLS; i++) {
                table.write(QueueChecks.numbered(1, i));
            }
            job = table.lease();
        } else {
            job = table.exchange(done, QueueChecks.numbered(0, number));
        }
        if (job == null) {
            throw new CheckFailedException("expected a free job, got none");
        }
    }

    private void demandKept(Path folder, Path copy, int records) throws CheckFailedException, IOException {
        Folders.copy(folder, copy);
        try (QueueUnderTest found = subject.open(copy)) {
            QueueChecks.demand(QueueChecks.scan(found), records, 1, "scan of a copy of the files, after a call");
        }
        Folders.delete(copy);
    }
}

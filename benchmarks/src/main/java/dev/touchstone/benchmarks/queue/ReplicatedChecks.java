package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.queue.replicated.ReplicatedUnderTest;
import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.ForceTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks of what a record has survived when the call that wrote it to a log of three processes returns, made by one thread: forces of two processes' files
 * within each call, and the record itself once all processes were killed.
 */
final class ReplicatedChecks {
    private static final int CALLS = 100;
    private static final int MAJORITY = 2;

    private final QueueSubject subject;
    private final Path folder;

    ReplicatedChecks(QueueSubject subject, Path folder) {
        this.subject = subject;
        this.folder = folder;
    }

    /** Makes the calls, kills the processes, and reads the log anew. */
    void run() throws CheckFailedException, IOException {
        try (ReplicatedUnderTest log = open()) {
            log.write(QueueChecks.numbered(0, 0)); // what a subject does once only is not what each call does
            List<Witness> witnesses = new ArrayList<>();
            for (Path process : log.folders()) {
                witnesses.add(new Witness(process));
            }
            for (int i = 1; i <= CALLS; i++) {
                log.write(QueueChecks.numbered(0, i));
                demandMajority(witnesses, i);
            }
            log.kill();
        }
        try (ReplicatedUnderTest found = open()) {
            QueueChecks.demand(QueueChecks.scan(found), CALLS + 1, 1, "scan after all processes were killed");
        }
    }

    private ReplicatedUnderTest open() throws IOException {
        return subject.declared().open(ReplicatedUnderTest.class, folder);
    }

    private static void demandMajority(List<Witness> witnesses, int call) throws CheckFailedException, IOException {
        int forced = 0;
        for (Witness witness : witnesses) {
            forced += witness.hasForced() ? 1 : 0;
        }
        if (forced < MAJORITY) {
            throw new CheckFailedException("call " + call + " of " + CALLS + " returned with forces by " + forced
                    + " processes: expected " + MAJORITY + " or more");
        }
    }

    /** Sees the forces of one process. */
    private static final class Witness {
        private final Optional<ForceTrace> trace;
        private long before;

        Witness(Path folder) throws IOException {
            trace = ForceTrace.of(folder);
            before = trace.isPresent() ? trace.get().count() : 0;
        }

        /** Returns whether the process has forced a file since the last call; true where there is no trace. */
        boolean hasForced() throws IOException {
            if (trace.isEmpty()) {
                return true;
            }
            long now = trace.get().count();
            boolean more = now > before;
            before = now;
            return more;
        }
    }
}

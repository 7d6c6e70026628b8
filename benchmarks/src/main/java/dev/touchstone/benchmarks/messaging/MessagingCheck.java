package dev.touchstone.benchmarks.messaging;

import dev.touchstone.harness.run.CheckFailedException;
import dev.touchstone.harness.run.SemanticCheck;
import java.io.IOException;
import java.nio.file.Path;

/** One subject of one workload doing a little of its work. A subject that this machine does not have is passed over: its forks say so. */
abstract class MessagingCheck implements SemanticCheck {

    private final String workload;
    private final MessagingType subject;
    private final Work work;

    MessagingCheck(String workload, MessagingType subject, Work work) {
        this.workload = workload;
        this.subject = subject;
        this.work = work;
    }

    @Override
    public final String workload() {
        return workload;
    }

    @Override
    public final String subject() {
        return subject.name();
    }

    @Override
    public final void run(Path dataFolder) throws CheckFailedException, IOException {
        if (subject.available()) {
            work.run(new MessagingChecks(subject));
        }
    }

    /** What the check does. */
    @FunctionalInterface
    interface Work {
        void run(MessagingChecks checks) throws CheckFailedException, IOException;
    }
}

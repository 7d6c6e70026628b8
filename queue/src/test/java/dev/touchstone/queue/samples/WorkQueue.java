package dev.touchstone.queue.samples;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Lease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** At least once: a job is removed when it is done, and handed out again when its worker failed. */
final class WorkQueue {
    private WorkQueue() {}

    /** Returns how many deliveries three jobs needed, of which the second fails at first. */
    static int run(Path folder) throws InterruptedException {
        int deliveries = 0;
        try (DiskQueue<String> jobs = DiskQueue.synced()
                .folder(folder)
                .codec(Codec.utf8())
                .leases(100, Duration.ofSeconds(30))
                .open()) {
            jobs.offerAll(List.of("resize", "publish", "notify")); // on the device when it returns, with one force
            while (!jobs.isEmpty()) {
                try (Lease<String> job = jobs.lease(Duration.ofSeconds(1))) {
                    if (job == null) {
                        continue; // all that is left is with other workers
                    }
                    deliveries++;
                    boolean done = !job.element().equals("publish") || job.deliveries() > 1;
                    if (done) {
                        job.ack();
                    } // else closing the lease gives the job back, to come again 100 ms later
                }
            }
        }
        return deliveries;
    }
}

package dev.touchstone.samples.consumer;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Lease;
import java.nio.file.Path;
import java.time.Duration;

/** Offers a job, takes it under a lease, acknowledges it, and finds the queue empty after it was opened again. */
final class QueueSample implements Sample {
    @Override
    public void run(Path folder) throws Exception {
        try (DiskQueue<String> jobs =
                DiskQueue.synced().folder(folder).codec(Codec.utf8()).open()) {
            jobs.offer("resize");
            try (Lease<String> job = jobs.lease(Duration.ofSeconds(5))) {
                if (job == null) {
                    throw new IllegalStateException("no job within 5 s");
                }
                Sample.check("resize", job.element());
                job.ack();
            }
        }
        try (DiskQueue<String> jobs =
                DiskQueue.synced().folder(folder).codec(Codec.utf8()).open()) {
            Sample.check(true, jobs.isEmpty());
        }
    }
}

package dev.touchstone.builds.master.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.master.journal.Submitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SubmissionIndexTest {
    private record Key(Submitter submitter, long number) {}

    @Test
    void jobs_addedAndRemovedInAnyOrder_areFoundAsInAMap() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        BuildRequest request = BuildRequest.of("git+file:///r", "b", "s").build();
        Job.Pool pool = new Job.Pool();
        SubmissionIndex index = new SubmissionIndex();
        Map<Key, Job> model = new HashMap<>();
        List<Job> jobs = new ArrayList<>();
        for (int step = 0; step < 30_000; step++) {
            Key key = new Key(
                    new Submitter(random.nextBoolean() ? "" : "a", random.nextInt(3)),
                    random.nextInt(step < 15_000 ? 2_000 : 200));
            if (random.nextInt(5) < 3) {
                Job job = new Job(step, request, key.submitter, key.number, 0, pool);
                jobs.add(job);
                index.put(job);
                model.put(key, job);
            } else if (!jobs.isEmpty()) {
                Job job =
                        jobs.remove(random.nextInt(jobs.size())); // which another of the same request may have replaced
                index.remove(job);
                model.remove(new Key(job.submitter, job.requestNumber), job);
            }
            assertThat(index.find(key.submitter, key.number))
                    .as("seed=%d", seed)
                    .isSameAs(model.get(key));
        }
        model.forEach((key, job) -> assertThat(index.find(key.submitter, key.number))
                .as("seed=%d", seed)
                .isSameAs(job));
    }
}

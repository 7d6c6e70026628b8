package dev.touchstone.builds.master.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.master.journal.Submitter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeptJobsTest {
    private final Job.Pool pool = new Job.Pool();
    private final List<Long> forgotten = new ArrayList<>();
    private long now = 1_000_000;
    private long number;

    private KeptJobs kept(int jobs, long logBytes) {
        Retention retention = new Retention(jobs, Duration.ofSeconds(100), logBytes);
        return new KeptJobs(retention, () -> now, job -> forgotten.add(job.number));
    }

    private Job job(String owner, boolean noop, long logBytes) {
        BuildRequest request =
                BuildRequest.of("git+file:///r", "b", "s").noop(noop).build();
        Job job = new Job(++number, request, new Submitter(owner, 1), number, 0, pool);
        job.ending = job.ended(BuildCode.OK, "", logBytes);
        job.endedMillis = now;
        return job;
    }

    @Test
    void forgetOld_logsOfOneFillTheSpace_nobodyElsesGo() {
        KeptJobs kept = kept(1_000, 100);
        kept.add(job("modest", false, 10));
        for (int i = 0; i < 10; i++) {
            kept.add(job("greedy", false, 20));
            kept.forgetOld();
        }
        assertThat(forgotten).containsExactly(2L, 3L, 4L, 5L, 6L, 7L);
        assertThat(kept.logBytes()).isEqualTo(90);
    }

    @Test
    void forgetOld_jobsOfOneAreTooMany_nobodyElsesGo() {
        KeptJobs kept = kept(3, 100);
        kept.add(job("modest", false, 0));
        kept.add(job("modest", true, 0));
        for (int i = 0; i < 4; i++) {
            kept.add(job("greedy", false, 0));
            kept.add(job("greedy", true, 0));
        }
        kept.forgetOld();
        assertThat(forgotten).containsExactly(3L, 5L, 4L, 6L);
    }

    @Test
    void forgetOld_tooOld_goWhoseverTheyAre() {
        KeptJobs kept = kept(1_000, 100);
        kept.add(job("a", false, 10));
        kept.add(job("b", true, 0));
        now += 100_000;
        kept.forgetOld();
        assertThat(forgotten).isEmpty();
        kept.add(job("a", false, 10));
        now++;
        kept.forgetOld();
        assertThat(forgotten).containsExactlyInAnyOrder(1L, 2L);
        assertThat(kept.logBytes()).isEqualTo(10);
    }

    @Test
    void forgetOld_anyJobs_boundsHoldAndNoOwnerBelowAFairShareLosesOne() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        KeptJobs kept = kept(12, 60);
        List<Job> all = new ArrayList<>();
        for (int step = 0; step < 2_000; step++) {
            boolean noop = random.nextInt(3) == 0;
            Job job = job("owner" + random.nextInt(3), noop, noop ? 0 : random.nextInt(10));
            all.add(job);
            kept.add(job);
            kept.forgetOld();
            List<Job> left = all.stream()
                    .filter(each -> !forgotten.contains(each.number))
                    .toList();
            assertThat(left.stream().filter(each -> !each.route.noop()).count())
                    .as("seed=%d", seed)
                    .isLessThanOrEqualTo(12);
            long bytes = left.stream()
                    .mapToLong(each -> each.ending == null ? 0 : each.ending.logBytes())
                    .sum();
            assertThat(kept.logBytes()).as("seed=%d", seed).isEqualTo(bytes).isLessThanOrEqualTo(60);
        }
    }
}

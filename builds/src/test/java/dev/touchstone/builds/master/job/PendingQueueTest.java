package dev.touchstone.builds.master.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.master.journal.Submitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PendingQueueTest {
    private final Job.Pool pool = new Job.Pool();
    private final PendingQueue pending = new PendingQueue();

    private Job job(long number, String label, long deadlineNanos) {
        BuildRequest request =
                BuildRequest.of("git+file:///r", "b", "s").label(label).build();
        Job job = new Job(number, request, new Submitter("", 1), number, 0, pool);
        job.queueDeadlineNanos = deadlineNanos;
        return job;
    }

    @Test
    void jobs_addedInAnyOrder_areTakenTheOldestFirst() {
        List<Job> jobs = new ArrayList<>();
        for (int number : new int[] {5, 3, 9, 1}) {
            jobs.add(job(number, "a", 0));
        }
        jobs.forEach(pending::add);
        pending.add(jobs.get(0)); // is there
        pending.remove(jobs.get(1));
        pending.remove(jobs.get(1)); // is not there
        pending.add(job(2, "b", 0));
        Route route = jobs.get(0).route;
        assertThat(pending.size()).isEqualTo(4);
        assertThat(pending.waiting()).extracting(Route::label).containsExactly("a", "b");
        assertThat(pending.takeFirst(route).number).isEqualTo(1);
        assertThat(pending.waiting()).extracting(Route::label).containsExactly("b", "a");
        pending.add(jobs.get(3)); // back
        assertThat(pending.takeFirst(route).number).isEqualTo(1);
        assertThat(pending.takeFirst(route).number).isEqualTo(5);
        assertThat(pending.takeFirst(route).number).isEqualTo(9);
        assertThat(pending.first(route)).isNull();
        assertThat(pending.waiting()).extracting(Route::label).containsExactly("b");
    }

    @Test
    void deadlines_inAnyOrder_areNoticedAllAndNoneTooEarly() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        long now = random.nextLong(); // times of nanoTime overflow
        List<Job> waiting = new ArrayList<>();
        for (int step = 0; step < 2_000; step++) {
            if (random.nextInt(3) > 0) {
                Job job = job(step, "l" + random.nextInt(3), now + random.nextInt(200) - 10);
                pending.add(job);
                waiting.add(job);
            } else if (!waiting.isEmpty() && random.nextBoolean()) {
                pending.remove(waiting.remove(random.nextInt(waiting.size())));
            }
            now += random.nextInt(20);
            long then = now;
            List<Job> late = pending.late(now);
            assertThat(late)
                    .as("seed=%d", seed)
                    .containsExactlyInAnyOrderElementsOf(waiting.stream()
                            .filter(job -> job.queueDeadlineNanos - then <= 0)
                            .toList());
            late.forEach(pending::remove);
            waiting.removeAll(late);
            assertThat(pending.size()).as("seed=%d", seed).isEqualTo(waiting.size());
        }
    }

    @Test
    void share_ofAnOwner_countsTheRoutesThatItsJobsWaitFor() {
        List<Job> jobs = new ArrayList<>();
        for (int number = 1; number <= 3; number++) {
            Job job = job(number, number < 3 ? "a" : "b", 0);
            jobs.add(job);
            pending.expect(job);
            pending.add(job);
        }
        PendingQueue.Share share = Objects.requireNonNull(pending.share(""));
        assertThat(share.routes()).isEqualTo(2);
        pending.remove(jobs.get(0));
        assertThat(share.has(jobs.get(1).route)).isTrue();
        pending.remove(jobs.get(1));
        assertThat(share.has(jobs.get(1).route)).isFalse();
        assertThat(share.routes()).isEqualTo(1);
        pending.remove(jobs.get(2));
        assertThat(pending.share("")).isNull();
    }
}

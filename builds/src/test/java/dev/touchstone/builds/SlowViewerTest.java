package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.web.BuildsView;
import dev.touchstone.builds.web.JobSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who does not read slows nobody but himself. */
@Timeout(120)
class SlowViewerTest {
    private static final int LOG_BYTES = 20 << 20;

    @TempDir
    Path folder;

    @Test
    void viewer_stalled_buildsAndOtherViewersGoOn() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicLong seen = new AtomicLong();
        try (Site site = new Site(folder)) {
            site.agent("a", site.with(new FakeAgent(run -> {
                byte[] bytes = new byte[LOG_BYTES];
                run.print(bytes);
                return 0;
            })));
            BuildClient client = site.client();
            Build watched = client.submit(Site.request().build());
            CompletableFuture<Long> stalled = watched.follow(0, (offset, bytes) -> {
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    return false;
                }
                seen.addAndGet(bytes.remaining());
                return true;
            });
            assertThat(Logs.end(watched.result()).logBytes()).isEqualTo(LOG_BYTES);
            List<Build> others = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                others.add(client.submit(Site.request().build()));
            }
            for (Build other : others) {
                assertThat(Logs.end(other.result()).isSuccess()).isTrue();
                assertThat(Logs.sha256(other)).isEqualTo(Logs.sha256(new byte[LOG_BYTES]));
            }
            assertThat(stalled).isNotDone();
            goOn.countDown();
            assertThat(Logs.end(stalled)).isEqualTo(LOG_BYTES);
            assertThat(seen).hasValue(LOG_BYTES);
        }
    }

    @Test
    void client_thatReadsNothingAtAll_slowsNobodyAndIsAnsweredLater() throws Exception {
        readsNothing(1_000);
    }

    /** More questions than the master takes while it has answers that nobody reads. */
    @Test
    void client_thatReadsNothingAndAsksMore_isAnsweredLater() throws Exception {
        readsNothing(34_000);
    }

    private void readsNothing(int questions) throws Exception {
        try (Site site = new Site(folder);
                CuttingProxy proxy = new CuttingProxy(site.port())) {
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print(new byte[LOG_BYTES]);
                return 0;
            })));
            BuildClient stuck = site.client(proxy.port());
            Build build = stuck.submit(Site.request().build());
            String id = Logs.end(build.accepted());
            proxy.pauseAnswers(true);
            List<CompletableFuture<Long>> reads = new ArrayList<>();
            for (int i = 0; i < questions; i++) {
                reads.add(build.follow(i < 40 ? 0 : LOG_BYTES - 10, (offset, bytes) -> true));
            }
            BuildClient other = site.client();
            assertThat(Logs.end(other.job(id).result()).isSuccess()).isTrue();
            assertThat(Logs.sha256(other.job(id))).isEqualTo(Logs.sha256(new byte[LOG_BYTES]));
            Build next = other.submit(Site.request().build());
            assertThat(Logs.end(next.result()).isSuccess()).isTrue();
            proxy.pauseAnswers(false);
            assertThat(Logs.end(build.result()).isSuccess()).isTrue();
            for (CompletableFuture<Long> read : reads) {
                assertThat(Logs.end(read)).isEqualTo(LOG_BYTES);
            }
        }
    }

    @Test
    void questions_whoseAnswerHasNoRoomWhenTheLogEnds_areAllAnsweredLater() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (Site site = new Site(folder);
                CuttingProxy proxy = new CuttingProxy(site.port())) {
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print(new byte[LOG_BYTES]);
                end.await();
                return 0;
            })));
            BuildClient stuck = site.client(proxy.port());
            BuildClient other = site.client();
            Build build = stuck.submit(Site.request().build());
            Build same = other.job(Logs.end(build.accepted()));
            List<CompletableFuture<Long>> reads = new ArrayList<>();
            Logs.end(same.follow(0, (offset, bytes) -> offset + bytes.remaining() < LOG_BYTES));
            for (int i = 0; i < 200; i++) {
                reads.add(build.follow(LOG_BYTES, (offset, bytes) -> true));
            }
            Logs.end(build.status()); // the questions before have arrived
            CompletableFuture<Void> paused = new CompletableFuture<>();
            for (int i = 0; i < 40; i++) {
                reads.add(build.follow(0, (offset, bytes) -> {
                    if (!paused.isDone()) {
                        proxy.pause(true);
                        paused.complete(null);
                    }
                    return true;
                }));
            }
            Logs.end(paused);
            end.countDown();
            assertThat(Logs.end(same.result()).isSuccess()).isTrue();
            assertThat(Logs.sha256(same)).isEqualTo(Logs.sha256(new byte[LOG_BYTES]));
            proxy.pause(false);
            for (CompletableFuture<Long> read : reads) {
                assertThat(Logs.end(read)).isEqualTo(LOG_BYTES);
            }
        }
    }

    /** Viewers of the page wait for the log; the master must never wait for them. */
    @Test
    void viewers_thatWaitForALogAsItGrows_holdUpNobody() throws Exception {
        try (Site site = new Site(folder)) {
            site.agent("a", site.with(new FakeAgent(run -> {
                for (int i = 0; i < 300; i++) {
                    run.print("line\n");
                    LockSupport.parkNanos(200_000);
                }
                return 0;
            })));
            BuildsView view = site.master().view();
            for (int round = 0; round < 3; round++) {
                Build build = site.client().submit(Site.request().build());
                String id = Logs.end(build.accepted());
                List<CompletableFuture<Long>> viewers = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    viewers.add(CompletableFuture.supplyAsync(() -> watch(view, id)));
                }
                assertThat(Logs.end(build.result()).logBytes()).isEqualTo(1_500);
                for (CompletableFuture<Long> viewer : viewers) {
                    assertThat(Logs.end(viewer)).isEqualTo(1_500);
                }
            }
        }
    }

    @Test
    void viewerOfThePage_seesALineWhileTheScriptWaitsForThat() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        try (Site site = new Site(folder)) {
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print("line\n");
                seen.await();
                return 0;
            })));
            BuildsView view = site.master().view();
            Build build = site.client().submit(Site.request().build());
            String id = Logs.end(build.accepted());
            JobSummary job = view.job(Site.ALL, id).orElseThrow();
            while (view.readLog(id, 0, ByteBuffer.allocate(10)) == 0) {
                view.awaitChange(job, Duration.ofMinutes(10));
                job = view.job(Site.ALL, id).orElseThrow();
            }
            seen.countDown();
            assertThat(Logs.end(build.result()).isSuccess()).isTrue();
        }
    }

    /** As the page does it; fails if the master does not answer. */
    private static long watch(BuildsView view, String id) {
        try {
            ByteBuffer bytes = ByteBuffer.allocate(100_000);
            JobSummary job = view.job(Site.ALL, id).orElseThrow();
            while (view.readLog(id, bytes.position(), bytes) > 0 || !job.over()) {
                if (bytes.position() >= job.logBytes()) {
                    view.awaitChange(job, Duration.ofSeconds(60));
                }
                job = view.job(Site.ALL, id).orElseThrow();
            }
            return bytes.position();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

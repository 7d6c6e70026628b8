package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.link.FakeAgent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job goes from the client through the master to an agent, and its log and its result come back. */
@Timeout(60)
class CoreTest {
    @TempDir
    Path folder;

    @Test
    void build_submitted_runsAndComesBack() throws Exception {
        try (Site site = new Site(folder)) {
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print("hello\n");
                run.print("world\n");
                return 0;
            })));
            Build build = site.client().submit(Site.request().build());
            assertThat(Logs.text(build)).isEqualTo("hello\nworld\n");
            BuildResult result = build.result().get(50, TimeUnit.SECONDS);
            assertThat(result.code()).isEqualTo(BuildCode.OK);
            assertThat(result.agent()).isEqualTo("a");
            assertThat(result.attempts()).isEqualTo(1);
            assertThat(result.logBytes()).isEqualTo(12);
        }
    }

    @Test
    void script_failing_givesItsExitCode() throws Exception {
        try (Site site = new Site(folder)) {
            site.agent("a", site.with(new FakeAgent(run -> 42)));
            BuildResult result =
                    site.client().submit(Site.request().build()).result().get(50, TimeUnit.SECONDS);
            assertThat(result.code()).isEqualTo(BuildCode.SCRIPT_FAILED);
            assertThat(result.exitCode()).isEqualTo(42);
        }
    }

    @Test
    void client_closed_failsWhateverIsAsked() throws Exception {
        try (Site site = new Site(folder)) {
            BuildClient client = site.client();
            Build known = client.submit(Site.request().build());
            String id = Logs.end(known.accepted());
            client.close();
            List<CompletableFuture<?>> asked =
                    new ArrayList<>(List.of(known.result(), known.status(), known.cancel("late")));
            asked.add(known.follow(0, (offset, bytes) -> true));
            asked.add(client.job(id).result());
            for (int i = 0; i < 10_000; i++) { // more than the client's window has
                asked.add(client.submit(
                                BuildRequest.of("git+file:///r", "b" + i, "s").build())
                        .accepted());
            }
            for (CompletableFuture<?> question : asked) {
                assertThat(question)
                        .failsWithin(30, TimeUnit.SECONDS)
                        .withThrowableThat()
                        .withMessageContaining("client is closed");
            }
        }
    }

    @Test
    void noops_many_allComeBack() throws Exception {
        try (Site site = new Site(folder)) {
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            BuildClient client = site.client();
            for (boolean durable : new boolean[] {false, true}) {
                BuildRequest request =
                        Site.request().noop(true).durable(durable).build();
                List<Build> builds = new ArrayList<>();
                for (int i = 0; i < 20_000; i++) {
                    builds.add(client.submit(request));
                }
                for (Build build : builds) {
                    assertThat(build.result().get(50, TimeUnit.SECONDS).isSuccess())
                            .isTrue();
                }
            }
        }
    }
}

package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Admission;
import dev.touchstone.builds.access.Role;
import dev.touchstone.builds.access.TokenTable;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.master.MasterOptions;
import dev.touchstone.builds.web.JobSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job's request is submitted again, by whoever may, and the new job says so for good. */
@Timeout(120)
class RetryTest {
    @TempDir
    Path folder;

    private static Token token(String name) {
        return Token.of("token of " + name);
    }

    private Site site() throws IOException {
        Path tokens = folder.resolve("tokens");
        TokenTable.EMPTY
                .with("alice", Set.of(Role.SUBMIT), token("alice"))
                .with("bob", Set.of(Role.SUBMIT), token("bob"))
                .with("reader", Set.of(Role.READ), token("reader"))
                .with("root", Set.of(Role.ADMIN), token("root"))
                .save(tokens);
        return new Site(folder.resolve("master"), options -> change(options, tokens));
    }

    private static MasterOptions change(MasterOptions options, Path tokens) {
        try {
            Access access = Access.of(Site.TOKEN, tokens);
            return MasterOptions.of(options.folder(), new Admission(access, Optional.empty(), Duration.ofSeconds(8)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static BuildClient client(Site site, String name) throws InterruptedException {
        ConnectOptions options = Site.options(site.port());
        return site.with(BuildClientFactory.connect(new ConnectOptions(
                options.master(),
                token(name),
                options.tls(),
                options.tick(),
                options.connectTimeout(),
                options.patience())));
    }

    private static BuildCode refusal(CompletableFuture<?> future) throws Exception {
        try {
            throw new AssertionError("not refused: " + future.get(60, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return ((BuildException) Objects.requireNonNull(e.getCause())).code();
        }
    }

    @Test
    void retry_ofAnEndedJob_hasItsRequestAlsoAfterRestarts() throws Exception {
        try (Site site = site()) {
            BuildClient alice = client(site, "alice");
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print(run.assignment.branch() + run.assignment.environment().get("A"));
                return 1;
            })));
            Build first = alice.submit(BuildRequest.of("git+file:///r", "twig", "s")
                    .environment(Map.of("A", "1"))
                    .build());
            String id = Logs.end(first.accepted());
            assertThat(Logs.end(first.result()).code()).isEqualTo(BuildCode.SCRIPT_FAILED);
            site.stopMaster();
            site.startMaster();
            String again = Logs.end(alice.retry(id));
            assertThat(again).isNotEqualTo(id);
            assertThat(Logs.end(alice.job(again).result()).code()).isEqualTo(BuildCode.SCRIPT_FAILED);
            assertThat(Logs.text(alice.job(again))).isEqualTo("twig1");
            site.stopMaster();
            site.startMaster();
            assertThat(Logs.end(alice.job(again).status()).retryOf()).contains(id);
            assertThat(Logs.end(alice.job(id).status()).retryOf()).isEmpty();
            assertThat(site.master().view().jobs(Site.ALL, "", 9))
                    .extracting(JobSummary::retryOf)
                    .containsExactly(id, null);
        }
    }

    @Test
    void retry_byAnother_isHisJobIfHeMaySeeTheFirst() throws Exception {
        try (Site site = site()) {
            String id = Logs.end(
                    client(site, "alice").submit(Site.request().build()).accepted());
            BuildClient root = client(site, "root");
            assertThat(refusal(client(site, "bob").retry(id))).isEqualTo(BuildCode.UNKNOWN_JOB);
            assertThat(refusal(client(site, "reader").retry(id))).isEqualTo(BuildCode.REFUSED);
            assertThat(refusal(root.retry(id + "0"))).isEqualTo(BuildCode.UNKNOWN_JOB);
            String again = Logs.end(root.retry(id));
            assertThat(site.master().view().jobs(Site.ALL, "", 9))
                    .extracting(JobSummary::id, JobSummary::owner)
                    .containsExactly(tuple(again, "root"), tuple(id, "alice"));
        }
    }

    @Test
    void retry_ofAJobWithSecrets_isItsOwnersOnly_withTheSecrets() throws Exception {
        try (Site site = site()) {
            BuildClient alice = client(site, "alice");
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print(run.assignment.environment().getOrDefault("S", ""));
                return 0;
            })));
            Build first = alice.submit(Site.request().secret("S", "a secret").build());
            String id = Logs.end(first.accepted());
            assertThat(Logs.end(first.result()).isSuccess()).isTrue();
            assertThat(refusal(client(site, "root").retry(id))).isEqualTo(BuildCode.REFUSED);
            String again = Logs.end(alice.retry(id));
            assertThat(Logs.end(alice.job(again).result()).isSuccess()).isTrue();
            assertThat(Logs.text(alice.job(again))).isEqualTo("a secret");
        }
    }
}

package dev.touchstone.builds.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.ConnectOptions;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Admission;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.wire.MasterAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Our client and our agent where they speak the origin's protocol, to our master. */
@Timeout(180)
class OriginProgramsTest {
    @TempDir
    Path folder;

    private static OriginGateway gateway(Site site, Path folder) throws IOException {
        return site.with(OriginGateway.start(new OriginOptions(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new MasterAddress("127.0.0.1", site.port()),
                new Admission(Access.of(Site.TOKEN), Optional.empty(), Duration.ofSeconds(8)),
                folder.resolve("origin"),
                2)));
    }

    private static String url(OriginGateway gateway) {
        return "ws://127.0.0.1:" + gateway.port() + "/connect";
    }

    private static BuildClient client(Site site, OriginGateway gateway) throws Exception {
        return site.with(OriginClient.connect(ConnectOptions.of(url(gateway), Site.TOKEN)));
    }

    private static void slave(Site site, OriginGateway gateway, FakeAgent agent) {
        site.with(OriginSlave.start(site.with(agent), OriginAddress.parse(url(gateway)), "slave-1", Site.SECURITY));
    }

    private static String log(Build build) throws Exception {
        StringBuilder log = new StringBuilder();
        build.follow(0, (offset, bytes) -> {
                    assertThat(offset).isEqualTo(log.length());
                    log.append(StandardCharsets.ISO_8859_1.decode(bytes));
                    return true;
                })
                .get(60, TimeUnit.SECONDS);
        return log.toString();
    }

    private static BuildResult end(Build build) throws Exception {
        return build.result().get(60, TimeUnit.SECONDS);
    }

    @Test
    void clientAndSlave_buildThroughTheMaster() throws Exception {
        String large = "x".repeat(3_000_000) + "\n";
        try (Site site = new Site(folder.resolve("m"))) {
            OriginGateway gateway = gateway(site, folder);
            slave(site, gateway, new FakeAgent(2, Set.of("any", "macosx"), Set.of("bash"), run -> {
                run.print(run.assignment.repository() + " " + run.assignment.branch() + " " + run.assignment.script()
                        + " " + run.assignment.environment().get("A") + "\n");
                run.print(large);
                return 42;
            }));
            BuildClient client = client(site, gateway);
            Build build = client.submit(
                    Site.request().label("macosx").environment(Map.of("A", "1")).build());
            assertThat(log(build)).isEqualTo("git+file:///repository master script 1\n" + large);
            BuildResult result = end(build);
            assertThat(result.code()).isEqualTo(BuildCode.SCRIPT_FAILED);
            assertThat(result.exitCode()).isEqualTo(42);
            assertThat(end(client.submit(Site.request()
                                    .noop(true)
                                    .durable(false)
                                    .output(OutputMode.DISCARD)
                                    .build()))
                            .isSuccess())
                    .isTrue();
        }
    }

    @Test
    void client_cancellingANoopThatWaits_endsIt() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginGateway gateway = gateway(site, folder);
            Build noop = client(site, gateway)
                    .submit(Site.request().label("nobodys").noop(true).build());
            var unused = noop.follow(0, (offset, bytes) -> true);
            assertThat(noop.cancel("no more").get(60, TimeUnit.SECONDS)).isTrue();
            assertThat(end(noop).isSuccess()).isFalse();
        }
    }

    @Test
    void client_cancelling_endsTheSlavesBuild() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        try (Site site = new Site(folder.resolve("m"))) {
            OriginGateway gateway = gateway(site, folder);
            slave(site, gateway, new FakeAgent(run -> {
                begun.countDown();
                new CountDownLatch(1).await();
                return 0;
            }));
            Build build = client(site, gateway).submit(Site.request().build());
            var unused = build.follow(0, (offset, bytes) -> true);
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(build.cancel("no more").get()).isTrue();
            assertThat(end(build).code()).isEqualTo(BuildCode.INTERRUPTED);
            assertThat(build.cancel("no more").get()).isFalse();
        }
    }

    @Test
    void connection_lost_failsTheClientsCallsAndCancelsTheSlavesBuilds() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (Site site = new Site(folder.resolve("m"))) {
            OriginGateway gateway = gateway(site, folder);
            slave(site, gateway, new FakeAgent(run -> {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    interrupted.countDown();
                }
                return 0;
            }));
            Build build = client(site, gateway).submit(Site.request().build());
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
            gateway.close();
            assertThatThrownBy(() -> end(build))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            BuildException.class, e -> assertThat(e.code()).isEqualTo(BuildCode.UNREACHABLE));
            assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void client_thatAsksForWhatTheProtocolHasNot_isToldSo() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginGateway gateway = gateway(site, folder);
            BuildClient client = client(site, gateway);
            for (BuildRequest.Builder request : new BuildRequest.Builder[] {
                Site.request().commit("0".repeat(40)),
                Site.request().secret("A", "value"),
                Site.request().timeout(Duration.ofSeconds(1)),
                Site.request().queueTimeout(Duration.ofSeconds(1)),
                Site.request().output(OutputMode.FILES)
            }) {
                BuildRequest built = request.build();
                assertThatThrownBy(() -> client.submit(built))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("builds://");
            }
            assertThatThrownBy(() -> client.job("j-1")).isInstanceOf(BuildException.class);
            assertThat(client.jobs(1)).isCompletedExceptionally();
            assertThat(client.agents()).isCompletedExceptionally();
            ConnectOptions wrong = ConnectOptions.of(url(gateway), Token.of("a wrong one"));
            assertThatThrownBy(() -> OriginClient.connect(wrong))
                    .isInstanceOf(BuildException.class)
                    .hasMessageContaining("refuses the token");
        }
    }

    @Test
    void address_isCheckedAndSaysWhoCanReadAlong() {
        assertThat(OriginAddress.isOne("WS://h")).isTrue();
        assertThat(OriginAddress.isOne("builds://h:1")).isFalse();
        assertThat(OriginAddress.parse("ws://127.0.0.1:1/connect").isOpenToOthers())
                .isFalse();
        assertThat(OriginAddress.parse("ws://192.0.2.1:1/connect").isOpenToOthers())
                .isTrue();
        assertThat(OriginAddress.parse("wss://192.0.2.1/build").isOpenToOthers())
                .isFalse();
        for (String wrong : new String[] {"ws://", "ws://a b", "ws://user:secret@host:1/", "http://host:1/"}) {
            assertThatThrownBy(() -> OriginAddress.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContaining("secret");
        }
    }
}

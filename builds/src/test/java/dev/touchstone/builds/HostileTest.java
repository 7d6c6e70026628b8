package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.web.AgentSummary;
import dev.touchstone.builds.wire.FromAgent;
import dev.touchstone.builds.wire.FromClient;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Nodes;
import dev.touchstone.builds.wire.ToAgent;
import dev.touchstone.builds.wire.ToClient;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes from outside may be anything; the master goes on. */
@Timeout(120)
class HostileTest {
    @TempDir
    Path folder;

    @Test
    void terms_ofAnyShape_areCountedAndDropped() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        try (Site site = new Site(folder);
                Node stranger = Nodes.guest(Site.SECURITY, new MasterAddress("127.0.0.1", site.port()), "stranger");
                Mailbox mailbox = stranger.mailbox()) {
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            BuildClient client = site.client();
            for (int i = 0; i < 2_000; i++) {
                for (String to : new String[] {Nodes.CONTROL, Nodes.LOGS, Nodes.VIEWS}) {
                    mailbox.send(to, Nodes.MASTER, any(random, 3));
                }
            }
            Term deep = Int.of(1);
            for (int i = 0; i < 5_000; i++) {
                deep = Tuple.of(deep);
            }
            mailbox.send(Nodes.CONTROL, Nodes.MASTER, deep);
            mailbox.send(Nodes.LOGS, Nodes.MASTER, deep);
            mailbox.send(Nodes.VIEWS, Nodes.MASTER, deep);
            Until.isTrue("counted, seed=" + seed, () -> site.master().malformedMessages() >= 5_000);
            assertThat(Logs.end(client.submit(Site.request().build()).result()).isSuccess())
                    .isTrue();
            assertThat(site.master().isAlive()).isTrue();
        }
    }

    private static Term any(Random random, int depth) {
        String[] tags = {"submit", "cancel", "watch", "read", "ask", "stage", "noops", "finished", "log", "DOWN", "x"};
        return switch (random.nextInt(depth > 0 ? 7 : 4)) {
            case 0 -> Int.of(random.nextLong());
            case 1 -> Binary.of(new byte[random.nextInt(100)]);
            case 2 -> Atom.of(tags[random.nextInt(tags.length)]);
            case 3 -> ErlList.ofLongs(random.longs(random.nextInt(5)).toArray());
            case 4 -> ErlList.of(any(random, depth - 1), any(random, depth - 1));
            default -> {
                Term[] parts = new Term[1 + random.nextInt(7)];
                for (int i = 0; i < parts.length; i++) {
                    parts[i] = any(random, depth - 1);
                }
                parts[0] = Atom.of(tags[random.nextInt(tags.length)]);
                yield Tuple.of(parts);
            }
        };
    }

    @Test
    void version_unknown_isRefusedWithTheReason() throws Exception {
        try (Site site = new Site(folder);
                Node stranger = Nodes.guest(Site.SECURITY, new MasterAddress("127.0.0.1", site.port()), "stranger");
                Mailbox mailbox = stranger.mailbox()) {
            for (String hello : new String[] {"client_hello", "agent_hello"}) {
                mailbox.send(Nodes.CONTROL, Nodes.MASTER, Tuple.of(Atom.of(hello), Int.of(99), mailbox.pid()));
                Term answer = mailbox.receive(Duration.ofSeconds(60));
                assertThat(answer)
                        .isEqualTo(Tuple.of(
                                Atom.of("refused"),
                                Int.of(26),
                                Binary.of("protocol version is not spoken here: got=99 expected=1")));
            }
        }
    }

    @Test
    void version_unknown_saidToLogsOrViews_disturbsNobody() throws Exception {
        try (Site site = new Site(folder);
                Node stranger = stranger(site);
                Mailbox mailbox = stranger.mailbox()) {
            for (String to : new String[] {Nodes.LOGS, Nodes.VIEWS}) {
                for (String hello : new String[] {"client_hello", "agent_hello"}) {
                    mailbox.send(to, Nodes.MASTER, Tuple.of(Atom.of(hello), Int.of(99), mailbox.pid()));
                }
            }
            Until.isTrue("counted", () -> site.master().malformedMessages() >= 4);
            buildSomething(site);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Nodes.CONTROL, Nodes.LOGS, Nodes.VIEWS})
    void exitSignal_toAService_endsTheMasterAndSaysSo(String service) throws Exception {
        try (Site site = new Site(folder);
                Node stranger = stranger(site);
                Mailbox mailbox = stranger.mailbox()) {
            ToAgent.Welcome agent = agentHello(mailbox, mailbox.pid(), "stranger");
            mailbox.send(Nodes.CONTROL, Nodes.MASTER, new FromClient.Hello(1, mailbox.pid(), 7, "stranger").toTerm());
            ToClient.Welcome client = (ToClient.Welcome) ToClient.parse(mailbox.receive());
            Map<String, Pid> services =
                    Map.of(Nodes.CONTROL, agent.control(), Nodes.LOGS, agent.logs(), Nodes.VIEWS, client.views());
            mailbox.exit(Objects.requireNonNull(services.get(service)), Atom.of("kill"));
            assertThat(site.master().join())
                    .hasMessageContaining("a thread of the master has ended: name=builds-")
                    .hasRootCauseInstanceOf(MessagingException.Closed.class);
            assertThat(site.master().isAlive()).isFalse();
            site.stopMaster();
            site.startMaster();
            buildSomething(site);
        }
    }

    @Test
    void hello_namingTheMastersOwnProcess_isRefused() throws Exception {
        try (Site site = new Site(folder);
                Node stranger = stranger(site);
                Mailbox mailbox = stranger.mailbox()) {
            ToAgent.Welcome welcome = agentHello(mailbox, mailbox.pid(), "stranger");
            for (Pid own : List.of(welcome.control(), welcome.logs())) {
                mailbox.send(Nodes.CONTROL, Nodes.MASTER, new FromClient.Hello(1, own, 7, "thief").toTerm());
                mailbox.send(Nodes.CONTROL, Nodes.MASTER, agentHello(own, "thief"));
            }
            Until.isTrue("counted", () -> site.master().malformedMessages() >= 2);
            assertThat(site.master().view().agents())
                    .extracting(AgentSummary::identity)
                    .containsExactly("stranger");
        }
    }

    private static Node stranger(Site site) throws IOException {
        return Nodes.guest(Site.SECURITY, new MasterAddress("127.0.0.1", site.port()), "stranger");
    }

    /** Returns what an agent with most executors of all says, which has no label that anybody asks for. */
    private static Term agentHello(Pid pid, String identity) {
        return new FromAgent.Hello(1, pid, identity, 1, List.of("strange"), List.of(), 10_000, List.of()).toTerm();
    }

    private static ToAgent.Welcome agentHello(Mailbox from, Pid pid, String identity) throws InterruptedException {
        from.send(Nodes.CONTROL, Nodes.MASTER, agentHello(pid, identity));
        return (ToAgent.Welcome) ToAgent.parse(from.receive());
    }

    private static void buildSomething(Site site) throws Exception {
        site.agent("a", site.with(new FakeAgent(run -> {
            run.print("built\n");
            return 0;
        })));
        Build build = site.client().submit(Site.request().build());
        assertThat(Logs.end(build.result()).isSuccess()).isTrue();
        assertThat(Logs.text(build)).isEqualTo("built\n");
    }

    @Test
    void token_wrong_isNotLetIn() throws Exception {
        try (Site site = new Site(folder)) {
            ConnectOptions right = Site.options(site.port());
            ConnectOptions wrong = new ConnectOptions(
                    right.master(),
                    Cookie.of("not the token"),
                    Optional.empty(),
                    right.tick(),
                    Duration.ofSeconds(2),
                    right.patience());
            assertThatThrownBy(() -> BuildClient.connect(wrong))
                    .isInstanceOf(BuildException.class)
                    .hasMessageNotContaining("not the token")
                    .extracting(e -> ((BuildException) e).code())
                    .isEqualTo(BuildCode.UNREACHABLE);
        }
    }

    @Test
    void socket_sendingRubbish_isClosedAndNothingElse() throws Exception {
        Random random = new Random(5);
        try (Site site = new Site(folder)) {
            for (int i = 0; i < 50; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), site.port())) {
                    byte[] bytes = new byte[random.nextInt(500)];
                    random.nextBytes(bytes);
                    socket.getOutputStream().write(bytes);
                }
            }
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            assertThat(Logs.end(site.client().submit(Site.request().build()).result())
                            .isSuccess())
                    .isTrue();
        }
    }

    @Test
    void output_thatTheMasterHasNot_isRefused() throws Exception {
        try (Site site = new Site(folder)) {
            BuildClient client = site.client();
            Build build = client.submit(Site.request().output(OutputMode.REDIS).build());
            assertThatThrownBy(() -> Logs.end(build.accepted()))
                    .hasRootCauseInstanceOf(BuildException.class)
                    .hasMessageContaining("master has not this output");
        }
    }

    @Test
    void job_ofAnotherMaster_isUnknown() throws Exception {
        try (Site site = new Site(folder)) {
            BuildClient client = site.client();
            assertThatThrownBy(() -> Logs.end(client.job("other-1").result()))
                    .hasMessageContaining("not a job of this");
            String id = Logs.end(client.submit(Site.request().build()).accepted());
            String next = id.substring(0, id.lastIndexOf('-')) + "-999";
            assertThatThrownBy(() -> Logs.end(client.job(next).result())).hasMessageContaining("no such job");
            assertThatThrownBy(() -> Logs.end(client.job(next).follow(0, (offset, bytes) -> true)))
                    .hasMessageContaining("no such job");
            assertThatThrownBy(() -> Logs.end(client.job(next).status())).hasMessageContaining("no such job");
            assertThatThrownBy(() -> Logs.end(client.job(next).cancel("x"))).hasMessageContaining("no such job");
        }
    }

    @Test
    void queue_full_isSaid() throws Exception {
        try (Site site = new Site(folder, options -> options.withMaxQueued(3))) {
            BuildClient client = site.client();
            for (int i = 0; i < 3; i++) {
                Logs.end(client.submit(Site.request().build()).accepted());
            }
            assertThatThrownBy(
                            () -> Logs.end(client.submit(Site.request().build()).accepted()))
                    .hasMessageContaining("queue is full");
        }
    }

    @Test
    void listening_beyondThisMachine_needsTls() {
        assertThatThrownBy(() -> Nodes.master(Site.SECURITY, InetAddress.getByName("0.0.0.0"), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs TLS");
    }
}

package dev.touchstone.builds.origin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.StarvedLog;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.Until;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Admission;
import dev.touchstone.builds.access.Role;
import dev.touchstone.builds.access.TokenTable;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.master.MasterOptions;
import dev.touchstone.builds.wire.MasterAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.java_websocket.exceptions.WebsocketNotConnectedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The gateway, told what the origin's clients and slaves tell theirs. */
@Timeout(300)
class OriginGatewayTest {
    private static final Logger LOG = Logger.getLogger(OriginGateway.class.getName());
    private static final String TOKEN = Site.TOKEN.text();
    private static final Duration SHORT = Duration.ofMillis(500);

    @TempDir
    Path folder;

    private OriginGateway gateway(Site site, Access access, Duration tick) throws IOException {
        return site.with(OriginGateway.start(new OriginOptions(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new MasterAddress("127.0.0.1", site.port()),
                new Admission(access, Optional.empty(), tick),
                folder.resolve("origin"),
                2)));
    }

    private OriginGateway gateway(Site site) throws IOException {
        return gateway(site, Access.of(Site.TOKEN), Duration.ofSeconds(8));
    }

    private static OriginProgram program(Site site, OriginGateway gateway, String identity) throws Exception {
        OriginProgram program = site.with(new OriginProgram(gateway.port(), TOKEN, identity));
        assertThat(program.open()).isTrue();
        return program;
    }

    private static OriginProgram slave(Site site, OriginGateway gateway, String identity) throws Exception {
        OriginProgram slave = program(site, gateway, identity);
        slave.say(new OriginMessage.Register("cider.any.bash"));
        slave.say(new OriginMessage.Register("cider.macosx.bash"));
        return slave;
    }

    private static OriginMessage.Request call(int id, String method, BuildArguments arguments, int tag) {
        return new OriginMessage.Request("", id, method, arguments.encode(), tag, tag);
    }

    private static BuildArguments arguments(Map<String, String> environment) {
        return new BuildArguments("git+file:///repository#develop", "scripts/build", environment, false);
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void client_getsOutputAndThenTheReply() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print(run.assignment.repository() + " " + run.assignment.branch() + " " + run.assignment.script()
                        + " " + run.assignment.environment() + "\n");
                return Integer.parseInt(run.assignment.environment().getOrDefault("CODE", "0"));
            })));
            OriginGateway gateway = gateway(site);
            OriginProgram client = program(site, gateway, "cider#1");
            client.say(call(7, "cider.any.bash", arguments(Map.of("A", "1")), 8));
            StringBuilder output = new StringBuilder();
            OriginMessage.Reply reply = client.reply(7, output);
            assertThat(reply.code()).isZero();
            assertThat(BuildReply.decode(reply.value()))
                    .isEqualTo(new BuildReply(Duration.ofMillis(1), Duration.ofMillis(2), ""));
            assertThat(output.toString()).isEqualTo("git+file:///repository develop scripts/build {A=1}\n");

            client.say(call(7, "cider.any.bash", arguments(Map.of("CODE", "3")), 8));
            reply = client.reply(7, new StringBuilder());
            assertThat(reply.code()).isEqualTo(1);
            assertThat(BuildReply.decode(reply.value()).error()).isEqualTo("exit status 3");
            assertThat(gateway.heldBytes()).as("of calls that have ended").hasValue(0);
        }
    }

    @Test
    void client_withoutTags_getsTheReplyOnly() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print("unread\n");
                return 0;
            })));
            OriginProgram client = program(site, gateway(site), "cider#1");
            client.say(call(1, "cider.any.bash", arguments(Map.of()), OriginMessage.NO_TAG));
            assertThat(client.next(OriginMessage.Reply.class).code()).isZero();
            BuildArguments noop = new BuildArguments("", "", Map.of(), true);
            client.say(call(2, "cider.any.bash", noop, 3));
            assertThat(client.next(OriginMessage.Reply.class).code()).isEqualTo(3);
            client.say(call(2, "cider.any.bash", new BuildArguments("r", "s", Map.of(), true), 3));
            assertThat(client.next(OriginMessage.Reply.class).code()).isZero();
            client.say(new OriginMessage.Ping());
            client.next(OriginMessage.Pong.class);
        }
    }

    @Test
    void client_interrupted_cancelsItsBuild() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        try (Site site = new Site(folder.resolve("m"))) {
            FakeAgent agent = site.with(new FakeAgent(run -> {
                begun.countDown();
                new CountDownLatch(1).await();
                return 0;
            }));
            site.agent("a", agent);
            OriginProgram client = program(site, gateway(site), "cider#1");
            client.say(call(1, "cider.any.bash", arguments(Map.of()), 2));
            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
            client.say(new OriginMessage.Interrupt("", 99));
            client.say(new OriginMessage.Interrupt("", 1));
            OriginMessage.Reply reply = client.reply(1, new StringBuilder());
            assertThat(reply.code()).isEqualTo(ReplyCode.INTERRUPTED);
            assertThat(BuildReply.decode(reply.value()).error()).contains("interrupted");
        }
    }

    @Test
    void calls_thatAreNone_areAnsweredWithTheirCodes() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginProgram client = program(site, gateway(site), "cider#1");
            client.say(call(1, "meeko.any.bash", arguments(Map.of()), 2));
            assertThat(client.reply(1, new StringBuilder()).code()).isEqualTo(254);
            client.say(new OriginMessage.Request("", 1, "cider.any.bash", text("no map"), 2, 3));
            assertThat(client.reply(1, new StringBuilder()).code()).isEqualTo(2);
            client.say(call(1, "cider.any.bash", new BuildArguments("", "s", Map.of(), false), 2));
            OriginMessage.Reply reply = client.reply(1, new StringBuilder());
            assertThat(reply.code()).isEqualTo(3);
            assertThat(BuildReply.decode(reply.value()).error()).contains("repository is empty");
        }
    }

    @Test
    void slowReader_pausesItsOwnLogOnly() throws Exception {
        String line = "x".repeat(999) + "\n";
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", site.with(new FakeAgent(run -> {
                for (int i = 0; i < 20_000; i++) {
                    run.print(line);
                }
                return 0;
            })));
            OriginGateway gateway = gateway(site);
            try (Socket deaf = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
                deaf.setReceiveBufferSize(4096);
                Handshakes.open(deaf, TOKEN, "deaf");
                deaf.getOutputStream()
                        .write(Handshakes.masked(call(1, "cider.any.bash", arguments(Map.of()), 2)
                                .encode()));
                OriginProgram client = program(site, gateway, "cider#1");
                client.say(call(1, "cider.any.bash", arguments(Map.of()), 2));
                StringBuilder output = new StringBuilder();
                assertThat(client.reply(1, output).code()).isZero();
                assertThat(output).hasSize(20_000_000);
                Until.isTrue(
                        "both have ended",
                        () -> site.client().jobs(10).get().stream()
                                        .filter(job -> job.status().result().isPresent())
                                        .count()
                                == 2);
            }
        }
    }

    @Test
    void slave_runsJobsOfOtherClients() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginProgram slave = slave(site, gateway(site), "mac-1");
            Build build = site.client()
                    .submit(Site.request()
                            .label("macosx")
                            .secret("KEY", "hunter2-hunter2")
                            .build());
            OriginMessage.Request request = slave.next(OriginMessage.Request.class);
            assertThat(request.peer()).isNotEmpty();
            assertThat(BuildMethod.of(request.method()).orElseThrow().runner()).isEqualTo("bash");
            BuildArguments arguments = BuildArguments.decode(request.arguments());
            assertThat(arguments.repository()).isEqualTo("git+file:///repository#master");
            assertThat(arguments.script()).isEqualTo("script");
            assertThat(arguments.environment())
                    .containsEntry("KEY", "hunter2-hunter2")
                    .containsEntry("CI", "true");
            slave.say(new OriginMessage.StreamFrame(request.peer(), request.stdout(), text("key=hunter2-")));
            slave.say(new OriginMessage.StreamFrame(request.peer(), request.stderr(), text("hunter2.\n")));
            slave.say(new OriginMessage.StreamFrame(request.peer(), request.id() ^ 1, text("of nobody")));
            slave.say(new OriginMessage.Progress(request.peer(), request.id()));
            slave.say(new OriginMessage.Reply(
                    request.peer(),
                    request.id(),
                    1,
                    new BuildReply(Duration.ofMillis(5), Duration.ofMillis(6), "exit status 42").encode()));
            BuildResult result = build.result().get(60, TimeUnit.SECONDS);
            assertThat(result.code()).isEqualTo(BuildCode.SCRIPT_FAILED);
            assertThat(result.exitCode()).isEqualTo(42);
            assertThat(result.pull()).isEqualTo(Duration.ofMillis(5));
            assertThat(result.agent()).isEqualTo("mac-1");
            assertThat(log(build)).isEqualTo("key=****.\n");
            Until.isTrue("log is forgotten", () -> logs().isEmpty());
        }
    }

    private static String log(Build build) throws Exception {
        StringBuilder log = new StringBuilder();
        build.follow(0, (offset, bytes) -> {
                    log.append(StandardCharsets.UTF_8.decode(bytes));
                    return true;
                })
                .get(60, TimeUnit.SECONDS);
        return log.toString();
    }

    @Test
    void slave_thatSaysMoreThanTheLogMayHave_isCutOff() throws Exception {
        int most = 1_000;
        try (Site site = new Site(folder.resolve("m"))) {
            OriginProgram slave = slave(site, gateway(site), "mac-1");
            Build build = site.client().submit(Site.request().maxLogBytes(most).build());
            OriginMessage.Request request = slave.next(OriginMessage.Request.class);
            for (int i = 0; i < 3; i++) {
                slave.say(new OriginMessage.StreamFrame(request.peer(), request.stdout(), text("x".repeat(700))));
            }
            slave.say(new OriginMessage.Reply(
                    request.peer(), request.id(), 0, BuildReply.failed("").encode()));
            assertThat(log(build))
                    .isEqualTo("x".repeat(most) + "\n---> Log truncated: it is longer than " + most + " bytes\n");
        }
    }

    @Test
    void slave_cancelled_isInterrupted() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginProgram slave = slave(site, gateway(site), "mac-1");
            Build build = site.client().submit(Site.request().build());
            OriginMessage.Request request = slave.next(OriginMessage.Request.class);
            assertThat(build.cancel("no more").get(60, TimeUnit.SECONDS)).isTrue();
            assertThat(slave.next(OriginMessage.Interrupt.class))
                    .isEqualTo(new OriginMessage.Interrupt(request.peer(), request.id()));
            slave.say(new OriginMessage.Reply(
                    request.peer(),
                    request.id(),
                    1,
                    BuildReply.failed("signal: terminated").encode()));
            BuildResult result = build.result().get(60, TimeUnit.SECONDS);
            assertThat(result.code()).isEqualTo(BuildCode.CANCELLED);
            assertThat(result.message()).contains("no more");
        }
    }

    /** A slave that goes on to be heard, and does not end what it is told to, keeps neither the job nor the master's disk. */
    @Test
    void slave_thatDoesNotEndABuild_losesIt() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginProgram slave = slave(site, gateway(site, Access.of(Site.TOKEN), SHORT), "mac-1");
            Build build = site.client().submit(Site.request().build());
            OriginMessage.Request request = slave.next(OriginMessage.Request.class);
            OriginMessage.StreamFrame frame =
                    new OriginMessage.StreamFrame(request.peer(), request.stdout(), text("endless\n"));
            slave.say(frame);
            assertThat(build.cancel("no more").get(60, TimeUnit.SECONDS)).isTrue();
            slave.next(OriginMessage.Interrupt.class);
            Until.isTrue("log is forgotten", () -> {
                slave.say(frame);
                return logs().isEmpty();
            });
            BuildResult result = build.result().get(60, TimeUnit.SECONDS);
            assertThat(result.code()).isEqualTo(BuildCode.CANCELLED);
            assertThat(result.message()).contains("no more");

            Build next = site.client().submit(Site.request().build());
            OriginMessage.Request second = slave.next(OriginMessage.Request.class);
            assertThat(second.id()).isNotEqualTo(request.id());
            slave.say(new OriginMessage.Reply(
                    request.peer(), request.id(), 1, BuildReply.failed("late").encode()));
            slave.say(new OriginMessage.Reply(
                    second.peer(), second.id(), 0, BuildReply.failed("").encode()));
            assertThat(next.result().get(60, TimeUnit.SECONDS).isSuccess()).isTrue();
        }
    }

    private List<Path> logs() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("origin"))) {
            return files.toList();
        }
    }

    @Test
    void slave_lateBuild_isInterruptedAndTimedOut() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginProgram slave = slave(site, gateway(site), "mac-1");
            Build build = site.client().submit(Site.request().timeout(SHORT).build());
            OriginMessage.Request request = slave.next(OriginMessage.Request.class);
            slave.next(OriginMessage.Interrupt.class);
            slave.say(new OriginMessage.Reply(request.peer(), request.id(), 1, text("no value")));
            assertThat(build.result().get(60, TimeUnit.SECONDS).code()).isEqualTo(BuildCode.TIMED_OUT);
        }
    }

    @Test
    void slave_lost_isRequeued() throws Exception {
        try (Site site = new Site(folder.resolve("m"), options -> options.withGrace(Duration.ofMillis(50)))) {
            OriginGateway gateway = gateway(site);
            OriginProgram slave = slave(site, gateway, "mac-1");
            Build build = site.client().submit(Site.request().build());
            slave.next(OriginMessage.Request.class);
            slave.close();
            OriginProgram other = slave(site, gateway, "mac-2");
            OriginMessage.Request again = other.next(OriginMessage.Request.class);
            other.say(new OriginMessage.StreamFrame(again.peer(), again.stdout(), text("second\n")));
            other.say(new OriginMessage.Reply(
                    again.peer(), again.id(), 0, BuildReply.failed("").encode()));
            BuildResult result = build.result().get(60, TimeUnit.SECONDS);
            assertThat(result.isSuccess()).isTrue();
            assertThat(result.attempts()).isEqualTo(2);
            assertThat(log(build)).isEqualTo("---> Agent lost, attempt 2\nsecond\n");
        }
    }

    @Test
    void originsClient_isServedByTheOriginsSlave() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginGateway gateway = gateway(site);
            OriginProgram slave = slave(site, gateway, "mac-1");
            OriginProgram client = program(site, gateway, "cider#1");
            client.say(call(1, "cider.macosx.bash", arguments(Map.of()), 2));
            OriginMessage.Request request = slave.next(OriginMessage.Request.class);
            slave.say(new OriginMessage.StreamFrame(request.peer(), request.stdout(), text("---> Build succeeded\n")));
            slave.say(new OriginMessage.Reply(
                    request.peer(), request.id(), 0, BuildReply.failed("").encode()));
            StringBuilder output = new StringBuilder();
            assertThat(client.reply(1, output).code()).isZero();
            assertThat(output.toString()).isEqualTo("---> Build succeeded\n");
        }
    }

    @Test
    void token_hasItsRolesOnly() throws Exception {
        Path tokens = folder.resolve("tokens");
        TokenTable table = TokenTable.EMPTY
                .with("mac-1", Set.of(Role.AGENT), Token.of("token of the slave"))
                .with("alice", Set.of(Role.SUBMIT), Token.of("token of alice"));
        table.save(tokens);
        Access access = Access.of(null, tokens);
        try (Site site = new Site(
                folder.resolve("m"),
                options -> MasterOptions.of(
                        options.folder(), new Admission(access, Optional.empty(), Duration.ofSeconds(8))))) {
            OriginGateway gateway = gateway(site, access, Duration.ofSeconds(8));
            assertThat(site.with(new OriginProgram(gateway.port(), "a wrong one", "cider#1"))
                            .open())
                    .isFalse();
            assertThat(site.with(new OriginProgram(gateway.port(), "token of alice", ""))
                            .open())
                    .isFalse();

            OriginProgram agent = site.with(new OriginProgram(gateway.port(), "token of the slave", "mac-1"));
            assertThat(agent.open()).isTrue();
            agent.say(call(1, "cider.any.bash", arguments(Map.of()), 2));
            assertThat(agent.reply(1, new StringBuilder()).code()).isEqualTo(255);
            OriginProgram another = site.with(new OriginProgram(gateway.port(), "token of the slave", "mac-2"));
            assertThat(another.open()).isTrue();
            another.say(new OriginMessage.Register("cider.any.bash"));
            assertThat(another.end()).isPositive();

            OriginProgram alice = site.with(new OriginProgram(gateway.port(), "token of alice", "cider#1"));
            assertThat(alice.open()).isTrue();
            agent.say(new OriginMessage.Register("cider.any.bash"));
            alice.say(call(1, "cider.any.bash", arguments(Map.of()), 2));
            agent.next(OriginMessage.Request.class);
            table.without("alice").save(tokens);
            assertThat(alice.end()).isPositive();
            assertThat(site.with(new OriginProgram(gateway.port(), "token of alice", "cider#1"))
                            .open())
                    .isFalse();
        }
    }

    @Test
    void guests_thatSayWhatTheyMayNot_areEndedAndOthersServed() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            OriginGateway gateway = gateway(site);
            OriginProgram client = program(site, gateway, "cider#1");
            OriginProgram malformed = program(site, gateway, "cider#2");
            malformed.send(new byte[] {0, 0, 0, 3});
            assertThat(malformed.end()).isEqualTo(1002);
            OriginProgram text = program(site, gateway, "cider#3");
            text.send("a text");
            assertThat(text.end()).isPositive();
            OriginProgram large = program(site, gateway, "cider#4");
            large.send(new byte[OriginDoor.MAX_MESSAGE + 1]);
            assertThat(large.end()).isPositive();
            OriginProgram twice = program(site, gateway, "cider#5");
            twice.say(call(1, "cider.nobodys.bash", arguments(Map.of()), 2));
            twice.say(call(1, "cider.nobodys.bash", arguments(Map.of()), 2));
            assertThat(twice.end()).isPositive();
            client.say(call(1, "cider.any.bash", arguments(Map.of()), 2));
            assertThat(client.reply(1, new StringBuilder()).code()).isZero();
        }
    }

    @Test
    void messages_atRandom_leaveTheOthersServed() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            OriginGateway gateway = gateway(site);
            for (int guest = 0; guest < 100; guest++) {
                OriginProgram hostile = program(site, gateway, "guest-" + guest);
                for (int i = 0; i < 100 && hostile.isOpen(); i++) {
                    try {
                        hostile.send(anyMessage(random));
                    } catch (WebsocketNotConnectedException e) {
                        break; // has ended meanwhile
                    }
                }
                hostile.close();
            }
            OriginProgram client = program(site, gateway, "cider#1");
            client.say(call(1, "cider.any.bash", arguments(Map.of()), 2));
            assertThat(client.reply(1, new StringBuilder()).code())
                    .as("seed=" + seed)
                    .isZero();
        }
    }

    /** Returns a message of any kind and numbers, of which one in ten is damaged. */
    private static byte[] anyMessage(Random random) {
        int number = random.nextInt(4);
        String method = "cider." + (random.nextBoolean() ? "nobodys" : "nowhere") + ".bash";
        OriginMessage message = switch (random.nextInt(9)) {
            case 0 -> new OriginMessage.Register(method);
            case 1 -> new OriginMessage.Unregister(method);
            case 2 -> call(random.nextInt(1 << 16), method, arguments(Map.of()), number);
            case 3 -> new OriginMessage.Interrupt("", number);
            case 4 -> new OriginMessage.Progress("", number);
            case 5 -> new OriginMessage.StreamFrame("master", number, text("x"));
            case 6 -> new OriginMessage.Reply("master", number, number, text("y"));
            case 7 -> new OriginMessage.Ping();
            default -> new OriginMessage.Pong();
        };
        ByteBuffer bytes = message.encode();
        byte[] all = new byte[bytes.remaining()];
        bytes.get(all);
        if (random.nextInt(10) == 0) {
            all[random.nextInt(all.length)] = (byte) random.nextInt();
        }
        return all;
    }

    @Test
    void connections_thatAreSilent_areEnded() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginGateway gateway = gateway(site, Access.of(Site.TOKEN), SHORT);
            try (Socket half = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
                    Socket deaf = new Socket(InetAddress.getLoopbackAddress(), gateway.port());
                    Socket endless = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
                half.getOutputStream().write("GET /connect HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
                Handshakes.open(deaf, TOKEN, "deaf");
                deaf.getOutputStream().write(Handshakes.masked(new OriginMessage.Register("cider.any.bash").encode()));
                endless.getOutputStream().write("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
                Handshakes.writeUntilClosed(endless, "X: ".getBytes(StandardCharsets.US_ASCII));
                assertThat(Handshakes.readToEnd(half)).isZero();
                assertThat(Handshakes.readToEnd(deaf)).isNotNegative();
            }
        }
    }

    @Test
    void look_thatFailsWithAnError_isSaidAndIsNotTheLast() throws Exception {
        int failures = 2; // of a look, and of what it says of that
        try (StarvedLog starved = StarvedLog.ofFirst(LOG, failures);
                Site site = new Site(folder.resolve("m"));
                Socket silent = new Socket(
                        InetAddress.getLoopbackAddress(),
                        gateway(site, Access.of(Site.TOKEN), SHORT).port())) {
            silent.setSoTimeout(60_000);
            assertThat(Handshakes.readToEnd(silent))
                    .as("is ended by a later look")
                    .isZero();
            assertThat(starved.records()).isGreaterThan(failures);
        }
    }

    @Test
    void connections_aboveTheLimit_areRefusedAndTheOldestHandshakesGoFirst() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            OriginGateway gateway = gateway(site);
            List<Socket> halves = new ArrayList<>();
            try {
                for (int i = 0; i < OriginDoor.MAX_HANDSHAKES; i++) {
                    halves.add(site.with(new Socket(InetAddress.getLoopbackAddress(), gateway.port())));
                }
                OriginProgram client = program(site, gateway, "cider#1");
                assertThat(Handshakes.readToEnd(halves.get(0))).isZero();
                client.say(new OriginMessage.Ping());
                client.next(OriginMessage.Pong.class);
            } finally {
                for (Socket half : halves) {
                    half.close();
                }
            }
        }
    }
}

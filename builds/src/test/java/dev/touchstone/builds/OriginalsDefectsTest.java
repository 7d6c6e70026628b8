package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.touchstone.builds.agent.BuildAgent;
import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.agent.Marked;
import dev.touchstone.builds.connect.BuildClientFactory;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.link.LocalAgent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each defect that the original showed, in the order in which they are listed there, and what ours does in its place. */
@Timeout(600)
@Tag("sweep")
class OriginalsDefectsTest {
    /** Arguments of an agent whose scripts write beside their workspace, and outlive it when it is killed. */
    private static final List<String> UNCONFINED = List.of("--isolation", "none");

    @TempDir
    Path folder;

    /** An agent of scripts in this JVM. */
    private BuildAgent agent(Site site) throws IOException {
        return site.with(BuildAgent.at(folder.resolve("agent"))
                .executors(2)
                .grace(Duration.ofMillis(500))
                .open());
    }

    private GitRepo repository(String... script) {
        return GitRepo.withScript(folder.resolve("repository"), script);
    }

    private static BuildRequest.Builder request(GitRepo repo) {
        return BuildRequest.of("git+" + repo.url(), "master", "build.sh");
    }

    @Test
    void defect1_labelThatNobodyServes_isSaidAndDoesNotHangForever() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", site.with(new FakeAgent(run -> 0)));
            Build build = site.client()
                    .submit(Site.request()
                            .label("nobodys")
                            .queueTimeout(Duration.ofMillis(200))
                            .build());
            BuildResult result = Logs.end(build.result());
            assertThat(result.code()).isEqualTo(BuildCode.QUEUE_TIMED_OUT);
            assertThat(result.message()).contains("no agent has the label", "nobodys");
        }
    }

    @Test
    void defect2_agentKilledInMidBuild_anotherBuildsItAndNoProcessIsLeft() throws Exception {
        GitRepo repo = repository(
                "sleep 600 & disown",
                "setsid sleep 600 &",
                "echo $$ >> " + folder + "/begun",
                "[ $(wc -l < " + folder + "/begun) -gt 1 ] || sleep 600",
                "echo done");
        try (Site site = new Site(folder.resolve("m"));
                AgentProcess agent = new AgentProcess(folder, "one", site.port(), UNCONFINED)) {
            Build build = site.client().submit(request(repo).build());
            Until.isTrue("begun", () -> Files.exists(folder.resolve("begun")));
            agent.kill();
            assertThat(Marked.processes(folder, "")).isNotEmpty();
            agent.start();
            BuildResult result = Logs.end(build.result());
            assertThat(result.isSuccess()).as(result.toString()).isTrue();
            assertThat(result.attempts()).isEqualTo(2);
            assertThat(Logs.text(build)).contains("\n---> Agent lost, attempt 2\n", "\ndone\n");
            assertThat(Marked.processes(folder, "")).isEmpty();
        }
    }

    @Test
    void defect3_masterKilled_agentStaysAndTheBuildGoesOn() throws Exception {
        GitRepo repo = repository(
                "echo before; touch " + folder + "/begun",
                "while [ ! -e " + folder + "/go ]; do sleep 0.01; done",
                "echo after");
        try (MasterProcess master = new MasterProcess(folder, List.of(), List.of());
                AgentProcess agent = new AgentProcess(folder, "one", master.port(), UNCONFINED);
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
            Build build = client.submit(request(repo).build());
            Until.isTrue("begun", () -> Files.exists(folder.resolve("begun")));
            master.kill();
            Files.createFile(folder.resolve("go"));
            master.start();
            BuildResult result = Logs.end(build.result());
            assertThat(result.isSuccess()).as(result.toString()).isTrue();
            assertThat(result.attempts()).isEqualTo(1);
            assertThat(Logs.text(build)).contains("\nbefore\nafter\n");
            assertThat(agent.isAlive()).isTrue();
        }
    }

    @Test
    void defect4_clientInterrupted_buildIsCancelledAndNoGrandchildIsLeft() throws Exception {
        GitRepo repo = repository(
                "(sleep 600 & sleep 600 & wait) & disown",
                "setsid bash -c 'sleep 600 & wait' &",
                "touch " + folder + "/begun",
                "wait; sleep 600");
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", LocalAgent.of(agent(site)));
            Process client = command(
                    site,
                    Map.of(),
                    List.of("build", "-repository", "git+" + repo.url() + "#master", "-script", "build.sh"));
            Until.isTrue("begun", () -> Files.exists(folder.resolve("begun")));
            assertThat(Marked.processes(folder, "")).isNotEmpty();
            boolean isDeaf = ignoresInterrupts(client);
            new ProcessBuilder("kill", isDeaf ? "-TERM" : "-INT", Long.toString(client.pid()))
                    .start()
                    .waitFor();
            assertThat(client.waitFor(3, TimeUnit.MINUTES)).isTrue();
            assertThat(client.exitValue()).isEqualTo(isDeaf ? 143 : 130);
            assertThat(Files.readString(folder.resolve("client.err"))).contains("---> Cancelling the build");
            assertThat(Marked.processes(folder, "")).isEmpty();
        }
    }

    /** As what a shell starts in the background does, where it has no job control. */
    private static boolean ignoresInterrupts(Process process) throws IOException {
        String ignored = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(ignored.substring("SigIgn:".length()).strip(), 16) & 1L << 1) != 0;
    }

    @Test
    void defect5_clientThatDoesNotReadItsLog_freezesNobody() throws Exception {
        GitRepo repo = repository("head -c 5000000 /dev/zero; echo; echo done");
        repo.branch("other");
        try (Site site = new Site(folder.resolve("m"));
                CuttingProxy proxy = new CuttingProxy(site.port())) {
            site.agent("a", LocalAgent.of(agent(site)));
            Build stuck = site.client(proxy.port()).submit(request(repo).build());
            var unused = stuck.follow(0, (offset, bytes) -> {
                proxy.pause(true);
                return true;
            });
            String id = Logs.end(stuck.accepted());
            BuildClient other = site.client();
            Build second = other.submit(
                    BuildRequest.of("git+" + repo.url(), "other", "build.sh").build());
            assertThat(Logs.end(second.result()).isSuccess()).isTrue();
            assertThat(Logs.text(second)).hasSizeGreaterThan(5_000_000).contains("\ndone\n");
            assertThat(Logs.end(other.job(id).result()).isSuccess()).isTrue();
            proxy.pause(false);
        }
    }

    @Test
    void defect6_branchThatLeadsOutOfTheWorkspace_isRefusedAndNothingIsMade() throws Exception {
        GitRepo repo = repository("true");
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", LocalAgent.of(agent(site)));
            BuildClient client = site.client();
            for (String branch : List.of("../../../..", "..", "/tmp", "a/../../b", ".")) {
                assertThatThrownBy(() -> {
                            BuildRequest request = BuildRequest.of("git+" + repo.url(), branch, "build.sh")
                                    .build();
                            BuildResult result = Logs.end(client.submit(request).result());
                            throw new BuildException(result.code(), result.message());
                        })
                        .as(branch)
                        .hasMessageContaining("branch=");
            }
            try (Stream<Path> made = Files.list(folder.resolve("agent/workspaces"))) {
                assertThat(made).isEmpty();
            }
        }
    }

    @Test
    void defect7_nodeRunner_runsTheScriptAndNotItsPath() throws Exception {
        GitRepo repo = repository("true").write("dir/n.js", "console.log('sum', 1 + 1);\n");
        repo.commit();
        try (Site site = new Site(folder.resolve("m"))) {
            BuildAgent agent = agent(site);
            assumeTrue(agent.runners().contains("node"), "node is not on the PATH: install nodejs");
            site.agent("a", LocalAgent.of(agent));
            Build build = site.client()
                    .submit(BuildRequest.of("git+" + repo.url(), "master", "dir/n.js")
                            .runner("node")
                            .build());
            assertThat(Logs.end(build.result()).isSuccess()).isTrue();
            assertThat(Logs.text(build)).contains("\nsum 2\n");
        }
    }

    @Test
    void defect8_moreInFlightThan16BitsCanName_allEnd() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            BuildClient client = site.client();
            List<Build> builds = new ArrayList<>();
            for (int i = 0; i < 70_000; i++) {
                builds.add(
                        client.submit(Site.request().label("later").noop(true).build()));
            }
            for (Build build : builds) {
                Logs.end(build.accepted());
            }
            site.agent("a", site.with(new FakeAgent(2, java.util.Set.of("later"), java.util.Set.of("bash"), run -> 0)));
            for (Build build : builds) {
                assertThat(Logs.end(build.result()).isSuccess()).isTrue();
            }
        }
    }

    @Test
    void defect9_variablesOfTheEnvironmentAlone_reachTheScript() throws Exception {
        GitRepo repo = repository("echo only=$ONLY");
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", LocalAgent.of(agent(site)));
            Process client = command(
                    site,
                    Map.of("CIDER_SCRIPT_ENV_ONLY", "this"),
                    List.of("build", "-repository", "git+" + repo.url(), "-script", "build.sh"));
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("\nonly=this\n");
            assertThat(client.waitFor()).isZero();
        }
    }

    @Test
    void defect9_tokenAsAnArgument_isWarnedOfAndNotRepeated() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            Process client =
                    command(site, Map.of(), List.of("build", "-token", "hunter2", "-repository", "r", "-script", "s"));
            assertThat(client.waitFor()).isEqualTo(123);
            assertThat(Files.readString(folder.resolve("client.err")))
                    .contains("WARNING: -token", "token is not the master's")
                    .doesNotContain("hunter2");
        }
    }

    @Test
    void defect9_token_isInNoCommandLineAndInNoFileButItsOwn() throws Exception {
        GitRepo repo = repository("cat /proc/$PPID/cmdline; env; echo built");
        try (MasterProcess master = new MasterProcess(folder, List.of(), List.of());
                AgentProcess agent = new AgentProcess(folder, "one", master.port(), UNCONFINED);
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
            Build build = client.submit(request(repo).build());
            assertThat(Logs.end(build.result()).isSuccess()).isTrue();
            for (long pid : new long[] {master.pid(), agent.pid()}) {
                assertThat(Files.readString(Path.of("/proc/" + pid + "/cmdline")))
                        .doesNotContain(CommandProcess.TOKEN);
            }
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.equals(folder.resolve("token"))) {
                    assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                            .as(file.toString())
                            .doesNotContain(CommandProcess.TOKEN);
                }
            }
        }
    }

    @Test
    void defect9_branchesAndUrlsThatAreOptionsForGit_areRefused() throws Exception {
        GitRepo repo = repository("true");
        try (Site site = new Site(folder.resolve("m"))) {
            site.agent("a", LocalAgent.of(agent(site)));
            BuildClient client = site.client();
            String option = "--upload-pack=touch " + folder + "/owned";
            for (BuildRequest.Builder hostile : List.of(
                    BuildRequest.of("git+" + repo.url(), option, "build.sh"),
                    BuildRequest.of(option, "master", "build.sh"),
                    BuildRequest.of("git+ssh://-oProxyCommand=touch%20" + folder + "/owned/x", "master", "build.sh"),
                    BuildRequest.of("ext::sh -c touch% " + folder + "/owned", "master", "build.sh"))) {
                assertThatThrownBy(() -> {
                            BuildResult result =
                                    Logs.end(client.submit(hostile.build()).result());
                            throw new BuildException(result.code(), result.message());
                        })
                        .hasMessageMatching("(?s).*(branch|repository)=.*");
            }
            assertThat(folder.resolve("owned")).doesNotExist();
        }
    }

    @Test
    void defect10_secondAgentOfTheSameName_isRefused() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            AgentLink first = site.agent("same", site.with(new FakeAgent(run -> 0)));
            Until.isTrue("connected", first::isConnected);
            AgentLink second = site.agent("same", site.with(new FakeAgent(run -> 1)));
            Until.isTrue("refused", () -> second.refusal() != null);
            assertThat(second.refusal()).contains("another agent with this identity is connected", "same");
            assertThat(first.isConnected()).isTrue();
        }
    }

    /** One of our commands in a process of its own; what it says on standard error goes to client.err. */
    private Process command(Site site, Map<String, String> environment, List<String> arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.touchstone.builds.cli.Main"));
        words.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectError(folder.resolve("client.err").toFile());
        builder.environment().put("BUILDS_MASTER_URL", "builds://127.0.0.1:" + site.port());
        builder.environment().put("BUILDS_MASTER_TOKEN", CommandProcess.TOKEN);
        builder.environment().putAll(environment);
        return builder.start();
    }
}

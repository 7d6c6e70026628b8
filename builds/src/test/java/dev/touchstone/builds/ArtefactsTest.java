package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.agent.Waits;
import dev.touchstone.builds.file.Bundle;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.FakeAgent;
import dev.touchstone.builds.master.artefact.ArtefactLimits;
import dev.touchstone.builds.master.job.Retention;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.Streams;
import dev.touchstone.builds.wire.Versions;
import dev.touchstone.builds.wire.v1.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Artefacts come from agents to whoever may see the job, byte for byte, or the job's result says that they do not. */
@Timeout(300)
class ArtefactsTest {
    private static final BuildFiles FILES = BuildFiles.NONE.withArtefact("**");
    private static final int LARGE = 3_000_000;

    @TempDir
    Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private byte[] random(int size, int salt) {
        byte[] bytes = new byte[size];
        new Random(seed + salt).nextBytes(bytes);
        return bytes;
    }

    private static BuildRequest request(String branch) {
        return BuildRequest.of("git+file:///r", branch, "s").files(FILES).build();
    }

    /** Returns an agent whose builds of a branch hand on its bundle. */
    private static FakeAgent agent(Map<String, byte[]> bundles) {
        return new FakeAgent(run -> {
            run.handOn(Objects.requireNonNull(bundles.get(run.assignment.branch())));
            return run.assignment.environment().containsKey("FAILS") ? 3 : 0;
        });
    }

    private static BuildResult run(BuildClient client, String branch) throws Exception {
        return Logs.end(client.submit(request(branch)).result());
    }

    private static Throwable failure(CompletableFuture<?> future) {
        Throwable failure = catchThrowable(() -> Logs.end(future));
        return Objects.requireNonNull(failure == null ? null : failure.getCause(), "has not failed");
    }

    private static Map<String, String> digests(Path root) throws IOException {
        Map<String, String> digests = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                digests.put(root.relativize(file).toString(), Logs.sha256(Files.readAllBytes(file)));
            }
        }
        return digests;
    }

    private static Map<String, String> digests(Map<String, byte[]> contents) {
        Map<String, String> digests = new TreeMap<>();
        contents.forEach((name, content) -> digests.put(name, Logs.sha256(content)));
        return digests;
    }

    private List<Path> contents() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("artefacts/content"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void artefacts_ofABuild_areThereAlsoAfterARestart() throws Exception {
        Map<String, byte[]> contents = Map.of(
                "a",
                new byte[0],
                "target/b\u20ac.jar",
                random(LARGE, 1),
                "target/c",
                bytes("c"),
                "target/same",
                bytes("c"));
        Path to = folder.resolveSibling(folder.getFileName() + "-to");
        try (Site site = new Site(folder)) {
            site.agent("a", site.with(agent(Map.of("b", Bundles.of(contents)))));
            BuildClient client = site.client();
            BuildResult result = run(client, "b");
            assertThat(result.isSuccess()).as("%s", result).isTrue();
            assertThat(result.artefacts()).isEqualTo(4);
            assertThat(result.artefactBytes()).isEqualTo(LARGE + 2);
            assertThat(contents()).hasSize(3).allSatisfy(file -> {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                        .isEqualTo("rwx------");
            });
            site.stopMaster();
            site.startMaster();
            assertThat(Logs.end(client.job(result.jobId()).result())).isEqualTo(result);
            List<Artefact> list = Logs.end(client.artefacts(result.jobId()));
            assertThat(list).hasSize(4).contains(new Artefact("target/c", 1, Logs.sha256(bytes("c"))));
            assertThat(Logs.end(client.downloadArtefacts(result.jobId(), to))).isEqualTo(list);
            assertThat(digests(to)).isEqualTo(digests(contents));
            assertThat(files(folder.resolve("artefacts/incoming"))).isEmpty();
        }
    }

    private static List<Path> files(Path of) throws IOException {
        try (Stream<Path> files = Files.list(of)) {
            return files.toList();
        }
    }

    @Test
    void artefacts_connectionsCutAtRandomPlaces_areByteExact() throws Exception {
        int builds = 4;
        int cuts = 20;
        Map<String, Map<String, byte[]>> contents = new HashMap<>();
        Map<String, byte[]> bundles = new HashMap<>();
        for (int i = 0; i < builds; i++) {
            Map<String, byte[]> files = Map.of("x/large", random(LARGE, i), "small" + i, random(i, i));
            contents.put("b" + i, files);
            bundles.put("b" + i, Bundles.of(files));
        }
        try (Site site = new Site(folder, options -> options.withGrace(Duration.ofSeconds(100)));
                CuttingProxy near = new CuttingProxy(site.port());
                CuttingProxy far = new CuttingProxy(site.port())) {
            near.cutAtRandom(seed, 5_000, 900_000, cuts);
            far.cutAtRandom(seed + 1, 5_000, 900_000, cuts);
            site.agent("a", site.with(agent(bundles)), near.port());
            BuildClient client = site.client(far.port());
            for (String branch : bundles.keySet()) {
                BuildResult result = run(client, branch);
                assertThat(result.isSuccess()).as("%s seed=%d", result, seed).isTrue();
                assertThat(result.attempts()).isEqualTo(1);
                Path to = folder.resolveSibling(folder.getFileName() + branch);
                var unused = Logs.end(client.downloadArtefacts(result.jobId(), to));
                assertThat(digests(to))
                        .as("seed=%d", seed)
                        .isEqualTo(digests(Objects.requireNonNull(contents.get(branch))));
            }
            assertThat(near.cutsLeft()).isLessThan(cuts - 3);
            assertThat(far.cutsLeft()).isLessThan(cuts - 3);
        }
    }

    @Test
    void transfer_masterRestartedInTheMiddle_goesOnWhereItWas() throws Exception {
        Map<String, byte[]> contents = Map.of("large", random(LARGE, 1));
        try (Site site = new Site(folder);
                CuttingProxy proxy = new CuttingProxy(site.port())) {
            byte[] bundle = Bundles.of(contents);
            site.agent(
                    "a",
                    site.with(new FakeAgent(run -> {
                        run.handOn(bundle);
                        proxy.pauseAnswers(true); // credit
                        return 0;
                    })),
                    proxy.port());
            Build build = site.client().submit(request("b"));
            Until.isTrue("some of it is there", () -> incomingBytes() > 100_000);
            assertThat(Logs.end(build.status()).phase()).isNotEqualTo(BuildStatus.Phase.FINISHED);
            site.stopMaster();
            proxy.pauseAnswers(false);
            proxy.cutAll();
            site.startMaster();
            BuildResult result = Logs.end(build.result());
            assertThat(result.isSuccess()).as("%s", result).isTrue();
            assertThat(result.attempts()).isEqualTo(1);
            Path to = folder.resolve("to");
            var unused = Logs.end(site.client().downloadArtefacts(result.jobId(), to));
            assertThat(digests(to)).isEqualTo(digests(contents));
        }
    }

    private long incomingBytes() throws IOException {
        return incomingBytes(folder);
    }

    private static long incomingBytes(Path master) throws IOException {
        long bytes = 0;
        for (Path file : files(master.resolve("artefacts/incoming"))) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    @Test
    void transfer_agentLostInTheMiddle_isAFailureThatSaysSo() throws Exception {
        try (Site site = new Site(folder, options -> options.withGrace(Duration.ofMillis(100)));
                CuttingProxy proxy = new CuttingProxy(site.port())) {
            FakeAgent agent = site.with(agent(Map.of("b", Bundles.of(Map.of("large", random(LARGE, 1))))));
            agent.holdBundlesAt(LARGE / 2);
            AgentLink link = site.agent("a", agent, proxy.port());
            Build build = site.client().submit(request("b"));
            Until.isTrue("some of it is there", () -> incomingBytes() > 100_000);
            Until.isTrue( // else it would be built again
                    "the outcome is there", () -> Logs.end(build.status()).phase() == BuildStatus.Phase.FINISHING);
            proxy.refuse(true);
            proxy.cutAll();
            BuildResult result = Logs.end(build.result());
            assertThat(result.code()).isEqualTo(BuildCode.AGENT_LOST);
            assertThat(result.message()).contains("artefacts are missing", "lost with their agent");
            assertThat(result.artefacts()).isZero();
            assertThat(link.isConnected()).isFalse();
            Until.isTrue(
                    "nothing of it is left",
                    () -> incomingBytes() == 0 && contents().isEmpty());
        }
    }

    @Test
    void transfer_agentKilledInTheMiddle_goesOnWhenItStartsAgain() throws Exception {
        GitRepo repo = GitRepo.withScript(
                folder.resolve("repo"),
                "head -c 3000000 /dev/urandom >large && sha256sum <large",
                "touch \"$SIGNAL\"; until [ -e \"$SIGNAL.done\" ]; do sleep 0.02; done");
        Path signal = folder.resolve("signal");
        try (Site site = new Site(folder.resolve("m"), options -> options.withGrace(Duration.ofSeconds(100)));
                CuttingProxy proxy = new CuttingProxy(site.port());
                AgentProcess agent = new AgentProcess(folder, "a", proxy.port(), List.of("--isolation", "none"))) {
            Build build = site.client()
                    .submit(BuildRequest.of(repo.url(), "master", "build.sh")
                            .environment(Map.of("SIGNAL", signal.toString()))
                            .files(BuildFiles.NONE.withArtefact("large"))
                            .build());
            Until.isTrue("the script runs", () -> Files.exists(signal));
            proxy.pauseAnswers(true);
            Files.createFile(folder.resolve("signal.done"));
            Until.isTrue("some of it is there", () -> incomingBytes(folder.resolve("m")) > 100_000);
            agent.kill();
            proxy.pauseAnswers(false);
            agent.start();
            BuildResult result = Logs.end(build.result());
            assertThat(result.isSuccess()).as("%s", result).isTrue();
            assertThat(result.attempts()).isEqualTo(1);
            Artefact large = Logs.end(site.client().artefacts(result.jobId())).get(0);
            assertThat(large.size()).isEqualTo(3_000_000);
            assertThat(Logs.text(build)).contains(large.sha256());
            var unused = Logs.end(site.client().downloadArtefacts(result.jobId(), folder.resolve("to")));
            assertThat(digests(folder.resolve("to"))).isEqualTo(Map.of("large", large.sha256()));
        }
    }

    @Test
    void attempt_thatLostItsLease_addsNothingToTheNext() throws Exception {
        Map<String, byte[]> second = Map.of("second", random(100, 2));
        AtomicInteger attempts = new AtomicInteger();
        try (Site site = new Site(folder, options -> options.withGrace(Duration.ofMillis(100)));
                Streams stranger = new Streams(
                        Site.SECURITY,
                        new MasterAddress("127.0.0.1", site.port()),
                        task -> new Thread(task).start(),
                        () -> {})) {
            var control = stranger.open(Rpc.AGENT_SESSION);
            control.send(Wire.FromAgent.newBuilder()
                    .setHello(Wire.AgentHello.newBuilder()
                            .setVersions(Versions.ours())
                            .setIdentity("first")
                            .setLife(1)
                            .addRunners("bash")
                            .setExecutors(1))
                    .build());
            Wire.ToAgent welcome = (Wire.ToAgent) Objects.requireNonNull(stranger.receive(Duration.ofSeconds(60)));
            Build build = site.client().submit(request("b"));
            Wire.Assign assign =
                    ((Wire.ToAgent) Objects.requireNonNull(stranger.receive(Duration.ofSeconds(60)))).getAssign();
            var pieces = stranger.open(Rpc.AGENT_ARTEFACTS, welcome.getWelcome().getSession());
            Wire.ArtefactPiece.Builder piece = Wire.ArtefactPiece.newBuilder()
                    .setJob(assign.getJobs(0))
                    .setAttempt(assign.getAttempts(0))
                    .setEpoch(assign.getEpochs(0))
                    .setBytes(ByteString.copyFrom(random(10_000, 3)));
            pieces.send(piece.build());
            Until.isTrue("it is there", () -> incomingBytes() == 10_000);
            AgentLink link = site.agent("a", site.with(new FakeAgent(run -> {
                attempts.set(run.assignment.attempt());
                pieces.send(piece.setOffset(10_000).build());
                pieces.send(piece.setEpoch(run.assignment.epoch())
                        .setAttempt(2)
                        .setOffset(0)
                        .build());
                Waits.until("both are refused", () -> site.master().staleMessages() >= 2);
                run.handOn(Bundles.of(second));
                return 0;
            })));
            Until.isTrue("the other agent is connected", link::isConnected);
            control.send(Wire.FromAgent.newBuilder()
                    .setFinished(Wire.Finished.newBuilder()
                            .setJob(assign.getJobs(0))
                            .setAttempt(assign.getAttempts(0))
                            .setEpoch(assign.getEpochs(0))
                            .setEnding(Wire.Ending.newBuilder().setCode(BuildCode.AGENT_CLOSED.number())))
                    .build());
            BuildResult result = Logs.end(build.result());
            assertThat(result.isSuccess()).as("%s", result).isTrue();
            assertThat(attempts.get()).isEqualTo(2);
            var unused = Logs.end(site.client().downloadArtefacts(result.jobId(), folder.resolve("to")));
            assertThat(digests(folder.resolve("to"))).isEqualTo(digests(second));
        }
    }

    @Test
    void bundles_thatAreDamagedOrTooLarge_areFailuresThatSayWhy() throws Exception {
        byte[] damaged = Bundles.of(Map.of("a", bytes("content")));
        damaged[damaged.length - 1]++;
        Map<String, byte[]> bundles = Map.of(
                "damaged", damaged,
                "none", bytes("no bundle"),
                "many", Bundles.of(Map.of("a", bytes("1"), "b", bytes("2"), "c", bytes("3"))),
                "large", Bundles.of(Map.of("a", new byte[1001])),
                "huge", new byte[10_000_000],
                "good", Bundles.of(Map.of("a", new byte[1000])));
        Map<String, String> reasons = Map.of(
                "damaged", "file is damaged: name=a",
                "none", "cut off",
                "many", "files=3 most=2",
                "large", "bytes=1001 most=1000",
                "huge", "larger than the master takes");
        try (Site site = new Site(folder, options -> options.withArtefacts(new ArtefactLimits(2, 1000, 1 << 20)))) {
            site.agent("a", site.with(agent(bundles)));
            BuildClient client = site.client();
            for (Map.Entry<String, String> expected : reasons.entrySet()) {
                BuildResult result = run(client, expected.getKey());
                assertThat(result.code()).as("%s", result).isEqualTo(BuildCode.STORAGE);
                assertThat(result.message()).contains("artefacts are missing: ", expected.getValue());
                assertThat(result.artefacts()).isZero();
                assertThat(failure(client.artefacts(result.jobId()))).hasMessageContaining("has no artefacts");
            }
            BuildResult failed = Logs.end(client.submit(BuildRequest.of("git+file:///r", "damaged", "s")
                            .files(FILES)
                            .environment(Map.of("FAILS", "1"))
                            .build())
                    .result());
            assertThat(failed.code()).isEqualTo(BuildCode.SCRIPT_FAILED);
            assertThat(failed.exitCode()).isEqualTo(3);
            assertThat(failed.message()).contains("artefacts are missing: ");
            assertThat(contents()).isEmpty();
            assertThat(run(client, "good").artefactBytes()).isEqualTo(1000);
        }
    }

    /** Lists whose sizes overflow, or differ for one content, would lead the master behind or before the bundle's bytes. */
    @Test
    void bundles_withListsThatLieAboutSizes_areFailuresAndTheMasterGoesOn() throws Exception {
        byte[] content = bytes("hello");
        String digest = HexFormat.of().formatHex(Bundle.sha256().digest(content));
        Bundle.Item good = new Bundle.Item("a", 5, digest);
        long most = Long.MAX_VALUE;
        Map<String, byte[]> bundles = Map.of(
                "overflow",
                lying(
                        content,
                        good,
                        new Bundle.Item("b", most, digest),
                        new Bundle.Item("c", most, digest),
                        new Bundle.Item("d", 2, digest)),
                "shorter",
                lying(content, good, new Bundle.Item("b", 0, digest)),
                "longer",
                lying(bytes("hellohello!"), good, new Bundle.Item("b", 6, digest)),
                "good",
                lying(content, good));
        try (Site site = new Site(folder)) {
            site.agent("a", site.with(agent(bundles)));
            for (String name : List.of("overflow", "shorter", "longer", "good", "shorter", "overflow")) {
                BuildResult result = run(site.client(), name);
                assertThat(result.isSuccess()).as("%s %s", name, result).isEqualTo(name.equals("good"));
            }
        }
    }

    private static byte[] lying(byte[] content, Bundle.Item... items) throws IOException {
        byte[] list = new Bundle(List.of(items)).encode();
        byte[] all = Arrays.copyOf(list, list.length + content.length);
        System.arraycopy(content, 0, all, list.length, content.length);
        return all;
    }

    @Test
    void artefacts_thatAreTooManyInAll_goWithTheOldestJobs() throws Exception {
        byte[] shared = random(100_000, 1);
        Map<String, byte[]> bundles = new HashMap<>();
        for (int i = 0; i < 6; i++) {
            bundles.put("b" + i, Bundles.of(Map.of("own", random(100_000, 10 + i), "shared", shared)));
        }
        try (Site site = new Site(folder, options -> options.withArtefacts(new ArtefactLimits(10, 1 << 20, 450_000)))) {
            site.agent("a", site.with(agent(bundles)));
            BuildClient client = site.client();
            String[] ids = new String[6];
            for (int i = 0; i < 6; i++) {
                ids[i] = run(client, "b" + i).jobId();
            }
            for (int i = 0; i < 6; i++) {
                if (i < 3) {
                    assertThat(failure(client.artefacts(ids[i]))).hasMessageContaining("not kept any more");
                } else {
                    assertThat(Logs.end(client.artefacts(ids[i]))).hasSize(2);
                }
            }
            Until.isTrue("contents without a job are gone", () -> contents().size() == 4);
        }
    }

    @Test
    void artefacts_ofJobsThatTheRetentionForgets_goWithThem() throws Exception {
        byte[] bundle = Bundles.of(Map.of("a", random(1000, 1)));
        try (Site site =
                new Site(folder, options -> options.withRetention(new Retention(1, Duration.ofDays(1), 1 << 20)))) {
            site.agent("a", site.with(agent(Map.of("b", bundle, "c", Bundles.of(Map.of("c", bytes("c")))))));
            String first = run(site.client(), "b").jobId();
            String second = run(site.client(), "c").jobId();
            Until.isTrue("the first is gone", () -> contents().size() == 1);
            assertThat(failure(site.client().artefacts(first))).hasMessageContaining("no such job");
            assertThat(Logs.end(site.client().artefacts(second))).hasSize(1);
        }
    }

    @Test
    void download_whatIsThereOrLeadsOut_isNeitherReplacedNorFollowed() throws Exception {
        try (Site site = new Site(folder.resolve("m"))) {
            byte[] bundle = Bundles.of(Map.of("x/a", bytes("new"), "b", bytes("new")));
            site.agent("a", site.with(agent(Map.of("b", bundle))));
            BuildClient client = site.client();
            String id = run(client, "b").jobId();
            Path to = Files.createDirectory(folder.resolve("to"));
            Files.writeString(to.resolve("b"), "old");
            assertThat(failure(client.downloadArtefacts(id, to))).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(Files.readString(to.resolve("b"))).isEqualTo("old");
            Path outside = Files.createDirectory(folder.resolve("outside"));
            Path linked = Files.createDirectory(folder.resolve("linked"));
            Files.createSymbolicLink(linked.resolve("x"), outside);
            assertThat(failure(client.downloadArtefacts(id, linked))).hasMessageContaining("in the place of a folder");
            Path dangling = Files.createDirectory(folder.resolve("dangling"));
            Files.createSymbolicLink(dangling.resolve("b"), outside.resolve("new"));
            assertThat(failure(client.downloadArtefacts(id, dangling))).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(files(outside)).isEmpty();
            assertThat(files(to)).containsExactly(to.resolve("b"));
        }
    }

    @Test
    void download_contentDamagedAtTheMaster_getsNoName() throws Exception {
        try (Site site = new Site(folder)) {
            site.agent("a", site.with(agent(Map.of("b", Bundles.of(Map.of("a", bytes("content")))))));
            String id = run(site.client(), "b").jobId();
            Files.writeString(contents().get(0), "Content");
            Path to = folder.resolve("to");
            assertThat(failure(site.client().downloadArtefacts(id, to)))
                    .hasMessageContaining("artefact is damaged: name=a");
            assertThat(files(to)).isEmpty();
            Files.delete(contents().get(0));
            assertThat(failure(site.client().downloadArtefacts(id, to))).hasMessageContaining("not kept any more");
            assertThat(Files.exists(to.resolve("a"), LinkOption.NOFOLLOW_LINKS)).isFalse();
        }
    }

    @Test
    void agent_ofAnEarlierVersion_getsNoJobWithFiles() throws Exception {
        try (Site site = new Site(folder);
                Streams old = new Streams(
                        Site.SECURITY,
                        new MasterAddress("127.0.0.1", site.port()),
                        task -> new Thread(task).start(),
                        () -> {})) {
            old.open(Rpc.AGENT_SESSION)
                    .send(Wire.FromAgent.newBuilder()
                            .setHello(Wire.AgentHello.newBuilder()
                                    .setVersions(Wire.Versions.newBuilder()
                                            .setOldest(1)
                                            .setNewest(1))
                                    .setIdentity("old")
                                    .setLife(1)
                                    .addRunners("bash")
                                    .setExecutors(8))
                            .build());
            assertThat(((Wire.ToAgent) Objects.requireNonNull(old.receive(Duration.ofSeconds(60))))
                            .getWelcome()
                            .getVersion())
                    .isEqualTo(1);
            BuildClient client = site.client();
            Build waits = client.submit(request("with"));
            Build plain = client.submit(Site.request().build());
            String id = Logs.end(plain.accepted());
            Wire.Assign assign =
                    ((Wire.ToAgent) Objects.requireNonNull(old.receive(Duration.ofSeconds(60)))).getAssign();
            assertThat(assign.getJobsList()).hasSize(1);
            assertThat(id).endsWith("-" + assign.getJobs(0));
            assertThat(Logs.end(waits.status()).reason()).contains("new enough for artefacts and caches");
            site.agent("new", site.with(agent(Map.of("with", Bundles.of(Map.of("a", bytes("a")))))));
            assertThat(Logs.end(waits.result()).artefacts()).isEqualTo(1);
        }
    }

    @Test
    void artefacts_ofAJobThatRuns_areNotThereYet() throws Exception {
        try (Site site = new Site(folder)) {
            Build waits = site.client().submit(request("b"));
            String id = Logs.end(waits.accepted());
            assertThat(failure(site.client().artefacts(id))).hasMessageContaining("has not ended");
        }
    }
}

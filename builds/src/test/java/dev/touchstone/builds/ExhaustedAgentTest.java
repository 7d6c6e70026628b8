package dev.touchstone.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.touchstone.builds.agent.GitRepo;
import dev.touchstone.builds.connect.BuildClientFactory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose machine gives it nothing more: its builds fail with a code, and it builds again when there is something again. */
@Timeout(180)
@Tag("sweep")
class ExhaustedAgentTest {
    private static final int NOBODY = 65_534;

    @TempDir
    Path folder;

    private static boolean run(String... words) throws IOException, InterruptedException {
        return new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static long openFiles(long pid) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.count();
        }
    }

    /** Limits what the agent may have from now on, as the user that it is. */
    private static void limit(AgentProcess agent, String resource, String soft) throws Exception {
        List<String> words = new ArrayList<>();
        if (resource.equals("nproc")) {
            words.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--clear-groups"));
        }
        words.addAll(List.of("prlimit", "--pid", Long.toString(agent.pid()), "--" + resource + "=" + soft + ":"));
        assertThat(run(words.toArray(String[]::new))).isTrue();
    }

    /** As /proc tells it: the first number of the line. */
    private static String limit(AgentProcess agent, String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + agent.pid() + "/limits")).stream()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip().split(" +", -1)[0])
                .findFirst()
                .orElseThrow();
    }

    private static BuildResult build(BuildClient client, GitRepo repo) throws Exception {
        return Logs.end(client.submit(BuildRequest.of("git+" + repo.url(), "master", "build.sh")
                        .build())
                .result());
    }

    private static void isFailure(BuildResult result) {
        assertThat(result.code())
                .as(result.toString())
                .isIn(
                        BuildCode.WORKSPACE,
                        BuildCode.SOURCE_FOLDER,
                        BuildCode.SOURCE_URL,
                        BuildCode.FETCH_FAILED,
                        BuildCode.START_FAILED,
                        BuildCode.LOG_FAILED,
                        BuildCode.AGENT_FAILED);
        assertThat(result.message()).isNotEmpty();
    }

    @Test
    void agent_withoutFileDescriptors_failsBuildsAndBuildsAgain() throws Exception {
        assumeTrue(run("prlimit", "--version"), "prlimit is not installed: apt-get install util-linux");
        GitRepo repo = GitRepo.withScript(folder.resolve("repository"), "echo built");
        try (MasterProcess master = new MasterProcess(folder, List.of(), List.of());
                AgentProcess agent = new AgentProcess(folder, "one", master.port(), List.of());
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
            assertThat(build(client, repo).isSuccess()).isTrue();
            String before = limit(agent, "Max open files");
            for (int spare = 0; spare < 16; spare += 3) {
                limit(agent, "nofile", Long.toString(openFiles(agent.pid()) + spare));
                BuildResult result = build(client, repo);
                if (!result.isSuccess()) { // a few spare ones may do
                    isFailure(result);
                }
                limit(agent, "nofile", before);
                BuildResult after = build(client, repo);
                assertThat(after.isSuccess()).as(after.toString()).isTrue();
            }
            assertThat(agent.isAlive()).isTrue();
        }
    }

    /**
     * The limit counts for no process of root's, so the agent is somebody else's, with all that it needs in a folder that is his. Each script shuts
     * its workspace.
     */
    @Test
    void agent_withoutProcessesOrAccess_failsBuildsAndBuildsAgain() throws Exception {
        assumeTrue(
                run("setpriv", "--reuid=" + NOBODY, "--clear-groups", "true"), "another user cannot be: run as root");
        GitRepo repo = GitRepo.withScript(folder.resolve("repository"), "echo built", "chmod 000 .git . $WORKSPACE");
        assertThat(run("chown", "-R", Integer.toString(NOBODY), repo.folder().toString()))
                .isTrue();
        Path home = Files.createDirectory(folder.resolve("home"));
        CommandProcess.tokenFile(home);
        Path lib = copyOfClassPath(Files.createDirectory(home.resolve("lib")));
        assertThat(run("chown", "-R", Integer.toString(NOBODY), home.toString()))
                .isTrue();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> nobody = List.of(
                "env", "HOME=" + home, "setpriv", "--reuid=" + NOBODY, "--clear-groups", "--inh-caps=-all", "--");
        try (MasterProcess master = new MasterProcess(folder, List.of(), List.of());
                AgentProcess agent = new AgentProcess(
                        nobody, Files.readString(lib), home, "one", master.port(), List.of("-executors", "2"));
                BuildClient client = BuildClientFactory.connect(Site.options(master.port()))) {
            BuildResult first = Logs.end(client.submit(BuildRequest.of(repo.url(), "master", "build.sh")
                            .noop(true)
                            .build())
                    .result());
            assertThat(first.isSuccess()).as(first.toString()).isTrue();
            String before = limit(agent, "Max processes");
            for (int i = 0; i < 5; i++) {
                limit(
                        agent, "nproc",
                        "1"); // from before the first build, so that no thread is there that one of its steps needs
                isFailure(build(client, repo));
                isFailure(build(client, repo));
                limit(agent, "nproc", before);
                BuildResult after = build(client, repo);
                assertThat(after.isSuccess()).as(after.toString()).isTrue();
            }
            for (String inside : List.of("jobs", "workspaces", "mirrors")) {
                String owned = agent.root().resolve(inside).toString();
                assertThat(run("chown", "-R", "0", owned)).isTrue();
                isFailure(build(client, repo));
                assertThat(run("chown", "-R", Integer.toString(NOBODY), owned)).isTrue();
                BuildResult after = build(client, repo);
                assertThat(after.isSuccess()).as(inside + " " + after).isTrue();
            }
            assertThat(agent.isAlive()).isTrue();
        }
    }

    /** The class path in files that anybody may read. */
    private static Path copyOfClassPath(Path into) throws IOException {
        List<String> copies = new ArrayList<>();
        int number = 0;
        for (String entry : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            Path to = into.resolve(number++ + "-" + from.getFileName());
            copies.add(to.toString());
            if (Files.isDirectory(from)) {
                try (Stream<Path> files = Files.walk(from)) {
                    for (Path file : files.toList()) {
                        Files.copy(file, to.resolve(from.relativize(file).toString()), LinkOption.NOFOLLOW_LINKS);
                    }
                }
            } else if (Files.exists(from)) {
                Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return Files.writeString(into.resolve("path"), String.join(File.pathSeparator, copies));
    }
}

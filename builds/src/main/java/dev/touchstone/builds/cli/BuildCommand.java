package dev.touchstone.builds.cli;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildFiles;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.ConnectOptions;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.origin.OriginAddress;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code build}: triggers a build, shows its output, and ends with the exit code of the script. */
@Command(
        name = "build",
        description = {
            "Triggers a build, shows its output, and ends with the exit code of the script.",
            "",
            "Values without an option are taken from the environment, from BUILDS_<NAME> or CIDER_<NAME>, where <NAME> is "
                    + "MASTER_URL, SLAVE_LABEL, REPOSITORY_URL, SCRIPT_PATH, SCRIPT_RUNNER or SCRIPT_ENV_<KEY>, and "
                    + "then from cider.yml in the current folder."
        },
        exitCodeList = {
            "0:The script succeeded.",
            "n:The script failed with this exit code.",
            "2:The command line, the environment or cider.yml cannot be used.",
            "121:Somebody else cancelled the build.",
            "122:The script did not start, or did not run to its end: sources, workspace or agent failed.",
            "123:The master refused the build: its queue is full, or it does not offer the output.",
            "124:The build ran or waited longer than its limit.",
            "125:The master could not be reached, or the connection was lost.",
            "130:The command was interrupted (Ctrl-C), and the build was cancelled.",
            "143:The command was terminated (SIGTERM), and the build was cancelled."
        })
final class BuildCommand implements Callable<Integer> {
    private static final Duration CANCEL_PATIENCE = Duration.ofSeconds(20);

    @Mixin
    ClientFlags flags = new ClientFlags();

    @Option(
            names = {"-slave", "--slave", "-label", "--label"},
            paramLabel = "LABEL",
            description = "Label that the agent must have. Default: any.")
    Optional<String> label = Optional.empty();

    @Option(
            names = {"-runner", "--runner"},
            paramLabel = "RUNNER",
            description = "Program that runs the script. Default: bash.")
    Optional<String> runner = Optional.empty();

    @Option(
            names = {"-repository", "--repository"},
            paramLabel = "URL",
            description = "URL of the repository, and the branch after a #. Default branch: master.")
    Optional<String> repository = Optional.empty();

    @Option(
            names = {"-script", "--script"},
            paramLabel = "PATH",
            description = "Path of the script in the repository.")
    Optional<String> script = Optional.empty();

    @Option(
            names = {"-env", "--env"},
            paramLabel = "KEY=VALUE",
            description = "Environment variable for the script; may be repeated.")
    List<String> variables = new ArrayList<>();

    @Option(
            names = "--secret",
            paramLabel = "KEY",
            description =
                    "Pass the variable KEY of this command's environment to the script, and mask its value in the output.")
    List<String> secrets = new ArrayList<>();

    @Option(
            names = "--artefact",
            paramLabel = "PATTERN",
            description =
                    "Have the master keep the files that match the glob pattern, relative to the sources, if the script succeeds; "
                            + "may be repeated.")
    List<String> artefacts = new ArrayList<>();

    @Option(names = "--artefacts-always", description = "Keep artefacts also if the script fails.")
    boolean areArtefactsAlways;

    @Option(
            names = "--cache",
            paramLabel = "KEY=PATH",
            description = {
                "Give the script the folder that the last successful build of the repository has left under KEY, and keep it after "
                        + "success. PATH is relative to the sources, or to HOME with ~/ before it (quote it); may be repeated."
            })
    List<String> caches = new ArrayList<>();

    @Option(names = "--commit", paramLabel = "ID", description = "Commit to build. Default: the newest of the branch.")
    Optional<String> commit = Optional.empty();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Longest time that the build may run. Default: 3600.")
    Optional<Long> timeout = Optional.empty();

    @Option(
            names = "--queue-timeout",
            paramLabel = "SECONDS",
            description = "Longest time that the build may wait for an executor. Default: 86400.")
    Optional<Long> queueTimeout = Optional.empty();

    @Option(
            names = "--output",
            paramLabel = "MODE",
            description = "Where the output goes: discard, stream, files or redis. Default: stream.")
    Optional<String> output = Optional.empty();

    @Option(names = "--noop", description = "Neither fetch sources nor run the script.")
    boolean isNoop;

    @Option(names = "--detach", description = "Print the id of the job and end.")
    boolean isDetached;

    @Option(
            names = {"-verbose", "--verbose"},
            description = "Print more about the job.")
    boolean isVerbose;

    private final ProcessContext around;

    BuildCommand(ProcessContext around) {
        this.around = around;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Settings settings = new Settings(around.environment(), ConfigFile.in(around.folder()));
        flags.shared.warn(around.err());
        BuildRequest request = request(settings);
        ConnectOptions options = flags.options(settings);
        boolean isOrigin = OriginAddress.isOne(options.master());
        if (isOrigin) {
            SharedFlags.warnOf(OriginAddress.parse(options.master()), around.err());
        }
        if (isDetached && isOrigin) {
            throw new UsageException("--detach: the protocol of ws:// has no jobs that go on; give builds://host:port");
        }
        say("---> Connecting to " + options.master());
        try (BuildClient client = flags.connect(options)) {
            say("---> Sending the build request (using label \"" + request.label() + "\" and runner \""
                    + request.runner() + "\")");
            return run(client.submit(request));
        }
    }

    private void say(String line) {
        around.err().println(line);
    }

    private int run(Build build) throws IOException, InterruptedException {
        Thread interrupted = new Thread(() -> cancel(build), "builds-cancel");
        Runtime.getRuntime().addShutdownHook(interrupted);
        try {
            String id = ClientFlags.get(build.accepted());
            if (isDetached) {
                around.out().write((id + "\n").getBytes(StandardCharsets.UTF_8));
                around.out().flush();
                return ExitCode.OK;
            }
            if (isVerbose) {
                say("---> Job " + id);
            }
            long unused = ClientFlags.get(build.follow(0, (offset, bytes) -> write(bytes)));
            return show(ClientFlags.get(build.result()));
        } finally {
            remove(interrupted);
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is ending, by the hook itself
        }
    }

    private boolean write(java.nio.ByteBuffer bytes) {
        try {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            OutputStream out = around.out();
            out.write(copy);
            out.flush();
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int show(BuildResult result) {
        if (result.truncated()) {
            say("---> The output is not all that the script printed");
        }
        if (isVerbose) {
            say("---> " + result);
        }
        if (result.artefacts() > 0) {
            say("---> Artefacts: files=" + result.artefacts() + " bytes=" + result.artefactBytes()
                    + "; download them with: builds artefacts " + result.jobId() + " --to FOLDER");
        }
        if (result.isSuccess() && !result.message().isEmpty()) {
            say("---> " + result.message());
        }
        if (!result.isSuccess()) {
            String what = result.message().isEmpty() ? "exit code " + result.exitCode() : result.message();
            say("Error: " + failure(result.code(), what));
        }
        return BuildsExitCode.of(result);
    }

    /** Returns the words of a code and the message, which may begin with these words itself. */
    static String failure(BuildCode code, String message) {
        String words = code.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": ";
        return message.startsWith(words) ? message : words + message;
    }

    /** Cancels the build after Ctrl-C; what the build says meanwhile is still shown. */
    private void cancel(Build build) {
        say("---> Cancelling the build");
        try {
            var unused = build.cancel("its client was interrupted")
                    .thenCombine(build.result(), (was, result) -> result)
                    .get(CANCEL_PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            say("Error: the build may go on: " + e.getMessage());
        }
    }

    private BuildRequest request(Settings settings) {
        String url = settings.require(repository, "REPOSITORY_URL", "repository");
        int hash = url.indexOf('#');
        String branch = hash < 0 || hash == url.length() - 1 ? "master" : url.substring(hash + 1);
        Map<String, String> environment = settings.scriptVariables();
        variables.forEach(assignment -> Settings.addVariable(environment, assignment, "-env"));
        BuildRequest.Builder builder = BuildRequest.of(
                        hash < 0 ? url : url.substring(0, hash),
                        branch,
                        settings.require(script, "SCRIPT_PATH", "script"))
                .label(settings.find(label, "SLAVE_LABEL").orElse(BuildRequest.ANY))
                .runner(settings.find(runner, "SCRIPT_RUNNER").orElse("bash"))
                .environment(environment)
                .noop(isNoop)
                .files(isNoop ? BuildFiles.NONE : files(settings))
                .output(output.map(BuildCommand::mode).orElse(OutputMode.STREAM));
        commit.ifPresent(builder::commit);
        timeout.ifPresent(value -> Ranges.check("--timeout", value, 1, SharedFlags.MAX_SECONDS));
        queueTimeout.ifPresent(value -> Ranges.check("--queue-timeout", value, 1, SharedFlags.MAX_SECONDS));
        timeout.map(Duration::ofSeconds).ifPresent(builder::timeout);
        queueTimeout.map(Duration::ofSeconds).ifPresent(builder::queueTimeout);
        for (String name : secrets) {
            builder.secret(name, secret(name));
        }
        return builder.build();
    }

    private BuildFiles files(Settings settings) {
        BuildFiles files = settings.files().withAlways(areArtefactsAlways);
        for (String pattern : artefacts) {
            files = files.withArtefact(pattern);
        }
        Map<String, String> paths = new LinkedHashMap<>();
        caches.forEach(assignment -> Settings.addVariable(paths, assignment, "--cache"));
        for (Map.Entry<String, String> cache : paths.entrySet()) {
            files = files.withCache(cache.getKey(), cache.getValue());
        }
        return files;
    }

    private String secret(String name) {
        @Nullable String value = around.environment().get(name);
        if (value == null) {
            throw new UsageException(
                    "--secret: no such variable in the environment: name=" + name + "; export it first");
        }
        return value;
    }

    private static OutputMode mode(String name) {
        for (OutputMode mode : OutputMode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(name)) {
                return mode;
            }
        }
        throw new UsageException("--output: expected discard, stream, files or redis, got " + name);
    }
}

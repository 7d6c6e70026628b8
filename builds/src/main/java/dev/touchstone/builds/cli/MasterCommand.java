package dev.touchstone.builds.cli;

import dev.touchstone.builds.Token;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Admission;
import dev.touchstone.builds.agent.BuildAgentBuilder;
import dev.touchstone.builds.file.Bundle;
import dev.touchstone.builds.hook.Hook;
import dev.touchstone.builds.master.Master;
import dev.touchstone.builds.master.MasterOptions;
import dev.touchstone.builds.master.artefact.ArtefactLimits;
import dev.touchstone.builds.master.job.Retention;
import dev.touchstone.builds.origin.OriginGateway;
import dev.touchstone.builds.origin.OriginOptions;
import dev.touchstone.builds.output.RedisOptions;
import dev.touchstone.builds.output.Sink;
import dev.touchstone.builds.output.Sinks;
import dev.touchstone.builds.web.WebServer;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.FailureMessages;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code master}: runs a master until the process is terminated. */
@Command(
        name = "master",
        description = {
            "Queues builds and assigns them to agents.",
            "",
            "A build is on the storage device before the master confirms it."
        },
        exitCodeList = {
            "2:The command line or the environment cannot be used.",
            "125:The machine failed: the port is in use, or the folder is damaged or belongs to another master.",
            "143:The process was terminated (SIGTERM)."
        })
final class MasterCommand implements Callable<Integer> {
    /*
     * Who calls:  the process's first thread `call`; the thread of the shutdown hook `stop`, which may come before `gateway` is set.
     */
    @Mixin
    SharedFlags shared = new SharedFlags();

    @Option(
            names = "--folder",
            required = true,
            paramLabel = "FOLDER",
            description = "Folder of this master alone, for the journal of jobs and the logs.")
    @SuppressWarnings("NullAway.Init") // picocli's
    Path folder;

    @Option(
            names = "--tokens",
            paramLabel = "FILE",
            description =
                    "File of tokens with names and roles, which the tokens command writes and the master follows. The token that "
                            + "all share is not required then, and has all roles if it is given.")
    @Nullable
    Path tokens;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = "Address to listen on; addresses beyond this machine require TLS. Default: ${DEFAULT-VALUE}.")
    String listen = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port to listen on; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
    int port = MasterAddress.DEFAULT_PORT;

    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            description =
                    "Time that an agent may be disconnected before its builds are assigned to others. Default: ${DEFAULT-VALUE}.")
    int graceSeconds = 15;

    @Option(
            names = "--max-attempts",
            paramLabel = "COUNT",
            description = "Number of times that a job is assigned before it fails. Default: ${DEFAULT-VALUE}.")
    int maxAttempts = 2;

    @Option(
            names = "--max-queued",
            paramLabel = "JOBS",
            description = "Most jobs that may wait. Default: ${DEFAULT-VALUE}.")
    int maxQueued = 1_000_000;

    @Option(
            names = "--quota",
            paramLabel = "JOBS",
            description =
                    "Most builds of one token of --tokens that may wait, and as many noops. Default: half of --max-queued.")
    @Nullable
    Integer quota;

    @Option(
            names = "--keep-jobs",
            paramLabel = "COUNT",
            description = "Most finished builds to keep, and as many noops. Default: ${DEFAULT-VALUE}.")
    int keepJobs = Retention.DEFAULT.jobs();

    @Option(
            names = "--keep-days",
            paramLabel = "DAYS",
            description = "Time to keep finished jobs. Default: ${DEFAULT-VALUE}.")
    int keepDays = (int) Retention.DEFAULT.age().toDays();

    @Option(
            names = "--keep-bytes",
            paramLabel = "BYTES",
            description = "Most bytes of all kept logs together. Default: ${DEFAULT-VALUE}.")
    long keepBytes = Retention.DEFAULT.logBytes();

    @Option(
            names = "--max-artefacts",
            paramLabel = "FILES",
            description = "Most artefacts of a job. Default: ${DEFAULT-VALUE}.")
    int maxArtefacts = ArtefactLimits.DEFAULT.files();

    @Option(
            names = "--max-artefact-bytes",
            paramLabel = "BYTES",
            description = "Most bytes of a job's artefacts together. Default: ${DEFAULT-VALUE}.")
    long maxArtefactBytes = ArtefactLimits.DEFAULT.bytes();

    @Option(
            names = "--keep-artefact-bytes",
            paramLabel = "BYTES",
            description =
                    "Most bytes of all kept artefacts together; those of the oldest jobs go first. Default: ${DEFAULT-VALUE}.")
    long keepArtefactBytes = ArtefactLimits.DEFAULT.totalBytes();

    @Option(
            names = "--files",
            paramLabel = "FOLDER",
            description = "Folder for --output files. Without it, that output is refused.")
    @Nullable
    Path files;

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description =
                    "Server for --output redis: redis://host:port/database, without a password. Give an address with a "
                            + "password as BUILDS_REDIS_URI in the environment.")
    Optional<String> redis = Optional.empty();

    @Option(
            names = "--web-port",
            paramLabel = "PORT",
            description =
                    "Port of a web page of jobs and logs, for browsers on this machine; 0 takes a free one. It asks for a "
                            + "token of a client. Without it there is no page.")
    @Nullable
    Integer webPort;

    @Option(
            names = "--origin",
            paramLabel = "HOST:PORT",
            description =
                    "Address for the clients and slaves of the program that this one replaces, which speak WebSocket without "
                            + "encryption; port 0 takes a free one. Without it there is no such address.")
    Optional<String> origin = Optional.empty();

    @Option(
            names = "--origin-executors",
            paramLabel = "COUNT",
            description =
                    "Number of builds that each such slave is given at the same time, since slaves do not say how many "
                            + "they run. Default: ${DEFAULT-VALUE}.")
    int originExecutors = 2;

    @Option(
            names = "--hooks",
            paramLabel = "FILE",
            description =
                    "YAML file of webhooks, by which forges start builds when somebody pushes. Requires --web-port. The guide "
                            + "describes its keys.")
    @Nullable
    Path hooks;

    private final AtomicReference<@Nullable OriginGateway> gateway = new AtomicReference<>();
    private final ProcessContext around;

    MasterCommand(ProcessContext around) {
        this.around = around;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        shared.warn(around.err());
        checkNumbers();
        List<Hook> known = hooks();
        Settings settings = new Settings(around.environment(), ConfigFile.NONE);
        Admission admission = admission(settings);
        MasterOptions options = MasterOptions.of(folder, admission)
                .withAddress(InetAddress.getByName(listen), port)
                .withGrace(Duration.ofSeconds(graceSeconds))
                .withMaxAttempts(maxAttempts)
                .withMaxQueued(maxQueued, quota == null ? (maxQueued + 1) / 2 : quota)
                .withRetention(new Retention(keepJobs, Duration.ofDays(keepDays), keepBytes))
                .withArtefacts(new ArtefactLimits(maxArtefacts, maxArtefactBytes, keepArtefactBytes));
        Master master = Master.start(options, sinks(settings));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(master), "builds-stop"));
        startPage(master, admission, known);
        startGateway(master, admission);
        around.out()
                .write(("ready: " + new MasterAddress(listen, master.port()) + "\n").getBytes(StandardCharsets.UTF_8));
        around.out().flush();
        @Nullable Throwable failure = master.join();
        if (failure != null) {
            around.err().println("Error: the master failed: " + FailureMessages.describe(failure));
            return BuildsExitCode.FAILED;
        }
        return ExitCode.OK;
    }

    private Admission admission(Settings settings) throws IOException {
        if (tokens == null) {
            return Admission.of(shared.security(settings));
        }
        Token token = shared.hasToken(settings) ? shared.security(settings).token() : null;
        try {
            return new Admission(Access.of(token, tokens), shared.tls(settings), shared.tick());
        } catch (FileSystemException e) {
            throw new UsageException("--tokens: " + FailureMessages.describe(e), e);
        }
    }

    private void checkNumbers() {
        Ranges.checkPort("--port", port);
        Ranges.check("--grace", graceSeconds, 0, Integer.MAX_VALUE);
        Ranges.check("--origin-executors", originExecutors, 1, BuildAgentBuilder.MAX_EXECUTORS);
        Ranges.check("--max-attempts", maxAttempts, 1, Integer.MAX_VALUE);
        Ranges.check("--max-queued", maxQueued, 1, Integer.MAX_VALUE);
        Ranges.check("--quota", quota == null ? 1 : quota, 1, Integer.MAX_VALUE);
        Ranges.check("--keep-jobs", keepJobs, 0, Integer.MAX_VALUE);
        Ranges.check("--keep-days", keepDays, 0, Integer.MAX_VALUE);
        Ranges.check("--keep-bytes", keepBytes, 0, Long.MAX_VALUE);
        Ranges.check("--max-artefacts", maxArtefacts, 0, Bundle.MAX_FILES);
        Ranges.check("--max-artefact-bytes", maxArtefactBytes, 0, Long.MAX_VALUE / 2);
        Ranges.check("--keep-artefact-bytes", keepArtefactBytes, 0, Long.MAX_VALUE / 2);
        if (webPort != null) {
            Ranges.checkPort("--web-port", webPort);
        }
    }

    private List<Hook> hooks() {
        if (hooks == null) {
            return List.of();
        }
        if (webPort == null) {
            throw new UsageException("--hooks: forges call the web server, which --web-port starts");
        }
        return HooksFile.read(hooks);
    }

    private void startPage(Master master, Admission admission, List<Hook> known) throws IOException {
        if (webPort != null) {
            WebServer page =
                    WebServer.start(master.view(), admission.access(), webPort, known, folder.resolve("reports"));
            Runtime.getRuntime().addShutdownHook(new Thread(page::close, "builds-web-stop"));
            around.out().write(("page: http://127.0.0.1:" + page.port() + "/\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private void startGateway(Master master, Admission admission) throws IOException {
        if (origin.isEmpty()) {
            return;
        }
        InetSocketAddress address = HostPort.parse("--origin", origin.get());
        if (!address.getAddress().isLoopbackAddress()) {
            around.err()
                    .println(
                            "WARNING: --origin listens beyond this machine, and its protocol has no encryption: whoever is on the "
                                    + "way reads tokens, variables, secrets and output, and can change them. Put a proxy with TLS before "
                                    + "it, or use this program's own clients and agents.");
        }
        InetAddress own = InetAddress.getByName(listen);
        String host =
                own.isAnyLocalAddress() ? InetAddress.getLoopbackAddress().getHostAddress() : own.getHostAddress();
        OriginGateway opened = OriginGateway.start(new OriginOptions(
                address, new MasterAddress(host, master.port()), admission, folder.resolve("origin"), originExecutors));
        gateway.set(opened);
        String name = address.getHostString();
        String shown = name.indexOf(':') >= 0 ? '[' + name + ']' : name;
        around.out()
                .write(("origin: ws://" + shown + ":" + opened.port() + "/connect\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Closes what there is, the gateway first: it talks to the master. */
    private void stop(Master master) {
        OriginGateway open = gateway.get();
        if (open != null) {
            open.close();
        }
        master.close();
    }

    private List<Sink> sinks(Settings settings) throws IOException {
        List<Sink> sinks = new ArrayList<>();
        if (files != null) {
            sinks.add(Sinks.files(files));
        }
        if (redis.isPresent() && redis.get().contains("@")) {
            throw new UsageException(
                    "--redis: a password on the command line is visible to everybody on this machine; give BUILDS_REDIS_URI in the "
                            + "environment instead");
        }
        settings.find(redis, "REDIS_URI")
                .map(RedisOptions::of)
                .map(Sinks::redis)
                .ifPresent(sinks::add);
        return sinks;
    }
}

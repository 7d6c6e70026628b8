package dev.touchstone.builds.cli;

import dev.touchstone.builds.master.Master;
import dev.touchstone.builds.master.MasterOptions;
import dev.touchstone.builds.output.RedisOptions;
import dev.touchstone.builds.output.Sink;
import dev.touchstone.builds.output.Sinks;
import dev.touchstone.builds.web.WebServer;
import dev.touchstone.builds.wire.MasterAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a master until the process is told to end. */
@Command(
        name = "master",
        description =
                "Takes builds, and gives them to agents. What it has accepted is on the device before it says so.",
        footerHeading = "%nExit codes:%n",
        footer = {
            "    2  the command line or the environment is not usable",
            "  125  the machine failed: the port is taken, the folder is damaged or another master's",
            "  143  it was told to end (SIGTERM)",
        })
final class MasterCommand implements Callable<Integer> {
    @Mixin
    SharedFlags shared = new SharedFlags();

    @Option(
            names = "--folder",
            required = true,
            paramLabel = "FOLDER",
            description = "Its own: the journal of jobs, and the logs.")
    @SuppressWarnings("NullAway.Init") // picocli's
    Path folder;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = "By default ${DEFAULT-VALUE}; another than this machine's own with TLS only.")
    String listen = "127.0.0.1";

    @Option(names = "--port", paramLabel = "PORT", description = "By default ${DEFAULT-VALUE}; 0 is a free one.")
    int port = MasterAddress.DEFAULT_PORT;

    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            description =
                    "How long an agent may be away before its builds are given to others; by default ${DEFAULT-VALUE}.")
    int graceSeconds = 15;

    @Option(
            names = "--max-attempts",
            paramLabel = "COUNT",
            description = "How often a job is given to an agent; by default ${DEFAULT-VALUE}.")
    int maxAttempts = 2;

    @Option(
            names = "--max-queued",
            paramLabel = "JOBS",
            description = "Jobs that may wait; by default ${DEFAULT-VALUE}.")
    int maxQueued = 1_000_000;

    @Option(
            names = "--keep-jobs",
            paramLabel = "COUNT",
            description = "Ended jobs that are kept; by default ${DEFAULT-VALUE}.")
    int keepJobs = MasterOptions.Retention.DEFAULT.jobs();

    @Option(names = "--keep-days", paramLabel = "DAYS", description = "For how long; by default ${DEFAULT-VALUE}.")
    int keepDays = (int) MasterOptions.Retention.DEFAULT.age().toDays();

    @Option(
            names = "--keep-bytes",
            paramLabel = "BYTES",
            description = "Of their logs together; by default ${DEFAULT-VALUE}.")
    long keepBytes = MasterOptions.Retention.DEFAULT.logBytes();

    @Option(
            names = "--files",
            paramLabel = "FOLDER",
            description = "Where --output files goes; without it, that is refused.")
    @Nullable
    Path files;

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description = "Where --output redis goes: redis://host:port/database without a password. With one: "
                    + "BUILDS_REDIS_URI in the environment.")
    Optional<String> redis = Optional.empty();

    @Option(
            names = "--web-port",
            paramLabel = "PORT",
            description =
                    "Where this machine's browsers see jobs and logs; 0 is a free one. Without it there is no page.")
    @Nullable
    Integer webPort;

    private final Surroundings around;

    MasterCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        shared.refuseArgument();
        Settings settings = new Settings(around.environment(), ConfigFile.NONE);
        MasterOptions options = MasterOptions.of(folder, shared.security(settings))
                .withAddress(InetAddress.getByName(listen), port)
                .withGrace(Duration.ofSeconds(graceSeconds))
                .withMaxAttempts(maxAttempts)
                .withMaxQueued(maxQueued)
                .withRetention(new MasterOptions.Retention(keepJobs, Duration.ofDays(keepDays), keepBytes));
        Master master = Master.start(options, sinks(settings));
        Runtime.getRuntime().addShutdownHook(new Thread(master::close, "builds-stop"));
        startPage(master);
        around.out()
                .write(("ready: " + new MasterAddress(listen, master.port()) + "\n").getBytes(StandardCharsets.UTF_8));
        around.out().flush();
        @Nullable Throwable failure = master.join();
        if (failure != null) {
            around.err().println("Error: master has failed: " + failure);
            return ExitCode.FAILED;
        }
        return ExitCode.OK;
    }

    private void startPage(Master master) throws IOException {
        if (webPort != null) {
            WebServer page = WebServer.start(master.view(), webPort);
            Runtime.getRuntime().addShutdownHook(new Thread(page::close, "builds-web-stop"));
            around.out().write(("page: http://127.0.0.1:" + page.port() + "/\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private List<Sink> sinks(Settings settings) throws IOException {
        List<Sink> sinks = new ArrayList<>();
        if (files != null) {
            sinks.add(Sinks.files(files));
        }
        if (redis.isPresent() && redis.get().contains("@")) {
            throw new UsageException("a password on the command line is seen by everybody: give BUILDS_REDIS_URI");
        }
        settings.find(redis, "REDIS_URI")
                .map(RedisOptions::of)
                .map(Sinks::redis)
                .ifPresent(sinks::add);
        return sinks;
    }
}

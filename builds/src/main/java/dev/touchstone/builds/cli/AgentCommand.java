package dev.touchstone.builds.cli;

import dev.touchstone.builds.agent.BuildAgent;
import dev.touchstone.builds.agent.BuildAgentBuilder;
import dev.touchstone.builds.agent.source.Sources;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.link.LocalAgent;
import dev.touchstone.builds.origin.OriginAddress;
import dev.touchstone.builds.origin.OriginSlave;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Security;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.FailureMessages;
import dev.touchstone.cli.Ranges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code agent}: runs an agent until the process is terminated. */
@Command(
        name = "agent",
        aliases = "slave",
        description = {
            "Runs the builds that a master assigns to this machine.",
            "",
            "Values without an option are taken from the environment, from BUILDS_<NAME> or CIDER_<NAME>, where <NAME> is "
                    + "MASTER_URL, SLAVE_IDENTITY, SLAVE_LABELS or SLAVE_WORKSPACE."
        },
        exitCodeList = {
            "2:The command line or the environment cannot be used, or --isolation sandbox or a limit cannot be had.",
            "125:The machine failed, or the folder belongs to another agent.",
            "143:The process was terminated (SIGTERM), and its builds were ended."
        })
final class AgentCommand implements Callable<Integer> {
    @Mixin
    SharedFlags shared = new SharedFlags();

    @Option(
            names = {"-master", "--master"},
            paramLabel = "URL",
            description =
                    "Address of the master: builds://host:port, or ws://host:port/connect for the protocol of the program "
                            + "that this one replaces.")
    Optional<String> master = Optional.empty();

    @Option(
            names = {"-identity", "--identity"},
            paramLabel = "NAME",
            description = "Name of this agent: unique among the agents of the master, and the same after a restart.")
    Optional<String> identity = Optional.empty();

    @Option(
            names = {"-labels", "--labels"},
            paramLabel = "LABEL,...",
            description = "Labels that jobs may ask for, besides any.")
    Optional<String> labels = Optional.empty();

    @Option(
            names = {"-workspace", "--workspace"},
            paramLabel = "FOLDER",
            description = "Folder of this agent alone, for mirrors, workspaces, jobs and logs.")
    Optional<String> workspace = Optional.empty();

    @Option(
            names = {"-executors", "--executors"},
            paramLabel = "COUNT",
            description = "Number of builds at the same time. Default: one for each processor.")
    Optional<Integer> executors = Optional.empty();

    @Option(
            names = "--allow-env",
            split = ",",
            paramLabel = "NAME",
            description = "Variables of the agent's environment that are passed to scripts.")
    Set<String> allowed = new LinkedHashSet<>();

    @Option(
            names = "--git-config",
            paramLabel = "FILE",
            description =
                    "Configuration of the agent's own git, for credential helpers and proxies; builds must not be able "
                            + "to write it. The user's and the system's configuration are not read. Default: none.")
    Optional<Path> gitConfig = Optional.empty();

    @Mixin
    IsolationFlags isolation = new IsolationFlags();

    @Mixin
    LimitFlags limits = new LimitFlags();

    @Option(
            names = "--keep-days",
            paramLabel = "DAYS",
            description = "Time to keep workspaces, mirrors and caches that no build uses. Default: ${DEFAULT-VALUE}.")
    int keepDays = (int) BuildAgentBuilder.DEFAULT_KEEP_AGE.toDays();

    @Option(
            names = "--keep-bytes",
            paramLabel = "BYTES",
            description =
                    "Most bytes of all workspaces, mirrors and caches together; those that builds use stay. Default: "
                            + "${DEFAULT-VALUE}.")
    long keepBytes = BuildAgentBuilder.DEFAULT_KEEP_BYTES;

    @Option(
            names = "--keep-free-bytes",
            paramLabel = "BYTES",
            description =
                    "Bytes of the workspaces' device to keep free: with less, the build that takes most of it is stopped. "
                            + "Default: ${DEFAULT-VALUE}.")
    long keepFreeBytes = 1L << 30;

    @Option(
            names = "--kill-grace",
            paramLabel = "SECONDS",
            description = "Time between asking the processes of a build to end and killing them. Default: 10.")
    Optional<Long> killGrace = Optional.empty();

    @Option(
            names = {"-verbose", "--verbose", "-debug", "--debug"},
            hidden = true,
            description = "Accepted for compatibility with the original.")
    boolean isVerbose;

    private final ProcessContext around;

    AgentCommand(ProcessContext around) {
        this.around = around;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        shared.warn(around.err());
        Settings settings = new Settings(around.environment(), ConfigFile.NONE);
        String address = settings.require(master, "MASTER_URL", "master");
        String name = settings.require(identity, "SLAVE_IDENTITY", "identity");
        Function<LocalAgent, AutoCloseable> connect = connector(address, name, shared.security(settings));
        Sources.measureMeanwhile();
        BuildAgent agent = open(settings);
        AutoCloseable link = connect.apply(LocalAgent.of(agent));
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(agent, link), "builds-stop"));
        around.out()
                .write(("ready: identity=" + name + " master=" + address + " executors=" + agent.executors()
                                + " runners=" + agent.runners() + " labels=" + agent.labels() + " isolation="
                                + agent.isolation() + "\n")
                        .getBytes(StandardCharsets.UTF_8));
        around.out().flush();
        ended.await();
        return ExitCode.OK;
    }

    /** Returns what connects an agent, by the protocol that the address names. */
    private Function<LocalAgent, AutoCloseable> connector(String address, String name, Security security) {
        if (OriginAddress.isOne(address)) {
            OriginAddress master = OriginAddress.parse(address);
            SharedFlags.warnOf(master, around.err());
            return agent -> OriginSlave.start(agent, master, name, security);
        }
        LinkOptions options = LinkOptions.of(name, MasterAddress.parse(address), security);
        return agent -> AgentLink.start(agent, options);
    }

    private BuildAgent open(Settings settings) throws IOException {
        Path root = Path.of(settings.require(workspace, "SLAVE_WORKSPACE", "workspace"));
        BuildAgentBuilder builder = BuildAgent.at(root).environment(around.environment());
        Optional<String> names = settings.find(labels, "SLAVE_LABELS");
        if (names.isPresent()) {
            Set<String> all = new LinkedHashSet<>();
            Arrays.stream(names.get().split(",", -1))
                    .map(String::strip)
                    .filter(label -> !label.isEmpty())
                    .forEach(all::add);
            builder = builder.labels(all);
        }
        if (executors.isPresent()) {
            Ranges.check("--executors", executors.get(), 1, BuildAgentBuilder.MAX_EXECUTORS);
            builder = builder.executors(executors.get());
        }
        if (!allowed.isEmpty()) {
            builder = builder.allow(allowed);
        }
        Ranges.check("--keep-days", keepDays, 0, Integer.MAX_VALUE);
        Ranges.check("--keep-bytes", keepBytes, 0, Long.MAX_VALUE);
        Ranges.check("--keep-free-bytes", keepFreeBytes, 0, Long.MAX_VALUE);
        builder =
                builder.keepAge(Duration.ofDays(keepDays)).keepBytes(keepBytes).keepFreeBytes(keepFreeBytes);
        List<Path> hidden = new ArrayList<>(shared.secretFiles(settings));
        if (gitConfig.isPresent()) {
            builder = builder.gitConfig(gitConfig.get());
            hidden.add(gitConfig.get());
        }
        builder = builder.isolation(isolation.options(hidden)).limits(limits.limits());
        if (killGrace.isPresent()) {
            Ranges.check("--kill-grace", killGrace.get(), 0, SharedFlags.MAX_SECONDS);
            builder = builder.grace(Duration.ofSeconds(killGrace.get()));
        }
        return builder.open();
    }

    private void close(BuildAgent agent, AutoCloseable link) {
        for (AutoCloseable part : List.of(agent, link)) { // in this order: the master is told what became of the builds
            try {
                part.close();
            } catch (Exception e) {
                around.err().println("Error: " + FailureMessages.describe(e));
            }
        }
    }
}

package dev.touchstone.builds.cli;

import dev.touchstone.builds.agent.BuildAgent;
import dev.touchstone.builds.agent.BuildAgentBuilder;
import dev.touchstone.builds.link.AgentLink;
import dev.touchstone.builds.link.LinkOptions;
import dev.touchstone.builds.link.LocalAgent;
import dev.touchstone.builds.wire.MasterAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs an agent until the process is told to end. */
@Command(
        name = "agent",
        description = {
            "Runs builds that a master gives it.",
            "What no flag says is taken from BUILDS_... or CIDER_... in the environment: MASTER_URL, SLAVE_IDENTITY, SLAVE_LABELS, "
                    + "SLAVE_WORKSPACE."
        },
        footerHeading = "%nExit codes:%n",
        footer = {
            "    2  the command line or the environment is not usable",
            "  125  the machine failed: the folder is another agent's",
            "  143  it was told to end (SIGTERM), and its builds are ended",
        })
final class AgentCommand implements Callable<Integer> {
    @Mixin
    SharedFlags shared = new SharedFlags();

    @Option(
            names = {"-master", "--master"},
            paramLabel = "URL",
            description = "builds://host:port of the master.")
    Optional<String> master = Optional.empty();

    @Option(
            names = {"-identity", "--identity"},
            paramLabel = "NAME",
            description = "Unique among the master's agents, and always the same.")
    Optional<String> identity = Optional.empty();

    @Option(
            names = {"-labels", "--labels"},
            paramLabel = "LABEL,...",
            description = "What jobs may ask for, besides any.")
    Optional<String> labels = Optional.empty();

    @Option(
            names = {"-workspace", "--workspace"},
            paramLabel = "FOLDER",
            description = "Its own: mirrors, workspaces, jobs and logs.")
    Optional<String> workspace = Optional.empty();

    @Option(
            names = {"-executors", "--executors"},
            paramLabel = "COUNT",
            description = "Builds at once; by default one for each processor.")
    Optional<Integer> executors = Optional.empty();

    @Option(
            names = "--allow-env",
            split = ",",
            paramLabel = "NAME",
            description = "Variables of this agent's environment that scripts get too.")
    Set<String> allowed = new LinkedHashSet<>();

    @Option(
            names = "--kill-grace",
            paramLabel = "SECONDS",
            description = "Between asking a build's processes to end and ending them; by default 10.")
    Optional<Long> killGrace = Optional.empty();

    @Option(
            names = {"-verbose", "--verbose", "-debug", "--debug"},
            hidden = true,
            description = "As the original's.")
    boolean isVerbose;

    private final Surroundings around;

    AgentCommand(Surroundings around) {
        this.around = around;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        shared.refuseArgument();
        Settings settings = new Settings(around.environment(), ConfigFile.NONE);
        MasterAddress address = MasterAddress.parse(settings.require(master, "MASTER_URL", "master"));
        String name = settings.require(identity, "SLAVE_IDENTITY", "identity");
        LinkOptions options = LinkOptions.of(name, address, shared.security(settings));
        BuildAgent agent = open(settings);
        AgentLink link = AgentLink.start(LocalAgent.of(agent), options);
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(agent, link), "builds-stop"));
        around.out()
                .write(("ready: identity=" + name + " master=" + address + " executors=" + agent.executors()
                                + " runners=" + agent.runners() + " labels=" + agent.labels() + "\n")
                        .getBytes(StandardCharsets.UTF_8));
        around.out().flush();
        ended.await();
        return ExitCode.OK;
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
            builder = builder.executors(executors.get());
        }
        if (!allowed.isEmpty()) {
            builder = builder.allow(allowed);
        }
        if (killGrace.isPresent()) {
            builder = builder.grace(Duration.ofSeconds(killGrace.get()));
        }
        return builder.open();
    }

    private void close(BuildAgent agent, AgentLink link) {
        try {
            agent.close();
        } catch (IOException e) {
            around.err().println("Error: " + e.getMessage());
        } finally {
            link.close();
        }
    }
}

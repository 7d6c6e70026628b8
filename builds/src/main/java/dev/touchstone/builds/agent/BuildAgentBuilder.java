package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.isolation.IsolationException;
import dev.touchstone.builds.agent.isolation.IsolationOptions;
import dev.touchstone.builds.agent.limit.Limits;
import dev.touchstone.builds.agent.limit.LimitsMissingException;
import dev.touchstone.builds.agent.process.EnvironmentPolicy;
import dev.touchstone.builds.agent.source.name.RepositoryUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says how an agent works; each call returns this. One thread at a time. */
public final class BuildAgentBuilder {
    /** Most builds that an agent runs at once. */
    public static final int MAX_EXECUTORS = 1_024;

    /** Time for which unused workspaces and mirrors are kept by default. */
    public static final Duration DEFAULT_KEEP_AGE = Duration.ofDays(30);

    /** Bytes of workspaces and mirrors together by default. */
    public static final long DEFAULT_KEEP_BYTES = 100L << 30;

    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private final Path root;
    private @Nullable Path mirrors;
    private Path gitConfig = Path.of("/dev/null");
    private int executors = Runtime.getRuntime().availableProcessors();
    private final Set<String> labels = new TreeSet<>(Set.of(BuildAgent.ANY_LABEL));
    private Duration grace = Duration.ofSeconds(10);
    private Duration tick = Duration.ofMillis(20);
    private Duration fetchIdle = Duration.ofSeconds(60);
    private Map<String, String> environment = System.getenv();
    private final Set<String> allowedNames = new HashSet<>(EnvironmentPolicy.DEFAULT_ALLOWED);
    private Set<String> schemes = RepositoryUrl.DEFAULT_SCHEMES;
    private Set<String> commandSchemes = Set.of("ssh");
    private Duration keepAge = DEFAULT_KEEP_AGE;
    private long keepBytes = DEFAULT_KEEP_BYTES;
    private long keepFreeBytes;
    private IsolationOptions isolation = IsolationOptions.NONE;
    private Limits limits = Limits.NONE;

    BuildAgentBuilder(Path root) {
        this.root = root;
    }

    /** Sets the number of builds that run at once; the CPUs unless told otherwise. */
    public BuildAgentBuilder executors(int count) {
        if (count < 1 || count > MAX_EXECUTORS) {
            throw new IllegalArgumentException("executors=" + count + " is not 1 to " + MAX_EXECUTORS);
        }
        executors = count;
        return this;
    }

    /** Adds labels that jobs may ask for, beside {@link BuildAgent#ANY_LABEL}. */
    public BuildAgentBuilder labels(Set<String> names) {
        for (String name : names) {
            if (!LABEL.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "label=" + name + " is not letters, digits, dots, dashes and underscores");
            }
        }
        labels.addAll(names);
        return this;
    }

    /** Sets the time that processes may take that are asked to end; ten seconds unless told otherwise. */
    public BuildAgentBuilder grace(Duration time) {
        grace = notNegative("grace", time);
        return this;
    }

    /** Sets the time between two looks at logs; twenty milliseconds unless told otherwise. */
    public BuildAgentBuilder tick(Duration time) {
        if (time.compareTo(Duration.ofNanos(1)) < 0) {
            throw new IllegalArgumentException("tick=" + time + " is not positive");
        }
        tick = time;
        return this;
    }

    /** Sets the silence after which a repository is given up; a minute unless told otherwise. */
    public BuildAgentBuilder fetchIdle(Duration time) {
        fetchIdle = notNegative("fetchIdle", time);
        return this;
    }

    /** Sets the agent's own environment, in which it finds programs; the JVM's unless told otherwise. */
    public BuildAgentBuilder environment(Map<String, String> variables) {
        environment = Map.copyOf(variables);
        return this;
    }

    /** Adds names of the agent's own environment that scripts get; a star at the end stands for any rest. */
    public BuildAgentBuilder allow(Set<String> names) {
        allowedNames.addAll(names);
        return this;
    }

    /** Sets the schemes of repositories that are taken; file, https and ssh unless told otherwise. */
    public BuildAgentBuilder schemes(Set<String> names) {
        schemes = Set.copyOf(names);
        return this;
    }

    /** Sets the schemes of repositories that the git command fetches; ssh unless told otherwise. */
    public BuildAgentBuilder commandSchemes(Set<String> names) {
        commandSchemes = Set.copyOf(names);
        return this;
    }

    /** Sets the time for which workspaces and mirrors are kept that no build uses; 30 days unless told otherwise. */
    public BuildAgentBuilder keepAge(Duration time) {
        keepAge = notNegative("keepAge", time);
        return this;
    }

    /** Sets the bytes that workspaces and mirrors may have together while no build uses them; 100 GiB unless told otherwise. */
    public BuildAgentBuilder keepBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("keepBytes=" + bytes + " is negative");
        }
        keepBytes = bytes;
        return this;
    }

    /** Sets the bytes of the workspaces' device to keep free: with less, the build that takes most of it is stopped; 0 unless told otherwise. */
    public BuildAgentBuilder keepFreeBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("keepFreeBytes=" + bytes + " is negative");
        }
        keepFreeBytes = bytes;
        return this;
    }

    /** Sets the folder of the mirrors, which several agents may share; in the agent's own unless told otherwise. */
    public BuildAgentBuilder mirrors(Path folder) {
        mirrors = folder;
        return this;
    }

    /**
     * Names the configuration file that the agent's own git reads in place of the user's and the system's, for credential helpers and proxies; none
     * unless told otherwise. Scripts must not be able to write it.
     */
    public BuildAgentBuilder gitConfig(Path file) {
        gitConfig = file.toAbsolutePath();
        return this;
    }

    /** Sets how scripts are kept apart from the agent and from each other; they are not unless told otherwise. */
    public BuildAgentBuilder isolation(IsolationOptions options) {
        isolation = options;
        return this;
    }

    /** Sets the most that all processes of a build may use together; nothing is limited unless told otherwise. */
    public BuildAgentBuilder limits(Limits most) {
        limits = most;
        return this;
    }

    /**
     * Starts the agent, and ends what an earlier life of it left running.
     *
     * @throws AgentLockedException if another agent has the folder
     * @throws IsolationException if the isolation that was asked for cannot be had
     * @throws LimitsMissingException if this machine cannot hold the limits
     */
    public BuildAgent open() throws IOException {
        return BuildAgent.open(new AgentOptions(
                root,
                mirrors == null ? root.resolve("mirrors") : mirrors,
                gitConfig,
                executors,
                Set.copyOf(labels),
                grace,
                tick,
                fetchIdle,
                environment,
                Set.copyOf(allowedNames),
                schemes,
                commandSchemes,
                keepAge,
                keepBytes,
                keepFreeBytes,
                isolation,
                limits));
    }

    private static Duration notNegative(String name, Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(name + "=" + time + " is negative");
        }
        return time;
    }
}

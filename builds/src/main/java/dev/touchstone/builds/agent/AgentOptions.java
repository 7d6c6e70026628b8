package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.isolation.IsolationOptions;
import dev.touchstone.builds.agent.limit.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** The options of an agent, which {@link BuildAgentBuilder} has checked. Immutable. */
record AgentOptions(
        Path root,
        Path mirrors,
        Path gitConfig,
        int executors,
        Set<String> labels,
        Duration grace,
        Duration tick,
        Duration fetchIdle,
        Map<String, String> environment,
        Set<String> allowedNames,
        Set<String> schemes,
        Set<String> commandSchemes,
        Duration keepAge,
        long keepBytes,
        long keepFreeBytes,
        IsolationOptions isolation,
        Limits limits) {

    /** Returns the same options with the real path of the agent's folder. */
    AgentOptions at(Path realRoot) {
        return new AgentOptions(
                realRoot,
                mirrors,
                gitConfig,
                executors,
                labels,
                grace,
                tick,
                fetchIdle,
                environment,
                allowedNames,
                schemes,
                commandSchemes,
                keepAge,
                keepBytes,
                keepFreeBytes,
                isolation,
                limits);
    }
}

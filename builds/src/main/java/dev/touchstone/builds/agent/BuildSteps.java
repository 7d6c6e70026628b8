package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.cache.Caches;
import dev.touchstone.builds.agent.isolation.Isolation;
import dev.touchstone.builds.agent.limit.ControlGroups;
import dev.touchstone.builds.agent.log.LogTailer;
import dev.touchstone.builds.agent.process.EnvironmentPolicy;
import dev.touchstone.builds.agent.process.Launcher;
import dev.touchstone.builds.agent.process.NamedPipes;
import dev.touchstone.builds.agent.process.Runners;
import dev.touchstone.builds.agent.source.Folders;
import dev.touchstone.builds.agent.source.Sources;
import dev.touchstone.builds.agent.store.JobStore;
import java.time.Duration;
import java.util.Optional;

/**
 * The parts that all builds of an agent share.
 *
 * @param groups control groups of the builds; empty if nothing is limited
 */
record BuildSteps(
        JobStore store,
        Sources sources,
        Caches caches,
        Folders folders,
        Launcher launcher,
        Runners runners,
        EnvironmentPolicy environment,
        Isolation isolation,
        Optional<ControlGroups> groups,
        LogTailer tailer,
        NamedPipes pipes,
        Duration grace) {}

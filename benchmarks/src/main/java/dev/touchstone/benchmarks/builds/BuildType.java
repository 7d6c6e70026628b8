package dev.touchstone.benchmarks.builds;

import dev.touchstone.benchmarks.SubjectWrappers;
import dev.touchstone.benchmarks.builds.peer.BareBuilds;
import dev.touchstone.benchmarks.builds.peer.BuildsUnderTest;
import dev.touchstone.benchmarks.builds.peer.LogsUnderTest;
import dev.touchstone.benchmarks.builds.peer.LoopbackNoops;
import dev.touchstone.benchmarks.builds.peer.NoopRequests;
import dev.touchstone.benchmarks.builds.peer.NoopsUnderTest;
import dev.touchstone.benchmarks.builds.peer.ServiceBuilds;
import dev.touchstone.benchmarks.builds.peer.ServiceLogs;
import dev.touchstone.benchmarks.builds.peer.ServiceNoops;
import dev.touchstone.benchmarks.builds.peer.ServiceOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The subjects of the benchmarks of builds, by the value of their parameter {@code subject}. */
public enum BuildType {
    OURS("all limits on", ServiceBuilds::open, ServiceNoops::open),
    CEILING_BUILD("bare tree and script, no service", BareBuilds::both, null),
    CEILING_SCRIPT("bare script, no service", BareBuilds::script, null),
    CEILING_CHECKOUT("bare tree, no service", BareBuilds::checkout, null),
    CEILING_LOOPBACK("sockets, no service", null, (options, durable, kind, most) -> LoopbackNoops.open());

    private final String level;

    @SuppressWarnings("ImmutableEnumChecker") // method references
    private final @Nullable BuildsFactory builds;

    @SuppressWarnings("ImmutableEnumChecker")
    private final @Nullable NoopsFactory noops;

    BuildType(String level, @Nullable BuildsFactory builds, @Nullable NoopsFactory noops) {
        this.level = level;
        this.builds = builds;
        this.noops = noops;
    }

    /** Returns the guarantee that the subject gives, or the work that it leaves out. */
    public String level() {
        return level;
    }

    /** Returns whether this is a physical limit and not a service. */
    public boolean ceiling() {
        return name().startsWith("CEILING");
    }

    /** Starts what does builds. */
    BuildsUnderTest open(ServiceOptions options) throws IOException {
        if (builds == null) {
            throw new UnsupportedOperationException(this + " does no builds");
        }
        return SubjectWrappers.wrapped(this, BuildsUnderTest.class, builds.open(options));
    }

    /** Starts what answers requests with nothing to do. */
    NoopsUnderTest openNoops(ServiceOptions options, boolean durable, NoopRequests kind, int most) throws IOException {
        if (noops == null) {
            throw new UnsupportedOperationException(this + " has no noops");
        }
        return SubjectWrappers.wrapped(this, NoopsUnderTest.class, noops.open(options, durable, kind, most));
    }

    /** Starts the service for builds with long logs. */
    LogsUnderTest openLogs(ServiceOptions options) throws IOException {
        if (ceiling()) {
            throw new UnsupportedOperationException(this + " has no logs");
        }
        return SubjectWrappers.wrapped(this, LogsUnderTest.class, ServiceLogs.open(options));
    }

    @FunctionalInterface
    private interface BuildsFactory {
        BuildsUnderTest open(ServiceOptions options) throws IOException;
    }

    @FunctionalInterface
    private interface NoopsFactory {
        NoopsUnderTest open(ServiceOptions options, boolean durable, NoopRequests kind, int most) throws IOException;
    }
}

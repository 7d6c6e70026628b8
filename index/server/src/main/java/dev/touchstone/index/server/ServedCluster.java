package dev.touchstone.index.server;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import dev.touchstone.cli.Console;
import dev.touchstone.index.hazelcast.Replica;
import dev.touchstone.index.hazelcast.ReplicaOptions;
import dev.touchstone.index.hazelcast.ReplicaStatus;
import dev.touchstone.index.hazelcast.ReplicaUnavailableException;
import dev.touchstone.index.hazelcast.ReplicatedPriceIndex;
import dev.touchstone.index.hazelcast.UnknownOutcomeException;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.server.api.Metrics;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.UpdateException;
import java.io.IOException;
import java.time.Duration;

/** The replica of a server in its cluster, and the member that it is. Thread-safe. */
final class ServedCluster implements PriceService.Updater, AutoCloseable {
    private static final Duration STEP = Duration.ofMillis(500);

    private final HazelcastInstance member;
    private final ReplicatedPriceIndex replicated;

    private ServedCluster(HazelcastInstance member, ReplicatedPriceIndex replicated) {
        this.member = member;
        this.replicated = replicated;
    }

    /**
     * Starts the member, and waits until its replica has the prices of the cluster.
     *
     * @param replica prices of this member
     */
    static ServedCluster join(ClusterOptions options, Replica replica, Console console)
            throws IOException, InterruptedException {
        ReplicaOptions own = ReplicaOptions.of("prices", options.minMembers);
        Config config = ReplicatedPriceIndex.configure(options.member(), own);
        HazelcastInstance member;
        try {
            member = Hazelcast.newHazelcastInstance(config);
        } catch (RuntimeException e) { // such as a port that is in use
            throw new IOException(
                    "member of the cluster cannot start: address=" + options.own + ": " + e.getMessage(), e);
        }
        ServedCluster cluster = new ServedCluster(member, ReplicatedPriceIndex.open(member, replica, own));
        try (CommandProgress progress = new CommandProgress(console, "joining the cluster")) {
            while (!cluster.replicated.awaitLive(STEP)) {
                ReplicaStatus status = cluster.replicated.status();
                if (status.state() == ReplicaStatus.State.FAILED) {
                    throw new IOException("replica has failed: " + status.failure());
                }
                progress.at(
                        String.valueOf(status.failure()),
                        member.getCluster().getMembers().size(),
                        options.minMembers);
            }
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    @Override
    public long update(PriceBatch batch) throws IOException {
        try {
            return replicated.update(batch);
        } catch (ReplicaUnavailableException e) {
            throw new UpdateException("the changes were not applied; try again: " + e.getMessage(), e);
        } catch (UnknownOutcomeException e) {
            throw new UpdateException(
                    "it is not known whether the changes were applied; read the prices, or send them again: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Returns whether this member is in the cluster for the longest time. */
    boolean isOldest() {
        return member.getLifecycleService().isRunning()
                && member.getCluster().getMembers().iterator().next().localMember();
    }

    /** Returns whether the replica applies the changes of the cluster. */
    boolean isLive() {
        return replicated.status().state() == ReplicaStatus.State.LIVE;
    }

    void measure(Metrics metrics) {
        metrics.gauge(
                "touchstone.index.cluster.live",
                "1 while this replica applies the changes of its cluster, else 0",
                () -> isLive() ? 1 : 0);
        metrics.gauge(
                "touchstone.index.cluster.members",
                "Members of the cluster that this one sees",
                () -> member.getLifecycleService().isRunning()
                        ? member.getCluster().getMembers().size()
                        : 0);
        metrics.gauge(
                "touchstone.index.cluster.sequence",
                "Sequence of the last entry of the cluster's log that this replica has applied",
                () -> replicated.status().sequence());
        metrics.gauge(
                "touchstone.index.cluster.reloads",
                "Times that this replica has loaded all prices from another one",
                () -> replicated.status().reloads());
    }

    /** Leaves the cluster; what the member holds for it goes to the others first. */
    @Override
    public void close() {
        replicated.close();
        member.shutdown();
    }
}

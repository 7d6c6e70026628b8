package dev.touchstone.benchmarks.index.cluster;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.cluster.Address;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.partition.Partition;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.serialization.cluster.HazelcastConfigs;
import dev.touchstone.benchmarks.serialization.cluster.MemberProcess;
import dev.touchstone.index.price.PriceIndex;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A Hazelcast cluster with one subject's prices. The first member is in this JVM, unless a client asks; the others are in JVMs of their own. */
public final class PriceCluster implements Closeable {
    private static final long PATIENCE_SECONDS = 60;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final String name = HazelcastConfigs.newClusterName();
    private final Layout layout;
    private final List<MemberProcess> processes = new ArrayList<>();
    private final List<HazelcastInstance> instances = new ArrayList<>();
    private final List<String> addresses = new ArrayList<>();

    /**
     * The members of a cluster, and who asks them.
     *
     * @param members number of members, at least 1
     * @param isClient whether a client in this JVM asks members in other JVMs
     * @param isNearCached whether the member or client that asks has a near cache, if the subject has one at all
     */
    public record Layout(int members, boolean isClient, boolean isNearCached) {}

    private PriceCluster(Layout layout) {
        this.layout = layout;
    }

    /**
     * Starts a cluster, which is not loaded.
     *
     * @param declared subject, which the members of other JVMs open too
     * @param subject the same subject, opened
     */
    public static PriceCluster start(DeclaredSubject declared, ClusterUnderTest subject, Layout layout)
            throws IOException {
        PriceCluster cluster = new PriceCluster(layout);
        try {
            cluster.start(declared, subject);
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    private void start(DeclaredSubject declared, ClusterUnderTest subject) throws IOException {
        if (!layout.isClient) {
            Config config = HazelcastConfigs.withoutRecords(
                    name, HazelcastConfigs.LOOPBACK, HazelcastConfigs.ANY_PORT, List.of());
            HazelcastInstance member = start(subject, config);
            Address address = member.getCluster().getLocalMember().getAddress();
            addresses.add(address.getHost() + ":" + address.getPort());
        }
        while (addresses.size() < layout.members) {
            MemberProcess process = MemberProcess.start(
                    PriceMemberMain.class,
                    PriceMemberMain.flags(declared.name(), layout.isNearCached),
                    name,
                    addresses);
            processes.add(process);
            addresses.add(process.address());
        }
        subject.use(layout.isClient ? client(subject) : instances.get(0));
        awaitMembers();
    }

    /** Starts a member in this JVM with what a subject has on it. */
    private HazelcastInstance start(ClusterUnderTest subject, Config config) throws IOException {
        HazelcastInstance member = startMember(subject, config);
        instances.add(member);
        return member;
    }

    static HazelcastInstance startMember(ClusterUnderTest subject, Config config) throws IOException {
        config.getJetConfig().setEnabled(false); // its threads have nothing to do, unless the subject has SQL
        subject.configure(config);
        HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
        try {
            subject.join(member);
        } catch (IOException | RuntimeException e) {
            member.getLifecycleService().terminate();
            throw e;
        }
        return member;
    }

    private HazelcastInstance client(ClusterUnderTest subject) {
        ClientConfig config = HazelcastConfigs.withoutRecords(name, addresses);
        subject.configure(config);
        HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
        instances.add(client);
        return client;
    }

    /**
     * Returns a client of the cluster, with which another object of the same subject looks at the prices.
     *
     * @param index index with the fields, without prices
     */
    public ClusterUnderTest observer(DeclaredSubject declared, PriceIndex index) throws IOException {
        ClusterUnderTest observer = declared.open(ClusterUnderTest.class, index, false);
        observer.use(client(observer));
        return observer;
    }

    private void awaitMembers() throws IOException {
        HazelcastInstance any = instances.get(0);
        boolean unused = any.getMap("partitions").isEmpty(); // partitions have no owners before the first use
        await(
                "partitions of each member",
                () -> any.getPartitionService().getPartitions().stream()
                                .map(Partition::getOwner)
                                .distinct()
                                .count()
                        == layout.members);
        awaitBackups();
    }

    /** Waits until each price is where it will stay, with its backup. */
    public void awaitBackups() throws IOException {
        if (!layout.isClient) {
            await("backups", () -> instances.get(0).getPartitionService().isClusterSafe());
        }
    }

    private static void await(String what, BooleanSupplier isThere) throws IOException {
        long begin = System.nanoTime();
        while (!isThere.getAsBoolean()) {
            if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new IOException("cluster has no " + what + " after " + PATIENCE_SECONDS + " s");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        for (int i = instances.size() - 1; i >= 0; i--) {
            instances.get(i).getLifecycleService().terminate();
        }
        processes.forEach(MemberProcess::close);
    }
}

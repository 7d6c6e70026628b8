package dev.touchstone.index.hazelcast;

import com.hazelcast.cluster.MembershipAdapter;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.config.Config;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.RingbufferConfig;
import com.hazelcast.config.SplitBrainProtectionConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.spi.merge.DiscardMergePolicy;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionOn;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.hazelcast.ReplicaStatus.State;
import dev.touchstone.index.price.BatchFormat;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A price index of which every member of a Hazelcast cluster has a replica with all prices. Thread-safe.
 *
 * <p>Searches use {@link #index}, at the speed of an index without a cluster, and see the changes of all members in one order. An update at any member
 * returns when its entry is in the log of the cluster, on two members if there are two, its own replica shows it, and {@link ReplicaOptions#minMembers}
 * replicas have applied it. Its version is the same on all replicas: {@link #awaitVersion} of another member waits until that one shows it, too.
 *
 * <p>The log is a ring buffer of Hazelcast. A member that joins, or was further behind than the log reaches, loads all prices from another one. Prices
 * last as long as one member does, unless replicas keep them elsewhere; see {@link Replica}.
 *
 * <p>With {@link ReplicaOptions#minMembers} of a majority, the smaller side of a split cluster refuses updates and goes on searching in the prices that it
 * has; it loads them anew when the sides have found each other.
 */
public final class ReplicatedPriceIndex implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ReplicatedPriceIndex.class.getName());
    private static final int MAX_IN_FLIGHT = 1024;
    private static final long CLOSE_MILLIS = 20_000;

    private final HazelcastInstance here;
    private final ConcurrentMap<String, Object> context; // of the member, for the tasks of others
    private final ReplicaOptions options;
    private final Replica replica;
    private final ReplicaProgress progress;
    private final PendingUpdates pending = new PendingUpdates();
    private final ReplicaRequests requests;
    private final LogWriter writer;
    private final BatchFormat format;
    private final Semaphore inFlight = new Semaphore(MAX_IN_FLIGHT);
    private final List<Thread> threads;
    private final UUID lifecycleListener;
    private final UUID membershipListener;

    private ReplicatedPriceIndex(HazelcastInstance here, Replica replica, ReplicaOptions options) {
        this.here = here;
        context = here.getUserContext();
        this.options = options;
        this.replica = replica;
        ReentrantLock applying = new ReentrantLock();
        LogContents contents = new LogContents(here, options);
        progress = new ReplicaProgress(options.recentEntries());
        requests = new ReplicaRequests(replica, progress, applying, here.getCluster());
        writer = new LogWriter(
                here.getRingbuffer(log(options)),
                contents,
                here.getCluster(),
                options,
                progress,
                pending,
                new ReplicaPeers(here, options, requests),
                replica);
        format = new BatchFormat(replica.index());
        threads = List.of(
                daemon(
                        "price-replica-",
                        new LogFollower(here, options, replica, progress, pending, contents, applying, requests)),
                daemon("price-log-writer-", writer));
        lifecycleListener = here.getLifecycleService().addLifecycleListener(event -> {
            if (event.getState() == LifecycleEvent.LifecycleState.MERGED) {
                lose("sides of the cluster have merged", applying);
            }
        });
        membershipListener = here.getCluster().addMembershipListener(new MembershipAdapter() {
            @Override
            public void memberRemoved(MembershipEvent event) {
                if (event.getMembers().size() < options.minMembers()) {
                    lose(LogFollower.tooFew(event.getMembers().size(), options), applying);
                }
                forget(event.getMember().getUuid());
            }
        });
    }

    private Thread daemon(String role, Runnable task) {
        Thread thread = new Thread(task, role + options.name());
        thread.setDaemon(true);
        return thread;
    }

    private void lose(String reason, Lock applying) {
        applying.lock();
        try {
            progress.lose(reason);
        } finally {
            applying.unlock();
        }
    }

    private void forget(UUID member) {
        try {
            requests.close(member);
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "snapshot of a member that has left cannot be deleted", e);
        }
    }

    /** Returns the name of the log in the cluster. */
    static String log(ReplicaOptions options) {
        return options.name() + ".log";
    }

    /**
     * Adds the structures of an index to the configuration of a member, before the member is started. All members need the same.
     *
     * @param config configuration of the member
     * @param options options of the index
     * @return the same configuration
     */
    public static Config configure(Config config, ReplicaOptions options) {
        @Nullable String protection = options.minMembers() > 1 ? options.name() + ".protection" : null;
        config.addRingBufferConfig(new RingbufferConfig(log(options))
                .setCapacity(options.logEntries())
                .setBackupCount(1)
                .setTimeToLiveSeconds(0)
                .setSplitBrainProtectionName(protection)
                .setMergePolicyConfig(new MergePolicyConfig().setPolicy(DiscardMergePolicy.class.getName())));
        LogContents.configure(config, options, protection);
        if (protection != null) {
            config.addSplitBrainProtectionConfig(new SplitBrainProtectionConfig(protection, true, options.minMembers())
                    .setProtectOn(SplitBrainProtectionOn.WRITE));
        }
        config.getSerializationConfig().addDataSerializableFactory(ReplicaTask.FACTORY, ReplicaTask.factory());
        // an entry that has no backup yet must not count as written
        return config.setProperty("hazelcast.operation.fail.on.indeterminate.state", "true");
    }

    /**
     * Opens the replica of this member. It joins the others in the background; see {@link #awaitLive}.
     *
     * @param member member of the cluster, whose configuration {@link #configure} has got; not a client
     * @param replica prices of the member until it has joined; if it is the first one of a new cluster, those of all members. They must be changed by the
     *     replicated index only
     * @param options options, the same on all members
     * @return a replicated index, to be closed before the member is
     * @throws IllegalStateException if the member has an open replica of this name already, or its configuration has another log
     */
    public static ReplicatedPriceIndex open(HazelcastInstance member, Replica replica, ReplicaOptions options) {
        if (member.getRingbuffer(log(options)).capacity() != options.logEntries()) {
            throw new IllegalStateException("member was started without the index, or with other options: name="
                    + options.name() + "; call ReplicatedPriceIndex.configure before");
        }
        ReplicatedPriceIndex opened = new ReplicatedPriceIndex(member, replica, options);
        String key = ReplicaTask.contextKey(options.name());
        if (opened.context.putIfAbsent(key, opened.requests) != null) {
            opened.removeListeners();
            throw new IllegalStateException("replica is open already: name=" + options.name());
        }
        opened.threads.forEach(Thread::start);
        return opened;
    }

    /**
     * Returns the index that searches use.
     *
     * @return always the same index, which must be changed by {@link #update} only
     */
    public PriceIndex index() {
        return replica.index();
    }

    /**
     * Returns the state of this replica.
     *
     * @return state, version and position
     */
    public ReplicaStatus status() {
        return progress.status(replica.index().version());
    }

    /**
     * Waits until this replica applies the changes of the cluster and accepts updates.
     *
     * @param timeout maximum time to wait
     * @return whether the replica is live
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean awaitLive(Duration timeout) throws InterruptedException {
        return await(() -> progress.state() == State.LIVE, timeout);
    }

    /**
     * Waits until this replica shows a version, such as one that an update at another member has made, or a later one.
     *
     * @param version number of the version
     * @param timeout maximum time to wait
     * @return whether the index shows the version or a later one
     * @throws InterruptedException if the thread was interrupted
     */
    public boolean awaitVersion(long version, Duration timeout) throws InterruptedException {
        return await(() -> replica.index().version() >= version, timeout);
    }

    private boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long left = timeout.toMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            if (left <= 0 || progress.isEnded()) {
                return false;
            }
            progress.pause(Math.min(left, 10)); // a change between the two calls is seen soon
        }
        return true;
    }

    /**
     * Applies all changes of a batch in order on all replicas, and publishes them together. Returns when this replica shows them, the log of the
     * cluster holds them, with a backup if there are two members, and {@link ReplicaOptions#minMembers} replicas have applied them.
     *
     * @param batch changes, at most 32 MiB of them
     * @return number of the new version, the same on all replicas
     * @throws IndexException if the index cannot have one of the prices, or the batch is too long; nothing has changed then
     * @throws ReplicaUnavailableException if the cluster cannot take the update now; nothing has changed then
     * @throws UnknownOutcomeException if it is not known whether the update was applied, or will be
     */
    public long update(PriceBatch batch) throws IOException {
        CompletableFuture<Long> outcome;
        try {
            outcome = updateAsync(batch);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReplicaUnavailableException("interrupted before the update was sent", e);
        }
        try {
            return outcome.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnknownOutcomeException("interrupted before the outcome of the update was known", e);
        } catch (ExecutionException e) {
            throw cause(e);
        }
    }

    private static IOException cause(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof RuntimeException refusal) {
            throw refusal;
        }
        return cause instanceof IOException failure
                ? failure
                : new UnknownOutcomeException("update failed: " + cause, e);
    }

    /**
     * Applies all changes of a batch like {@link #update}, without waiting for the outcome. Waits while there are {@value #MAX_IN_FLIGHT} updates without
     * an outcome. Updates of one thread are applied in their order.
     *
     * @param batch changes, which may be used again when this method has returned
     * @return number of the new version, or a failure as {@link #update} throws it. Actions that depend on it run on the thread that applies changes, and
     *     must not block
     * @throws IndexException if the index cannot have one of the prices, or the batch is too long; nothing has changed then
     * @throws InterruptedException if the thread was interrupted; nothing has changed then
     */
    public CompletableFuture<Long> updateAsync(PriceBatch batch) throws InterruptedException {
        LogPosition position = progress.livePosition();
        if (position == null) {
            ReplicaStatus status = status();
            return CompletableFuture.failedFuture(new ReplicaUnavailableException(
                    "replica is not live: name=" + options.name() + " state=" + status.state() + ": "
                            + status.failure(),
                    null));
        }
        PriceIndex next = index().after(batch);
        byte[] content = format.encode(next.version(), batch);
        inFlight.acquire();
        LogEntry entry =
                new LogEntry(LogEntry.Kind.BATCH, position.epoch(), UUID.randomUUID(), ByteBuffer.wrap(content));
        CompletableFuture<Long> outcome = pending.add(entry);
        writer.add(entry);
        return outcome.orTimeout(options.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .handle((version, failure) -> {
                    String known = pending.forget(entry.id());
                    inFlight.release();
                    if (failure == null) {
                        return version;
                    }
                    throw new CompletionException(described(failure, known));
                });
    }

    private Throwable described(Throwable failure, String known) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof TimeoutException
                ? new UnknownOutcomeException(
                        "no outcome in time: name=" + options.name() + " timeout=" + options.timeout() + " state="
                                + progress.state() + " " + known,
                        cause)
                : cause;
    }

    /**
     * Leaves the cluster's replicas. Updates without an outcome end with an unknown one; the index can still be searched. A second call does nothing.
     */
    @Override
    public void close() {
        progress.close();
        context.remove(ReplicaTask.contextKey(options.name()), requests);
        removeListeners();
        try {
            requests.close();
            for (Thread each : threads) {
                each.join(CLOSE_MILLIS);
            }
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "snapshot of another member cannot be deleted: name=" + options.name(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void removeListeners() {
        try {
            boolean unused = here.getLifecycleService().removeLifecycleListener(lifecycleListener)
                    && here.getCluster().removeMembershipListener(membershipListener);
        } catch (HazelcastInstanceNotActiveException e) {
            // the listeners have ended with the member
        }
    }
}

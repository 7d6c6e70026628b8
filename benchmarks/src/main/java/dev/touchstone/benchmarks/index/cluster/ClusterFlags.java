package dev.touchstone.benchmarks.index.cluster;

/** The flags of all JVMs with members or clients that hold prices, beside those that Hazelcast asks for. */
public final class ClusterFlags {
    /** All heap from the start, since the prices of the largest subject fill a third of it. */
    public static final String MIN_HEAP = "-Xms3G";

    public static final String MAX_HEAP = "-Xmx3G";

    /** Two threads for callbacks: the default pool of two processors has one, and then Java starts a thread for each callback. */
    public static final String CALLBACKS = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2";

    private ClusterFlags() {}
}

package dev.touchstone.benchmarks.queue;

/** The semantic checks of durable writing beside key-value stores and of its latency: see {@link QueueSemanticChecks}. */
public final class QueueStoreChecks {

    private QueueStoreChecks() {}

    /** OURS_SYNCED in queue-write-synced-stores. */
    public static final class WriteSyncedStoresOursSynced extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedStoresOursSynced() {
            super("queue-write-synced-stores", Work.WRITE, QueueType.OURS_SYNCED);
        }
    }

    /** MVSTORE in queue-write-synced-stores. */
    public static final class WriteSyncedStoresMvstore extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedStoresMvstore() {
            super("queue-write-synced-stores", Work.WRITE, QueueType.MVSTORE);
        }
    }

    /** ROCKSDB in queue-write-synced-stores. */
    public static final class WriteSyncedStoresRocksdb extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedStoresRocksdb() {
            super("queue-write-synced-stores", Work.WRITE, QueueType.ROCKSDB);
        }
    }

    /** LMDB in queue-write-synced-stores. */
    public static final class WriteSyncedStoresLmdb extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedStoresLmdb() {
            super("queue-write-synced-stores", Work.WRITE, QueueType.LMDB);
        }
    }

    /** CEILING_DSYNC in queue-write-synced-stores. */
    public static final class WriteSyncedStoresCeilingDsync extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedStoresCeilingDsync() {
            super("queue-write-synced-stores", Work.WRITE, QueueType.CEILING_DSYNC);
        }
    }

    /** OURS_SYNCED in queue-latency-synced. */
    public static final class LatencySyncedOursSynced extends QueueCheck {
        /** For the service loader. */
        public LatencySyncedOursSynced() {
            super("queue-latency-synced", Work.LATENCY, QueueType.OURS_SYNCED);
        }
    }

    /** TAPE in queue-latency-synced. */
    public static final class LatencySyncedTape extends QueueCheck {
        /** For the service loader. */
        public LatencySyncedTape() {
            super("queue-latency-synced", Work.LATENCY, QueueType.TAPE);
        }
    }

    /** CHRONICLE_SYNC in queue-latency-synced. */
    public static final class LatencySyncedChronicleSync extends QueueCheck {
        /** For the service loader. */
        public LatencySyncedChronicleSync() {
            super("queue-latency-synced", Work.LATENCY, QueueType.CHRONICLE_SYNC);
        }
    }

    /** ARTEMIS in queue-latency-synced. */
    public static final class LatencySyncedArtemis extends QueueCheck {
        /** For the service loader. */
        public LatencySyncedArtemis() {
            super("queue-latency-synced", Work.LATENCY, QueueType.ARTEMIS);
        }
    }

    /** MVSTORE in queue-latency-synced. */
    public static final class LatencySyncedMvstore extends QueueCheck {
        /** For the service loader. */
        public LatencySyncedMvstore() {
            super("queue-latency-synced", Work.LATENCY, QueueType.MVSTORE);
        }
    }

    /** ROCKSDB in queue-latency-synced. */
    public static final class LatencySyncedRocksdb extends QueueCheck {
        /** For the service loader. */
        public LatencySyncedRocksdb() {
            super("queue-latency-synced", Work.LATENCY, QueueType.ROCKSDB);
        }
    }

    /** LMDB in queue-latency-synced. */
    public static final class LatencySyncedLmdb extends QueueCheck {
        /** For the service loader. */
        public LatencySyncedLmdb() {
            super("queue-latency-synced", Work.LATENCY, QueueType.LMDB);
        }
    }

    /** CEILING_DSYNC in queue-latency-synced. */
    public static final class LatencySyncedCeilingDsync extends QueueCheck {
        /** For the service loader. */
        public LatencySyncedCeilingDsync() {
            super("queue-latency-synced", Work.LATENCY, QueueType.CEILING_DSYNC);
        }
    }
}

package dev.touchstone.benchmarks.queue;

/** The semantic checks of durable writing beside Artemis' journal, in bulks and without waiting: see {@link QueueSemanticChecks}. */
public final class QueueBulkChecks {

    private QueueBulkChecks() {}

    /** ARTEMIS in queue-write-synced. */
    public static final class WriteSyncedArtemis extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedArtemis() {
            super("queue-write-synced", Work.WRITE, QueueType.ARTEMIS);
        }
    }

    /** OURS_SYNCED in queue-write-synced-async. */
    public static final class WriteSyncedAsyncOursSynced extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedAsyncOursSynced() {
            super("queue-write-synced-async", Work.ASYNC, QueueType.OURS_SYNCED);
        }
    }

    /** ARTEMIS in queue-write-synced-async. */
    public static final class WriteSyncedAsyncArtemis extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedAsyncArtemis() {
            super("queue-write-synced-async", Work.ASYNC, QueueType.ARTEMIS);
        }
    }

    /** CEILING_DSYNC_64K in queue-write-synced-async. */
    public static final class WriteSyncedAsyncCeilingDsync64k extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedAsyncCeilingDsync64k() {
            super("queue-write-synced-async", Work.ASYNC, QueueType.CEILING_DSYNC_64K);
        }
    }

    /** OURS_SYNCED in queue-write-synced-bulk. */
    public static final class WriteSyncedBulkOursSynced extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedBulkOursSynced() {
            super("queue-write-synced-bulk", Work.BULK, QueueType.OURS_SYNCED);
        }
    }

    /** ARTEMIS in queue-write-synced-bulk. */
    public static final class WriteSyncedBulkArtemis extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedBulkArtemis() {
            super("queue-write-synced-bulk", Work.BULK, QueueType.ARTEMIS);
        }
    }

    /** ROCKSDB in queue-write-synced-bulk. */
    public static final class WriteSyncedBulkRocksdb extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedBulkRocksdb() {
            super("queue-write-synced-bulk", Work.BULK, QueueType.ROCKSDB);
        }
    }

    /** CEILING_DSYNC_64K in queue-write-synced-bulk. */
    public static final class WriteSyncedBulkCeilingDsync64k extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedBulkCeilingDsync64k() {
            super("queue-write-synced-bulk", Work.BULK, QueueType.CEILING_DSYNC_64K);
        }
    }

    /** OURS_SYNCED in queue-roll. */
    public static final class RollOursSynced extends QueueCheck {
        /** For the service loader. */
        public RollOursSynced() {
            super("queue-roll", Work.ROLL, QueueType.OURS_SYNCED);
        }
    }

    /** ARTEMIS in queue-roll. */
    public static final class RollArtemis extends QueueCheck {
        /** For the service loader. */
        public RollArtemis() {
            super("queue-roll", Work.ROLL, QueueType.ARTEMIS);
        }
    }
}

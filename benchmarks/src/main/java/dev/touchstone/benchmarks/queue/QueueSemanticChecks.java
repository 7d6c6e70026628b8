package dev.touchstone.benchmarks.queue;

/** The queue's semantic checks: one class for each subject of each workload, because a service loader makes them without arguments. */
public final class QueueSemanticChecks {

    private QueueSemanticChecks() {}

    /** OURS_SYNCED in queue-write-synced. */
    public static final class WriteSyncedOursSynced extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedOursSynced() {
            super("queue-write-synced", Work.WRITE, QueueType.OURS_SYNCED);
        }
    }

    /** TAPE in queue-write-synced. */
    public static final class WriteSyncedTape extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedTape() {
            super("queue-write-synced", Work.WRITE, QueueType.TAPE);
        }
    }

    /** CHRONICLE_SYNC in queue-write-synced. */
    public static final class WriteSyncedChronicleSync extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedChronicleSync() {
            super("queue-write-synced", Work.WRITE, QueueType.CHRONICLE_SYNC);
        }
    }

    /** CEILING_DSYNC in queue-write-synced. */
    public static final class WriteSyncedCeilingDsync extends QueueCheck {
        /** For the service loader. */
        public WriteSyncedCeilingDsync() {
            super("queue-write-synced", Work.WRITE, QueueType.CEILING_DSYNC);
        }
    }

    /** OURS_WRITTEN in queue-write-page-cache. */
    public static final class WritePageCacheOursWritten extends QueueCheck {
        /** For the service loader. */
        public WritePageCacheOursWritten() {
            super("queue-write-page-cache", Work.WRITE, QueueType.OURS_WRITTEN);
        }
    }

    /** CHRONICLE in queue-write-page-cache. */
    public static final class WritePageCacheChronicle extends QueueCheck {
        /** For the service loader. */
        public WritePageCacheChronicle() {
            super("queue-write-page-cache", Work.WRITE, QueueType.CHRONICLE);
        }
    }

    /** CEILING_APPEND in queue-write-page-cache. */
    public static final class WritePageCacheCeilingAppend extends QueueCheck {
        /** For the service loader. */
        public WritePageCacheCeilingAppend() {
            super("queue-write-page-cache", Work.WRITE, QueueType.CEILING_APPEND);
        }
    }

    /** OURS_BATCHED in queue-write-batched. */
    public static final class WriteBatchedOursBatched extends QueueCheck {
        /** For the service loader. */
        public WriteBatchedOursBatched() {
            super("queue-write-batched", Work.WRITE, QueueType.OURS_BATCHED);
        }
    }

    /** CHRONICLE in queue-write-batched. */
    public static final class WriteBatchedChronicle extends QueueCheck {
        /** For the service loader. */
        public WriteBatchedChronicle() {
            super("queue-write-batched", Work.WRITE, QueueType.CHRONICLE);
        }
    }

    /** CEILING_APPEND in queue-write-batched. */
    public static final class WriteBatchedCeilingAppend extends QueueCheck {
        /** For the service loader. */
        public WriteBatchedCeilingAppend() {
            super("queue-write-batched", Work.WRITE, QueueType.CEILING_APPEND);
        }
    }

    /** OURS_BATCHED in queue-scan. */
    public static final class ScanOursBatched extends QueueCheck {
        /** For the service loader. */
        public ScanOursBatched() {
            super("queue-scan", Work.SCAN, QueueType.OURS_BATCHED);
        }
    }

    /** CHRONICLE in queue-scan. */
    public static final class ScanChronicle extends QueueCheck {
        /** For the service loader. */
        public ScanChronicle() {
            super("queue-scan", Work.SCAN, QueueType.CHRONICLE);
        }
    }

    /** CEILING_SCAN in queue-scan. */
    public static final class ScanCeilingScan extends QueueCheck {
        /** For the service loader. */
        public ScanCeilingScan() {
            super("queue-scan", Work.SCAN, QueueType.CEILING_SCAN);
        }
    }

    /** OURS_BATCHED in queue-mixed. */
    public static final class MixedOursBatched extends QueueCheck {
        /** For the service loader. */
        public MixedOursBatched() {
            super("queue-mixed", Work.MIXED, QueueType.OURS_BATCHED);
        }
    }

    /** CHRONICLE in queue-mixed. */
    public static final class MixedChronicle extends QueueCheck {
        /** For the service loader. */
        public MixedChronicle() {
            super("queue-mixed", Work.MIXED, QueueType.CHRONICLE);
        }
    }

    /** OURS_WRITTEN in queue-mixed-written. */
    public static final class MixedWrittenOursWritten extends QueueCheck {
        /** For the service loader. */
        public MixedWrittenOursWritten() {
            super("queue-mixed-written", Work.MIXED, QueueType.OURS_WRITTEN);
        }
    }

    /** CHRONICLE in queue-mixed-written. */
    public static final class MixedWrittenChronicle extends QueueCheck {
        /** For the service loader. */
        public MixedWrittenChronicle() {
            super("queue-mixed-written", Work.MIXED, QueueType.CHRONICLE);
        }
    }

    /** OURS_SYNCED in queue-mixed-synced. */
    public static final class MixedSyncedOursSynced extends QueueCheck {
        /** For the service loader. */
        public MixedSyncedOursSynced() {
            super("queue-mixed-synced", Work.MIXED, QueueType.OURS_SYNCED);
        }
    }

    /** TAPE in queue-mixed-synced. */
    public static final class MixedSyncedTape extends QueueCheck {
        /** For the service loader. */
        public MixedSyncedTape() {
            super("queue-mixed-synced", Work.MIXED, QueueType.TAPE);
        }
    }

    /** CHRONICLE_SYNC in queue-mixed-synced. */
    public static final class MixedSyncedChronicleSync extends QueueCheck {
        /** For the service loader. */
        public MixedSyncedChronicleSync() {
            super("queue-mixed-synced", Work.MIXED, QueueType.CHRONICLE_SYNC);
        }
    }
}

package dev.touchstone.benchmarks.queue;

/** The semantic checks of bigqueue and of the subjects beside it: see {@link QueueSemanticChecks}. */
public final class QueueBigqueueChecks {

    private QueueBigqueueChecks() {}

    /** OURS_WRITTEN in queue-write-page-cache-bigqueue. */
    public static final class WritePageCacheBigqueueOursWritten extends QueueCheck {
        /** For the service loader. */
        public WritePageCacheBigqueueOursWritten() {
            super("queue-write-page-cache-bigqueue", Work.WRITE, QueueType.OURS_WRITTEN);
        }
    }

    /** BIGQUEUE in queue-write-page-cache-bigqueue. */
    public static final class WritePageCacheBigqueueBigqueue extends QueueCheck {
        /** For the service loader. */
        public WritePageCacheBigqueueBigqueue() {
            super("queue-write-page-cache-bigqueue", Work.WRITE, QueueType.BIGQUEUE);
        }
    }

    /** CEILING_APPEND in queue-write-page-cache-bigqueue. */
    public static final class WritePageCacheBigqueueCeilingAppend extends QueueCheck {
        /** For the service loader. */
        public WritePageCacheBigqueueCeilingAppend() {
            super("queue-write-page-cache-bigqueue", Work.WRITE, QueueType.CEILING_APPEND);
        }
    }

    /** OURS_BATCHED in queue-write-batched-bigqueue. */
    public static final class WriteBatchedBigqueueOursBatched extends QueueCheck {
        /** For the service loader. */
        public WriteBatchedBigqueueOursBatched() {
            super("queue-write-batched-bigqueue", Work.WRITE, QueueType.OURS_BATCHED);
        }
    }

    /** BIGQUEUE in queue-write-batched-bigqueue. */
    public static final class WriteBatchedBigqueueBigqueue extends QueueCheck {
        /** For the service loader. */
        public WriteBatchedBigqueueBigqueue() {
            super("queue-write-batched-bigqueue", Work.WRITE, QueueType.BIGQUEUE);
        }
    }

    /** CEILING_APPEND in queue-write-batched-bigqueue. */
    public static final class WriteBatchedBigqueueCeilingAppend extends QueueCheck {
        /** For the service loader. */
        public WriteBatchedBigqueueCeilingAppend() {
            super("queue-write-batched-bigqueue", Work.WRITE, QueueType.CEILING_APPEND);
        }
    }

    /** OURS_BATCHED in queue-scan-bigqueue. */
    public static final class ScanBigqueueOursBatched extends QueueCheck {
        /** For the service loader. */
        public ScanBigqueueOursBatched() {
            super("queue-scan-bigqueue", Work.SCAN, QueueType.OURS_BATCHED);
        }
    }

    /** BIGQUEUE in queue-scan-bigqueue. */
    public static final class ScanBigqueueBigqueue extends QueueCheck {
        /** For the service loader. */
        public ScanBigqueueBigqueue() {
            super("queue-scan-bigqueue", Work.SCAN, QueueType.BIGQUEUE);
        }
    }

    /** CEILING_SCAN in queue-scan-bigqueue. */
    public static final class ScanBigqueueCeilingScan extends QueueCheck {
        /** For the service loader. */
        public ScanBigqueueCeilingScan() {
            super("queue-scan-bigqueue", Work.SCAN, QueueType.CEILING_SCAN);
        }
    }

    /** OURS_WRITTEN in queue-poll. */
    public static final class PollOursWritten extends QueueCheck {
        /** For the service loader. */
        public PollOursWritten() {
            super("queue-poll", Work.POLL, QueueType.OURS_WRITTEN);
        }
    }

    /** CHRONICLE in queue-poll. */
    public static final class PollChronicle extends QueueCheck {
        /** For the service loader. */
        public PollChronicle() {
            super("queue-poll", Work.POLL, QueueType.CHRONICLE);
        }
    }

    /** BIGQUEUE in queue-poll. */
    public static final class PollBigqueue extends QueueCheck {
        /** For the service loader. */
        public PollBigqueue() {
            super("queue-poll", Work.POLL, QueueType.BIGQUEUE);
        }
    }

    /** OURS_BATCHED in queue-mixed-bigqueue. */
    public static final class MixedBigqueueOursBatched extends QueueCheck {
        /** For the service loader. */
        public MixedBigqueueOursBatched() {
            super("queue-mixed-bigqueue", Work.MIXED, QueueType.OURS_BATCHED);
        }
    }

    /** BIGQUEUE in queue-mixed-bigqueue. */
    public static final class MixedBigqueueBigqueue extends QueueCheck {
        /** For the service loader. */
        public MixedBigqueueBigqueue() {
            super("queue-mixed-bigqueue", Work.MIXED, QueueType.BIGQUEUE);
        }
    }

    /** BIGQUEUE in queue-mixed-written. */
    public static final class MixedWrittenBigqueue extends QueueCheck {
        /** For the service loader. */
        public MixedWrittenBigqueue() {
            super("queue-mixed-written", Work.MIXED, QueueType.BIGQUEUE);
        }
    }
}

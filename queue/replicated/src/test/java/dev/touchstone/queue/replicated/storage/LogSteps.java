package dev.touchstone.queue.replicated.storage;

import com.alipay.sofa.jraft.entity.LogEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random changes of a storage, with what they have to leave. */
final class LogSteps {
    private final SplittableRandom random;
    private LogContent content = LogContent.EMPTY;
    private List<LogContent> possible = List.of(content);
    private long term = 1;
    private String lastStep = "none";

    LogSteps(SplittableRandom random) {
        this.random = random;
    }

    /** Returns what the storage holds, if no step has failed since {@link #settle}. */
    LogContent content() {
        return content;
    }

    /** Returns what the storage may hold at its next opening: after a step that failed, also a part of it. */
    List<LogContent> possible() {
        return possible;
    }

    String lastStep() {
        return lastStep;
    }

    /** Goes on from what was found. */
    void settle(LogContent found) {
        content = found;
        possible = List.of(found);
    }

    /** Changes the storage; returns false if it failed. */
    boolean step(SegmentLogStorage storage) {
        int kind = random.nextInt(20);
        if (kind < 12) {
            return append(storage);
        } else if (kind < 15) {
            long lastKept = Math.max(content.first() - 1, content.last() - random.nextInt(12));
            term++;
            lastStep = "truncateSuffix " + lastKept;
            return settleIf(storage.truncateSuffix(lastKept), content.truncateSuffix(lastKept));
        } else if (kind < 19) {
            boolean beyond = random.nextInt(8) == 0;
            long firstKept = content.first() + random.nextInt(content.entries().size() + (beyond ? 8 : 2));
            lastStep = "truncatePrefix " + firstKept;
            return settleIf(storage.truncatePrefix(firstKept), content.truncatePrefix(firstKept));
        }
        long next = Math.max(1, content.last() - 3 + random.nextInt(8));
        term++;
        lastStep = "reset " + next;
        return settleIf(storage.reset(next), new LogContent(next, List.of()));
    }

    private boolean append(SegmentLogStorage storage) {
        List<LogEntry> entries = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        List<LogContent> prefixes = new ArrayList<>(List.of(content));
        for (int i = 0; i < count; i++) {
            entries.add(LogEntries.data(content.last() + 1 + i, term, payload()));
            prefixes.add(content.append(entries));
        }
        lastStep = "append " + entries.get(0).getId() + " and " + (count - 1) + " more";
        boolean done = storage.appendEntries(entries) == count;
        possible = prefixes;
        if (done) {
            settle(content.append(entries));
        }
        return done;
    }

    private boolean settleIf(boolean done, LogContent after) {
        possible = List.of(content, after);
        if (done) {
            settle(after);
        }
        return done;
    }

    /** Half of the payloads have one length, so that old frames and new ones lie at the same places; some need a longer segment. */
    private byte[] payload() {
        int kind = random.nextInt(40);
        byte[] payload = new byte[kind == 0 ? 20_000 : kind < 20 ? 200 : random.nextInt(1500)];
        random.nextBytes(payload);
        return payload;
    }
}

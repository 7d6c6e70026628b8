package dev.touchstone.builds.master.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.wire.LongArrayList;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal by itself. */
class JournalTest {
    private static final int EVENTS = 2_000;
    private static final Event TOO_LONG = new Event.Done("a".repeat(17 << 20), 1, new LongArrayList());

    @TempDir
    Path folder;

    @Test
    void oldest_whileEventsAreOnTheirWay_isThatOfTheOldestEvent() throws Exception {
        CountDownLatch stored = new CountDownLatch(EVENTS);
        try (Journal journal = new Journal(new JournalFolder(folder), Runnable::run)) {
            long first = journal.oldest();
            for (int i = 0; i < EVENTS; i++) {
                journal.append(new Event.Requeued(i, 1), (sequence, failure) -> stored.countDown());
                assertThat(journal.oldest()).isEqualTo(first);
            }
            stored.await();
            journal.remove(10);
            assertThat(journal.oldest()).isEqualTo(first + 10);
        }
        try (Journal journal = new Journal(new JournalFolder(folder), Runnable::run)) {
            assertThat(journal.oldest()).isEqualTo(journal.nextSequence() - EVENTS + 10);
            journal.remove(2L * EVENTS);
            assertThat(journal.oldest()).isEqualTo(journal.nextSequence());
        }
    }

    @Test
    void problem_isThatOfTheLastEvent() throws Exception {
        CountDownLatch stored = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        Journal journal = new Journal(new JournalFolder(folder), Runnable::run);
        try (journal) {
            journal.append(new Event.Requeued(1, 1), (sequence, failure) -> stored.countDown());
            stored.await();
            assertThat(journal.problem()).isNull();
        }
        journal.append(new Event.Requeued(2, 1), (sequence, failure) -> failed.countDown());
        failed.await();
        assertThat(journal.problem()).isNotNull();
    }

    /** An event that is refused, as all are for which the disk has no room, takes no sequence from those after it. */
    @Test
    void sequence_afterARefusedEvent_isThatOfTheRecord() throws Exception {
        CompletableFuture<Long> kept = new CompletableFuture<>();
        try (Journal journal = new Journal(new JournalFolder(folder), Runnable::run)) {
            CompletableFuture<Throwable> refused = new CompletableFuture<>();
            journal.append(TOO_LONG, (sequence, failure) -> refused.complete(failure));
            assertThat(refused.get()).hasMessageContaining("too long");
            journal.append(new Event.Requeued(7, 1), (sequence, failure) -> kept.complete(sequence));
            assertThat(kept.get()).isPositive();
        }
        try (Journal journal = new Journal(new JournalFolder(folder), Runnable::run)) {
            Map<Long, Event> played = new HashMap<>();
            boolean unused = journal.play(played::put);
            assertThat(played).containsExactly(Map.entry(kept.get(), new Event.Requeued(7, 1)));
            assertThat(journal.nextSequence()).isEqualTo(kept.get() + 1);
        }
    }

    @Test
    void tryAgain_afterARefusedEvent_tellsWhetherOneCanBeStored() throws Exception {
        BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
        try (Journal journal = new Journal(new JournalFolder(folder), inbox::add)) {
            journal.tryAgain();
            assertThat(inbox).as("nothing was refused").isEmpty();
            journal.append(TOO_LONG, (sequence, failure) -> {});
            inbox.take().run();
            assertThat(journal.problem()).isNotNull();
            journal.tryAgain();
            journal.tryAgain();
            inbox.take().run();
            assertThat(journal.problem()).isNull();
            assertThat(inbox).as("one at a time").isEmpty();
            assertThat(journal.size()).isEqualTo(1);
        }
    }
}

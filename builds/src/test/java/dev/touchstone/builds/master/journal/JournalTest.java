package dev.touchstone.builds.master.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal by itself. */
class JournalTest {
    private static final int EVENTS = 2_000;

    @TempDir
    Path folder;

    @Test
    void oldest_whileEventsAreOnTheirWay_isThatOfTheOldestEvent() throws Exception {
        CountDownLatch stored = new CountDownLatch(EVENTS);
        try (Journal journal = new Journal(new JournalFolder(folder), Runnable::run)) {
            long first = journal.oldest();
            for (int i = 0; i < EVENTS; i++) {
                long unused = journal.append(new Event.Requeued(i, 1), failure -> stored.countDown());
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
            long unused = journal.append(new Event.Requeued(1, 1), failure -> stored.countDown());
            stored.await();
            assertThat(journal.problem()).isNull();
        }
        long unused = journal.append(new Event.Requeued(2, 1), failure -> failed.countDown());
        failed.await();
        assertThat(journal.problem()).isNotNull();
    }
}

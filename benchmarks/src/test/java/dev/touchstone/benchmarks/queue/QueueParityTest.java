package dev.touchstone.benchmarks.queue;

import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All subjects return the same elements in the same order. */
@Timeout(60)
final class QueueParityTest {

    private static final int FEW = 50;
    private static final int MANY = 5_000;
    private static final int WRITERS = 4;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "CEILING_.*")
    void oneWriter_scanReopenAndRead_sameElementsInOrder(QueueType subject) throws Exception {
        new QueueChecks(subject, folder).fifo(count(subject));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "CEILING_.*")
    void severalWriters_read_completeAndInOrderOfEachProducer(QueueType subject) throws Exception {
        new QueueChecks(subject, folder).producers(WRITERS, count(subject));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "CEILING_.*")
    void severalWritersAndOneReader_atOnce_completeAndInOrderOfEachProducer(QueueType subject) throws Exception {
        new QueueChecks(subject, folder).mixed(WRITERS, count(subject));
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS_BATCHED", "CHRONICLE", "CEILING_SCAN"})
    void oneWriter_scannedTwice_sameElementsInOrder(QueueType subject) throws Exception {
        new QueueChecks(subject, folder).scanned(MANY);
    }

    private static int count(QueueType subject) {
        return subject.durable() ? FEW : MANY;
    }
}

package dev.touchstone.benchmarks.queue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
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
    private static final int BULKS = 5;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.MATCH_NONE,
            names = {"CEILING_.*", "ARTEMIS"})
    void oneWriter_scanReopenAndRead_sameElementsInOrder(QueueType subject) throws Exception {
        NativeSubjects.assumeRuns(subject);
        new QueueChecks(subject, folder).fifo(count(subject));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.MATCH_NONE,
            names = {"CEILING_.*", "ARTEMIS"})
    void severalWriters_read_completeAndInOrderOfEachProducer(QueueType subject) throws Exception {
        NativeSubjects.assumeRuns(subject);
        new QueueChecks(subject, folder).producers(WRITERS, count(subject));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.MATCH_NONE,
            names = {"CEILING_.*", "ARTEMIS"})
    void severalWritersAndOneReader_atOnce_completeAndInOrderOfEachProducer(QueueType subject) throws Exception {
        NativeSubjects.assumeRuns(subject);
        new QueueChecks(subject, folder).mixed(WRITERS, count(subject));
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS_BATCHED", "CHRONICLE", "BIGQUEUE", "CEILING_SCAN"})
    void oneWriter_scannedTwice_sameElementsInOrder(QueueType subject) throws Exception {
        new QueueChecks(subject, folder).scanned(MANY);
    }

    @Test
    void severalWriters_journalThatIsNoQueue_scansFindTheSameElements() throws Exception {
        new QueueChecks(QueueType.ARTEMIS, folder).stored(WRITERS, FEW);
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS_SYNCED", "ARTEMIS"})
    void oneWriter_notWaitingForItsElements_scanFindsThemInOrder(QueueType subject) throws Exception {
        new QueueChecks(subject, folder).async(MANY);
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS_SYNCED", "ARTEMIS", "ROCKSDB"})
    void oneWriter_bulks_scanFindsTheirElementsInOrder(QueueType subject) throws Exception {
        NativeSubjects.assumeRuns(subject);
        new QueueChecks(subject, folder).bulks(BULKS);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.MATCH_ANY,
            names = {"OURS_.*", ".*_JOBS.*"})
    void severalWorkers_jobsKilledAndReopened_eachDoneOnce(QueueType subject) throws Exception {
        new JobChecks(subject).doneOnce(folder, WRITERS, FEW);
    }

    private static int count(QueueType subject) {
        return subject.durable() ? FEW : MANY;
    }
}

package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.SubjectsOf;
import dev.touchstone.benchmarks.queue.peer.AsyncWrites;
import dev.touchstone.benchmarks.queue.peer.BulkWrites;
import dev.touchstone.benchmarks.queue.peer.JobTable;
import dev.touchstone.benchmarks.queue.peer.JournalUnderTest;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
    @MethodSource("queues")
    void oneWriter_scanReopenAndRead_sameElementsInOrder(QueueSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        new QueueChecks(subject, folder).fifo(count(subject));
    }

    @ParameterizedTest
    @MethodSource("queues")
    void severalWriters_read_completeAndInOrderOfEachProducer(QueueSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        new QueueChecks(subject, folder).producers(WRITERS, count(subject));
    }

    @ParameterizedTest
    @MethodSource("queues")
    void severalWritersAndOneReader_atOnce_completeAndInOrderOfEachProducer(QueueSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        new QueueChecks(subject, folder).mixed(WRITERS, count(subject));
    }

    @ParameterizedTest
    @SubjectsOf(QueueScanBenchmark.class)
    void oneWriter_scannedTwice_sameElementsInOrder(QueueSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        new QueueChecks(subject, folder).scanned(MANY);
    }

    @ParameterizedTest
    @MethodSource("journals")
    void severalWriters_journalThatIsNoQueue_scansFindTheSameElements(QueueSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        new QueueChecks(subject, folder).stored(WRITERS, FEW);
    }

    @ParameterizedTest
    @MethodSource("asyncQueues")
    void oneWriter_notWaitingForItsElements_scanFindsThemInOrder(QueueSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        new QueueChecks(subject, folder).async(MANY);
    }

    @ParameterizedTest
    @MethodSource("bulkQueues")
    void oneWriter_bulks_scanFindsTheirElementsInOrder(QueueSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        new QueueChecks(subject, folder).bulks(BULKS);
    }

    @ParameterizedTest
    @MethodSource("jobTables")
    void severalWorkers_jobsKilledAndReopened_eachDoneOnce(QueueSubject subject) throws Exception {
        new JobChecks(subject).doneOnce(folder, WRITERS, FEW);
    }

    private static Stream<QueueSubject> queues() {
        return subjects(QueueSubject::fifo);
    }

    private static Stream<QueueSubject> journals() {
        return subjectsThatOpen(JournalUnderTest.class);
    }

    private static Stream<QueueSubject> asyncQueues() {
        return subjectsThatOpen(AsyncWrites.class);
    }

    private static Stream<QueueSubject> bulkQueues() {
        return subjectsThatOpen(BulkWrites.class);
    }

    private static Stream<QueueSubject> jobTables() {
        return subjectsThatOpen(JobTable.class);
    }

    private static Stream<QueueSubject> subjectsThatOpen(Class<?> role) {
        return subjects(subject -> !subject.ceiling() && subject.declared().opens(role));
    }

    private static Stream<QueueSubject> subjects(Predicate<QueueSubject> wanted) {
        return SubjectsOf.Workloads.subjects(SubjectsOf.Workloads.all()
                        .filter(workload -> workload.part().equals("queue")))
                .map(QueueSubject::of)
                .filter(wanted);
    }

    private static int count(QueueSubject subject) {
        return subject.durable() ? FEW : MANY;
    }
}

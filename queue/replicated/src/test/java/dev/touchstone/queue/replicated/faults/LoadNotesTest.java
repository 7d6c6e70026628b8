package dev.touchstone.queue.replicated.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notes whose judgement is known. */
class LoadNotesTest {
    @TempDir
    Path folder;

    private final LoadNotes notes = new LoadNotes();

    private LoadNotes.Counts judge(String... lines) throws Exception {
        return notes.judge(List.of(Files.write(folder.resolve("notes"), List.of(lines))));
    }

    @Test
    void judge_acceptedAndNeverHandedOut_isLost() throws Exception {
        assertThat(judge("1 2 P p0-1", "3 4 P p0-2", "5 6 L p0-2", "7 8 A p0-2").lost)
                .isOne();
    }

    @Test
    void judge_refusedAcknowledgementAndNotHandedOutAgain_isLost() throws Exception {
        assertThat(judge("1 2 P p0-1", "3 4 L p0-1", "5 6 R p0-1").lost).isOne();
    }

    @Test
    void judge_acknowledgementWithoutOutcome_isUnknown() throws Exception {
        LoadNotes.Counts counts = judge("1 2 P p0-1", "3 4 L p0-1", "5 6 U p0-1", "1 2 P p1-1", "3 4 L p1-1");
        assertThat(counts.lost).isZero();
        assertThat(counts.unknown).isEqualTo(2);
    }

    @Test
    void judge_handedOutAfterItsAcknowledgement_isUndone() throws Exception {
        LoadNotes.Counts counts =
                judge("1 2 P p0-1", "3 4 L p0-1", "5 6 A p0-1", "5 7 L p0-1", "8 9 L p0-1", "10 11 A p0-1");
        assertThat(counts.undone)
                .as("a lease that was asked for earlier may come late")
                .isOne();
        assertThat(counts.twice).isOne();
    }

    @Test
    void table_faultsOfTwoKinds_countsEachFromItsBegin() throws Exception {
        notes.begins(Fault.KILL, 10);
        notes.begins(Fault.STOP, 20);
        LoadNotes.Counts counts = judge("11 12 P p0-1", "13 21 P p0-2", "22 23 P p1-1");
        assertThat(counts.accepted).isEqualTo(3);
        assertThat(notes.table().lines().map(line -> line.replaceAll(" +", " ")))
                .contains("kill 1 1 0 0 1 0 0", "stop 1 2 0 0 2 0 0", "all 2 3 0 0 3 0 0");
    }
}

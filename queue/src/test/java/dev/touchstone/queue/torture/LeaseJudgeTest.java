package dev.touchstone.queue.torture;

import static dev.touchstone.queue.torture.Ledger.CURSORS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.Durability;
import dev.touchstone.queue.torture.Judge.Fault;
import dev.touchstone.queue.torture.Judge.Verdict;
import dev.touchstone.queue.torture.Ledger.Count;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A judge that cannot fail proves nothing: each broken promise is seen, and each loss that is allowed is not taken for one. */
class LeaseJudgeTest {
    private static final long SEED = 42;
    private static final int PRODUCERS = 2;
    private static final int COUNT = 20;
    private static final int OWN = 0;
    private static final int NAMED = 2;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    private final List<List<byte[]>> cursors = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // every test begins with start
    private Ledger ledger;

    /** Starts a ledger of two producers whose offers returned, and cursors that have removed nothing. */
    private void start(Durability durability, int generation) throws IOException {
        cursors.clear();
        ledger = Ledger.create(folder.resolve("ledger"), new Settings(durability, PRODUCERS, SEED), generation);
        List<byte[]> elements = new ArrayList<>();
        for (int index = 1; index <= COUNT; index++) {
            for (int producer = 0; producer < PRODUCERS; producer++) {
                elements.add(Element.make(SEED, generation, producer, index, ledger));
                ledger.set(Count.ATTEMPTED, producer, index);
                ledger.acknowledge(producer, index);
            }
        }
        for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
            cursors.add(new ArrayList<>(elements));
        }
    }

    /** Returns the place of an element in a cursor that has removed nothing. */
    private static int at(int producer, int index) {
        return PRODUCERS * (index - 1) + producer;
    }

    private void remove(int cursor, int producer, int index, long stamp) {
        ledger.beginRemoval(cursor, producer, index);
        ledger.endRemoval(cursor, producer, index, stamp);
    }

    private Verdict judge(Fault fault) {
        PrintStream out = new PrintStream(complaints, true, StandardCharsets.UTF_8);
        LeaseJudge judge = new LeaseJudge(ledger, ledger, fault, out);
        for (int cursor = 0; cursor < cursors.size(); cursor++) {
            for (byte[] payload : cursors.get(cursor)) {
                judge.see(cursor, payload);
            }
        }
        return judge.verdict();
    }

    private void assertFine(Fault fault) {
        Verdict verdict = judge(fault);
        assertThat(verdict.ok()).as("%s %s", verdict, complaints).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void verdict_allThereOrRemoved_isFine(Durability durability) throws IOException {
        start(durability, 1);
        remove(OWN, 1, 7, 3);
        remove(NAMED, 0, 20, 4);
        cursors.get(OWN).remove(at(1, 7));
        cursors.get(NAMED).remove(at(0, 20));
        assertFine(Fault.KILL);
        assertFine(Fault.CUT);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void verdict_removalReturnedAndIsBack_isBrokenWhereItWasPromised(Durability durability) throws IOException {
        start(durability, 1);
        remove(NAMED, 1, 7, 5);
        assertThat(judge(Fault.KILL).redeliveredPromised).isEqualTo(durability == Durability.BATCHED ? 0 : 1);
        ledger.synced(4);
        ledger.flushed(4);
        assertFine(Fault.CUT);
        ledger.flushed(5);
        assertThat(judge(Fault.CUT).redeliveredPromised).isEqualTo(1);
        assertThat(judge(Fault.KILL).redeliveredPromised).isEqualTo(1);
    }

    @Test
    void verdict_removalBeforeASyncedAppendIsBack_isBroken() throws IOException {
        start(Durability.SYNCED, 1);
        remove(OWN, 0, 3, 5);
        assertFine(Fault.CUT);
        ledger.synced(5);
        assertThat(judge(Fault.CUT).redeliveredPromised).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void verdict_removalIsBackAfterAClose_isBroken(Durability durability) throws IOException {
        start(durability, 1);
        remove(OWN, 0, 3, 5);
        ledger.setClosed();
        assertThat(judge(Fault.CUT).redeliveredPromised).isEqualTo(1);
    }

    @Test
    void verdict_removalWasBegunOnly_mayHaveHappenedOrNot() throws IOException {
        start(Durability.SYNCED, 1);
        ledger.beginRemoval(NAMED, 0, 3);
        assertFine(Fault.KILL);
        cursors.get(NAMED).remove(at(0, 3));
        assertFine(Fault.KILL);
        cursors.get(OWN).remove(at(0, 3));
        assertThat(judge(Fault.KILL).lostPromised).isEqualTo(1);
    }

    @Test
    void verdict_slotUsedAgain_elementOfBeforeMustNotComeBack() throws IOException {
        start(Durability.BATCHED, 1);
        ledger.beginRemoval(OWN, 0, 3 + Ledger.RING);
        assertThat(judge(Fault.CUT).redeliveredPromised).isEqualTo(1);
    }

    @Test
    void verdict_elementOlderThanTheRing_mustNotComeBack() throws IOException {
        start(Durability.BATCHED, 1);
        ledger.set(Count.ATTEMPTED, 0, 3 + Ledger.RING);
        assertThat(judge(Fault.CUT).redeliveredPromised).isEqualTo(3L * CURSORS.size());
    }

    @Test
    void verdict_goneThoughNobodyRemovedIt_isLostOrAHole() throws IOException {
        start(Durability.WRITTEN, 1);
        cursors.get(NAMED).remove(at(1, 7));
        assertThat(judge(Fault.KILL).lostPromised).isEqualTo(1);
        assertThat(judge(Fault.CUT).holes).isEqualTo(1);
        ledger.set(Count.FLUSHED_ACKED, 1, 7);
        assertThat(judge(Fault.CUT).lostPromised).isEqualTo(1);
    }

    @Test
    void verdict_tailGoneOnAllCursors_isAllowedWhereNotPromised() throws IOException {
        start(Durability.WRITTEN, 1);
        cursors.forEach(cursor -> cursor.subList(at(0, 18), cursor.size()).clear());
        assertFine(Fault.CUT);
        assertThat(judge(Fault.CUT).lost).isEqualTo(6);
        assertThat(judge(Fault.KILL).lostPromised).isEqualTo(6L * CURSORS.size());
    }

    @Test
    void verdict_tailGoneOnOneCursor_isAHole() throws IOException {
        start(Durability.BATCHED, 1);
        cursors.get(NAMED).subList(at(0, 18), cursors.get(NAMED).size()).clear();
        assertThat(judge(Fault.CUT).holes).isEqualTo(6);
    }

    @Test
    void verdict_oneProducersTailGone_isNotAPrefix() throws IOException {
        start(Durability.BATCHED, 1);
        cursors.forEach(cursor -> cursor.remove(at(0, COUNT)));
        assertThat(judge(Fault.CUT).holes).isEqualTo(CURSORS.size());
    }

    @Test
    void verdict_twiceSwappedChanged_areSeen() throws IOException {
        start(Durability.SYNCED, 1);
        cursors.get(NAMED).add(7, cursors.get(NAMED).get(6));
        assertThat(judge(Fault.CUT).duplicated).isEqualTo(1);
        start(Durability.SYNCED, 1);
        cursors.get(NAMED).add(at(1, 9), cursors.get(NAMED).get(at(1, 4)));
        assertThat(judge(Fault.CUT).duplicated).isEqualTo(1);
        start(Durability.SYNCED, 1);
        cursors.get(NAMED).add(at(0, 4), cursors.get(NAMED).remove(at(0, 5)));
        assertThat(judge(Fault.CUT).outOfOrder).isPositive();
        start(Durability.SYNCED, 1);
        cursors.get(NAMED).add(at(0, 6), cursors.get(NAMED).remove(at(1, 6)));
        assertThat(judge(Fault.CUT).outOfOrder).isPositive();
        start(Durability.SYNCED, 1);
        byte[] changed = cursors.get(NAMED).get(5).clone();
        changed[changed.length - 1] ^= 1;
        cursors.get(NAMED).set(5, changed);
        assertThat(judge(Fault.CUT).corrupt).isEqualTo(1);
    }

    @Test
    void verdict_elementNeverOfferedOrOfAnotherGeneration_isStale() throws IOException {
        start(Durability.SYNCED, 2);
        cursors.get(OWN).add(Element.make(SEED, 2, 0, COUNT + 1, ledger));
        assertThat(judge(Fault.CUT).stale).isEqualTo(1);
        start(Durability.SYNCED, 2);
        cursors.get(OWN).set(at(0, 5), Element.make(SEED, 1, 0, 5, ledger));
        assertThat(judge(Fault.CUT).stale).isEqualTo(1);
    }

    @Test
    void verdict_sizeDiffers_isBroken() throws IOException {
        start(Durability.SYNCED, 1);
        LeaseJudge judge =
                new LeaseJudge(ledger, ledger, Fault.CUT, new PrintStream(complaints, true, StandardCharsets.UTF_8));
        for (int cursor = 0; cursor < cursors.size(); cursor++) {
            for (byte[] payload : cursors.get(cursor)) {
                judge.see(cursor, payload);
            }
            judge.seeSize(
                    cursor,
                    cursors.get(cursor).size() + (cursor == NAMED ? 1 : 0),
                    cursors.get(cursor).size());
        }
        Verdict verdict = judge.verdict();
        assertThat(verdict.sizeWrong).isEqualTo(1);
        assertThat(verdict.ok()).isFalse();
    }

    @Test
    void verdict_killedBatchedQueue_losesNoMoreThanItsBatch() throws IOException {
        start(Durability.BATCHED, 1);
        for (int index = COUNT + 1; index <= COUNT + Settings.BATCH_RECORDS / 4; index++) {
            ledger.set(Count.ATTEMPTED, 0, index);
            ledger.acknowledge(0, index);
        }
        cursors.forEach(cursor -> cursor.subList(at(0, 18), cursor.size()).clear());
        assertThat(judge(Fault.KILL).lost).isEqualTo(6 + Settings.BATCH_RECORDS / 4);
        for (int index = COUNT + 1; index <= COUNT + Settings.BATCH_RECORDS; index++) {
            ledger.set(Count.ATTEMPTED, 0, index);
            ledger.acknowledge(0, index);
        }
        assertThat(judge(Fault.KILL).lostPromised).isPositive();
    }
}

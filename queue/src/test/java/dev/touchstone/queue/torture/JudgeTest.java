package dev.touchstone.queue.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.Durability;
import dev.touchstone.queue.torture.Judge.Fault;
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

/** A judge that finds nothing proves nothing: each kind of broken promise is one that it sees. */
class JudgeTest {
    private static final long SEED = 42;
    private static final int COUNT = 20;

    @TempDir
    Path folder;

    private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();

    /** A ledger of two producers with {@link #COUNT} acknowledged elements each. */
    private Ledger ledger(Durability durability, int generation) throws IOException {
        Ledger ledger = Ledger.create(folder.resolve("ledger"), new Settings(durability, 2, SEED), generation);
        for (int index = 1; index <= COUNT; index++) {
            for (int producer = 0; producer < 2; producer++) {
                ledger.set(Count.ATTEMPTED, producer, index);
                ledger.acknowledge(producer, index);
            }
        }
        return ledger;
    }

    /** What a queue holds to which the ledger's producers offered in turn. */
    private List<byte[]> elements(int generation, Ledger target) throws IOException {
        Ledger told = Ledger.create(folder.resolve("told"), new Settings(target.durability(), 2, SEED), generation);
        List<byte[]> elements = new ArrayList<>();
        for (int index = 1; index <= COUNT; index++) {
            for (int producer = 0; producer < 2; producer++) {
                elements.add(Element.make(SEED, generation, producer, index, told));
                told.acknowledge(producer, index);
            }
        }
        return elements;
    }

    private Judge.Verdict judge(Ledger ledger, List<byte[]> elements, Fault fault) {
        Judge judge = new Judge(ledger, ledger, fault, new PrintStream(complaints, true, StandardCharsets.UTF_8));
        elements.forEach(judge::see);
        return judge.verdict();
    }

    @Test
    void verdict_everythingThere_isFine() throws IOException {
        Ledger ledger = ledger(Durability.SYNCED, 1);
        Judge.Verdict verdict = judge(ledger, elements(1, ledger), Fault.CUT);
        assertThat(verdict.ok()).as("%s %s", verdict, complaints).isTrue();
        assertThat(verdict.present).isEqualTo(2 * COUNT);
    }

    @Test
    void verdict_lastOneGone_isLostWhereItWasPromised() throws IOException {
        Ledger synced = ledger(Durability.SYNCED, 1);
        List<byte[]> elements = elements(1, synced);
        elements.remove(elements.size() - 1);
        assertThat(judge(synced, elements, Fault.CUT).lostPromised).isEqualTo(1);
        Ledger written = ledger(Durability.WRITTEN, 1);
        assertThat(judge(written, elements, Fault.KILL).lostPromised).isEqualTo(1);
        Judge.Verdict allowed = judge(written, elements, Fault.CUT);
        assertThat(allowed.lost).isEqualTo(1);
        assertThat(allowed.ok()).isTrue();
        written.set(Count.FLUSHED_ACKED, 1, COUNT);
        assertThat(judge(written, elements, Fault.CUT).lostPromised).isEqualTo(1);
    }

    @Test
    void verdict_middleOneGone_isAHole() throws IOException {
        Ledger ledger = ledger(Durability.BATCHED, 1);
        List<byte[]> elements = elements(1, ledger);
        elements.remove(COUNT);
        assertThat(judge(ledger, elements, Fault.CUT).holes).isPositive();
    }

    @Test
    void verdict_oneProducersTailGone_isNotAPrefix() throws IOException {
        Ledger ledger = ledger(Durability.BATCHED, 1);
        List<byte[]> elements = elements(1, ledger);
        elements.remove(elements.size() - 2);
        assertThat(judge(ledger, elements, Fault.CUT).holes).isPositive();
    }

    @Test
    void verdict_twiceSwappedChanged_areSeen() throws IOException {
        Ledger ledger = ledger(Durability.SYNCED, 1);
        List<byte[]> twice = elements(1, ledger);
        twice.add(7, twice.get(6));
        assertThat(judge(ledger, twice, Fault.CUT).duplicated).isEqualTo(1);
        List<byte[]> swapped = elements(1, ledger);
        swapped.add(6, swapped.remove(7));
        assertThat(judge(ledger, swapped, Fault.CUT).outOfOrder).isEqualTo(1);
        List<byte[]> changed = elements(1, ledger);
        changed.get(5)[changed.get(5).length - 1] ^= 1;
        assertThat(judge(ledger, changed, Fault.CUT).corrupt).isEqualTo(1);
    }

    @Test
    void verdict_removedOneIsBack_isAllowedAfterAPowerCutOnly() throws IOException {
        Ledger ledger = ledger(Durability.SYNCED, 1);
        ledger.set(Count.POLLED, 0, 1);
        List<byte[]> elements = elements(1, ledger);
        assertThat(judge(ledger, elements, Fault.KILL).redeliveredPromised).isEqualTo(1);
        assertThat(judge(ledger, elements, Fault.CUT).ok()).isTrue();
        ledger.set(Count.FLUSHED_POLLED, 0, 1);
        assertThat(judge(ledger, elements, Fault.CUT).redeliveredPromised).isEqualTo(1);
    }

    @Test
    void verdict_headGone_isOneRemovalUnderWayAtMost() throws IOException {
        Ledger ledger = ledger(Durability.WRITTEN, 1);
        List<byte[]> elements = elements(1, ledger);
        elements.remove(0);
        assertThat(judge(ledger, elements, Fault.KILL).ok()).isTrue();
        elements.remove(0);
        assertThat(judge(ledger, elements, Fault.KILL).lostPromised).isEqualTo(1);
    }

    @Test
    void verdict_elementOfAnEarlierUse_isStale() throws IOException {
        Ledger ledger = ledger(Durability.SYNCED, 2);
        assertThat(judge(ledger, elements(1, ledger), Fault.CUT).stale).isEqualTo(2 * COUNT);
    }

    @Test
    void verdict_killedBatchedQueue_losesNoMoreThanItsBatch() throws IOException {
        Ledger ledger = ledger(Durability.BATCHED, 1);
        List<byte[]> elements = elements(1, ledger);
        List<byte[]> most = elements.subList(0, COUNT);
        assertThat(judge(ledger, most, Fault.KILL).ok()).isTrue();
        for (int index = COUNT + 1; index <= COUNT + Settings.BATCH_RECORDS; index++) {
            ledger.acknowledge(0, index);
        }
        assertThat(judge(ledger, most, Fault.KILL).lostPromised).isPositive();
    }
}

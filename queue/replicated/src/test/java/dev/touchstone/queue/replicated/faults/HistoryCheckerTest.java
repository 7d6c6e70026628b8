package dev.touchstone.queue.replicated.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories whose answer is known. */
class HistoryCheckerTest {
    @TempDir
    Path folder;

    private final List<String> lines = new ArrayList<>();
    private int number;

    @BeforeEach
    void needsGo() throws Exception {
        HistoryChecker.require();
    }

    private void add(long begun, long returned, String call, String result) {
        number++;
        lines.add("call c " + number + " " + begun + " " + call);
        if (!result.isEmpty()) {
            lines.add("return c " + number + " " + returned + " " + result);
        }
    }

    private HistoryChecker.Answer check() throws Exception {
        return HistoryChecker.check(List.of(Files.write(folder.resolve("history"), lines)));
    }

    @Test
    void check_callsInTurn_isLinearizable() throws Exception {
        add(1, 2, "offer a", "true");
        add(3, 4, "offer b", "true");
        add(5, 6, "lease", "a");
        add(7, 8, "peek", "b");
        add(9, 10, "poll", "b");
        add(11, 12, "ack a", "true");
        add(13, 14, "ack a", "false");
        add(15, 16, "poll", "none");
        assertThat(check().isGood()).as(check().text()).isTrue();
    }

    @Test
    void check_offersAtOnce_mayComeInAnyOrder() throws Exception {
        add(1, 10, "offer a", "true");
        add(2, 9, "offer b", "true");
        add(11, 12, "poll", "b");
        add(13, 14, "poll", "a");
        assertThat(check().isGood()).as(check().text()).isTrue();
    }

    @Test
    void check_offersInTurnAndPolledTheOtherWay_isNot() throws Exception {
        add(1, 2, "offer a", "true");
        add(3, 4, "offer b", "true");
        add(5, 6, "poll", "b");
        add(7, 8, "poll", "a");
        assertThat(check().isGood()).as(check().text()).isFalse();
    }

    @Test
    void check_acceptedAndGone_isNot() throws Exception {
        add(1, 2, "offer a", "true");
        add(3, 4, "poll", "none");
        assertThat(check().isGood()).as(check().text()).isFalse();
    }

    @Test
    void check_polledTwice_isNot() throws Exception {
        add(1, 2, "offer a", "true");
        add(3, 4, "poll", "a");
        add(5, 6, "poll", "a");
        assertThat(check().isGood()).as(check().text()).isFalse();
    }

    @Test
    void check_acknowledgedAndHandedOutAgain_isNot() throws Exception {
        add(1, 2, "offer a", "true");
        add(3, 4, "lease", "a");
        add(5, 6, "ack a", "true");
        add(7, 8, "lease", "a");
        assertThat(check().isGood()).as(check().text()).isFalse();
    }

    @Test
    void check_unknownOffer_mayComeLateOrNever() throws Exception {
        add(1, 2, "offer a", "unknown");
        add(3, 4, "poll", "none");
        assertThat(check().isGood()).as(check().text()).isTrue();
        add(5, 6, "poll", "a");
        assertThat(check().isGood()).as(check().text()).isTrue();
    }

    @Test
    void check_pollOfKilledProcess_mayHaveTaken() throws Exception {
        add(1, 2, "offer a", "true");
        add(3, 0, "poll", "");
        add(5, 6, "poll", "none");
        assertThat(check().isGood()).as(check().text()).isTrue();
    }

    @Test
    void check_refusedOfferThatIsThere_isNot() throws Exception {
        add(1, 2, "offer a", "refused");
        add(3, 4, "poll", "a");
        assertThat(check().isGood()).as(check().text()).isFalse();
    }
}

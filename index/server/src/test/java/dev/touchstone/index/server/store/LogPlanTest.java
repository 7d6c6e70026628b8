package dev.touchstone.index.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogPlanTest {
    private static LogPlan plan(long... sequencesAndVersions) {
        LogPlan plan = new LogPlan();
        for (int i = 0; i < sequencesAndVersions.length; i += 2) {
            plan.add(sequencesAndVersions[i], sequencesAndVersions[i + 1]);
        }
        return plan;
    }

    @Test
    void entriesUpToTheSnapshot_areNotApplied() {
        LogPlan.Decision decision = plan(4, 6, 5, 7, 6, 8).decide(6, 4, 7);

        assertThat(decision.applied().stream()).containsExactly(1, 2);
        assertThat(decision.firstKept()).isEqualTo(5);
        assertThat(decision.losses()).isEmpty();
    }

    @Test
    void emptyLog_appliesAndLosesNothing() {
        LogPlan.Decision decision = plan().decide(6, 4, 4);

        assertThat(decision.applied().isEmpty()).isTrue();
        assertThat(decision.firstKept()).isEqualTo(4);
        assertThat(decision.losses()).isEmpty();
    }

    @Test
    void entriesOfAFailedAppend_giveWayToLaterOnesOfTheirVersions() {
        LogPlan.Decision decision = plan(1, 2, 2, 3, 3, 4, 4, 3, 5, 4).decide(1, 1, 6);

        assertThat(decision.applied().stream()).containsExactly(0, 3, 4);
        assertThat(decision.losses()).isEmpty();
    }

    @Test
    void missingEntry_thatTheSnapshotContains_isNoLoss() {
        assertThat(plan(3, 4, 4, 5).decide(3, 1, 5).losses()).isEmpty();
        assertThat(plan(3, 3, 4, 4).decide(3, 1, 5).losses()).isEmpty();
    }

    @Test
    void missingEntry_isALossWithItsVersions() {
        assertThat(plan(1, 2, 4, 5).decide(1, 1, 5).losses()).containsExactly(new LogPlan.Loss(2, 3, 2, 5));
        assertThat(plan(2, 3).decide(1, 1, 3).losses()).containsExactly(new LogPlan.Loss(1, 1, 1, 3));
        assertThat(plan(1, 2).decide(1, 1, 4).losses()).containsExactly(new LogPlan.Loss(2, 3, 2, 0));
        assertThat(plan().decide(1, 1, 3).losses()).containsExactly(new LogPlan.Loss(1, 2, 1, 0));
        assertThat(new LogPlan.Loss(2, 3, 2, 5)).hasToString("lost: entries=2..3 after version=2 before version=5");
    }

    @Test
    void missingEntry_thatMayHaveReplacedALeftOne_isALoss() {
        // entry 2 is of an append that failed; entry 3, which is missing, had its version
        assertThat(plan(1, 2, 2, 3, 4, 4).decide(1, 1, 5).losses()).containsExactly(new LogPlan.Loss(3, 3, 3, 4));
    }

    @Test
    void snapshotOlderThanTheLog_isALossOfVersions() {
        assertThat(plan(9, 12, 10, 13).decide(5, 9, 11).losses()).containsExactly(new LogPlan.Loss(0, 0, 5, 12));
    }
}

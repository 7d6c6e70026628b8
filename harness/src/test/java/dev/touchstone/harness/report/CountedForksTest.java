package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Forks;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountedForksTest {
    private static final Forks OURS = Forks.of("w");
    private static final Forks PEER = OURS.subject("PEER");

    @Test
    void counted_secondTimeQuiet_itCounts() {
        ForkResult ours = OURS.score(1);
        ForkResult disturbed = PEER.dirty("steal").score(2);
        ForkResult oursAgain = OURS.rerun(1).score(3);
        ForkResult peerAgain = PEER.rerun(1).score(4);
        assertThat(CountedForks.counted(List.of(ours, disturbed, oursAgain, peerAgain)))
                .containsExactly(oursAgain, peerAgain);
    }

    @Test
    void counted_neverQuiet_theFirstTimeCounts() {
        ForkResult ours = OURS.score(1);
        ForkResult disturbed = PEER.dirty("steal").score(2);
        ForkResult oursAgain = OURS.rerun(1).dirty("steal").score(3);
        ForkResult peerAgain = PEER.rerun(1).score(4);
        assertThat(CountedForks.counted(List.of(ours, disturbed, oursAgain, peerAgain)))
                .containsExactly(ours, disturbed);
    }

    @Test
    void counted_againFailsOrEndsEarly_theFirstTimeCounts() {
        ForkResult ours = OURS.dirty("steal").score(1);
        ForkResult peer = PEER.score(2);
        ForkResult other = OURS.round(1).dirty("steal").score(5);
        ForkResult otherPeer = PEER.round(1).score(6);
        assertThat(CountedForks.counted(List.of(
                        ours,
                        peer,
                        OURS.rerun(1).score(3),
                        PEER.rerun(1).failed("exit=134"),
                        other,
                        otherPeer,
                        OURS.round(1).rerun(1).score(7))))
                .containsExactly(ours, peer, other, otherPeer);
    }

    @Test
    void counted_failedForkTriedOnceMore_itsLastResultCounts() {
        ForkResult second = OURS.score(1);
        assertThat(CountedForks.counted(List.of(OURS.failed("killed"), second))).containsExactly(second);
    }
}

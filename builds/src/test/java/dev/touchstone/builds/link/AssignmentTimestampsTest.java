package dev.touchstone.builds.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AssignmentTimestampsTest {
    private final AssignmentTimestamps moments = new AssignmentTimestamps();

    @Test
    void of_jobThatWasHeardOf_isWhenItWasFirst() {
        moments.heard(5, 100);
        moments.heard(5, 200);
        moments.heard(9, 300);
        assertThat(moments.of(1)).hasValue(100);
        assertThat(moments.of(5)).hasValue(100);
        assertThat(moments.of(6)).hasValue(300);
        assertThat(moments.of(9)).hasValue(300);
    }

    @Test
    void of_jobThatWasNotHeardOf_isEmpty() {
        moments.heard(5, 100);
        assertThat(moments.of(6)).isEmpty();
        moments.clear();
        assertThat(moments.of(5)).isEmpty();
    }

    @Test
    void of_jobOfLongAgo_isLaterThanItWasAndNeverEarlier() {
        for (int i = 1; i <= 5000; i++) {
            moments.heard(i, 10L * i);
        }
        assertThat(moments.of(1).orElseThrow()).isBetween(10L, 50_000L);
        assertThat(moments.of(4999)).hasValue(49_990);
    }
}

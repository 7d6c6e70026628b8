package dev.touchstone.builds.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class SharesTest {
    private static final Caller SHARED = Caller.sharing("0".repeat(64));

    private final Shares shares = new Shares(5, 2);

    private static Caller named(String name) {
        return new Caller(name, Set.of(Role.SUBMIT), "0".repeat(64));
    }

    @Test
    void take_byANamedToken_leavesTheRestToOthers() {
        Caller alice = named("alice");
        assertThat(shares.take(alice)).isTrue();
        assertThat(shares.take(alice)).isTrue();
        assertThat(shares.take(alice)).isFalse();
        assertThat(shares.take(named("bob"))).isTrue();
        assertThat(shares.describe(alice)).isEqualTo("token=alice own=2 of=2 all=3 of=5");
        shares.giveBack(alice, 1);
        assertThat(shares.take(alice)).isTrue();
        assertThat(shares.taken()).isEqualTo(3);
    }

    @Test
    void take_bySeveralGreedyTokens_leavesSomeForAnother() {
        Shares many = new Shares(100, 25);
        for (int token = 0; token < 5; token++) {
            while (many.take(named("greedy" + token))) {
                // as much as there is
            }
        }
        assertThat(many.take(named("modest"))).isTrue();
        assertThat(many.taken()).isEqualTo(25 + 25 + 25 + 13 + 6 + 1);
    }

    @Test
    void take_byTheTokenThatAllShare_endsWithWhatThereIs() {
        for (int i = 0; i < 5; i++) {
            assertThat(shares.take(SHARED)).isTrue();
        }
        assertThat(shares.take(SHARED)).isFalse();
        assertThat(shares.take(named("alice"))).isFalse();
        shares.giveBack(SHARED, 5);
        assertThat(shares.taken()).isZero();
        assertThat(shares.take(named("alice"))).isTrue();
    }
}

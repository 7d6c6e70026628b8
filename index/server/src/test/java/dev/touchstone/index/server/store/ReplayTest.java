package dev.touchstone.index.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.price.BatchFormat;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ReplayTest {
    private static final int VERSION_AT = 1;

    private final PriceIndex snapshot = NumberedUpdates.empty();
    private final byte[] small = new BatchFormat(snapshot).encode(2, new PriceBatch().remove("o", "p"));

    private Replay.Result replay(long first, long... versions) throws IOException {
        return new Replay(snapshot)
                .run(
                        visitor -> {
                            for (int i = 0; i < versions.length; i++) {
                                ByteBuffer entry = ByteBuffer.wrap(small).putLong(VERSION_AT, versions[i]);
                                boolean unused = visitor.visit(first + i, entry);
                            }
                        },
                        first,
                        first + versions.length,
                        StoreProgress.NONE);
    }

    /** Small changes make millions of entries in a log of the default length. */
    @Test
    void moreThanAMillionEntries_areAllApplied() throws IOException {
        int count = (1 << 20) + 100;
        long[] versions = new long[count];
        for (int i = 0; i < count; i++) {
            versions[i] = 2L + i;
        }
        Replay.Result found = replay(7, versions);

        assertThat(found.losses()).isEmpty();
        assertThat(found.problems()).isEmpty();
        assertThat(found.entries()).isEqualTo(count);
        assertThat(found.index().version()).isEqualTo(count + 1);
        assertThat(found.bytes()).isLessThan(StoreOptions.DEFAULT.maxLogBytes());
    }

    @Test
    void versionThatNoEntryCanHave_isALossThatTakesNoTime() throws IOException {
        for (long version : new long[] {1L << 30, Long.MAX_VALUE}) {
            Replay.Result found = replay(1, 2, 3, version, 5);

            assertThat(found.problems())
                    .containsExactly("entry=3: entry has an impossible version: version=" + version + " snapshot=1");
            assertThat(found.losses()).containsExactly(new LogPlan.Loss(3, 3, 3, 5));
            assertThat(found.index().version()).isEqualTo(5);
        }
    }
}

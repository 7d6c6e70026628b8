package dev.touchstone.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IdTableTest {
    private final long seed = Long.getLong("seed", System.nanoTime());

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 63, 64, 1000, 100_000})
    void find_ofEachId_givesItsRow(int count) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] ids = random.longs(count).distinct().toArray();
        IdTable table = IdTable.of(ids.length, row -> IdTable.hash(ids[row], row));
        for (int row = 0; row < ids.length; row++) {
            long id = ids[row];
            assertThat(table.find(IdTable.hash(id, row), at -> ids[at] == id))
                    .as("seed=%d", seed)
                    .isEqualTo(row);
            assertThat(table.find(IdTable.hash(id, -1), at -> false)).isEqualTo(IdTable.NONE);
        }
        assertThat(IdTable.repeated(
                        ids.length, row -> IdTable.hash(ids[row], 0), (one, other) -> ids[one] == ids[other]))
                .isEqualTo(IdTable.NONE);
    }

    /** Rows whose hashes are equal are told apart by their ids. */
    @Test
    void find_ofIdsWithOneHash_givesTheirRows() {
        IdTable table = IdTable.of(300, row -> 42);
        for (int row = 0; row < 300; row++) {
            int wanted = row;
            assertThat(table.find(42, at -> at == wanted)).isEqualTo(row);
        }
        assertThat(table.find(42, at -> false)).isEqualTo(IdTable.NONE);
    }

    @Test
    void repeated_givesTheFirstRowThatRepeatsAnother() {
        String[] ids = {"a", "b", "c", "b", "a"};
        assertThat(IdTable.repeated(5, row -> IdTable.hash(ids[row]), (one, other) -> ids[one].equals(ids[other])))
                .isEqualTo(3);
        assertThat(IdTable.repeated(3, row -> IdTable.hash(ids[row]), (one, other) -> ids[one].equals(ids[other])))
                .isEqualTo(IdTable.NONE);
    }
}

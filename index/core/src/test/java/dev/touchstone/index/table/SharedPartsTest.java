package dev.touchstone.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedPartsTest {
    private static final int WORDS = 40;

    private final SharedParts parts = new SharedParts();

    @Test
    void first_ofAnEqualBitmap_isTheOneBefore() {
        long[] bitmap = new long[WORDS];
        bitmap[WORDS - 1] = 5;
        assertThat(parts.first(bitmap)).isSameAs(bitmap);
        assertThat(parts.first(bitmap.clone())).isSameAs(bitmap);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 16, WORDS - 1})
    void first_ofABitmapThatDiffersInOneWord_isThatBitmap(int word) {
        parts.first(new long[WORDS]);
        long[] other = new long[WORDS];
        other[word] = Long.MIN_VALUE;
        assertThat(parts.first(other)).isSameAs(other);
    }

    @Test
    void first_ofALongerBitmap_isThatBitmap() {
        parts.first(new long[WORDS]);
        long[] longer = new long[WORDS + 1];
        assertThat(parts.first(longer)).isSameAs(longer);
    }

    @Test
    void first_ofALayout_isAnEqualOneBefore() {
        RowLayout layout = new RowLayout(new int[] {1, 3});
        assertThat(parts.first(layout)).isSameAs(layout);
        assertThat(parts.first(new RowLayout(new int[] {1, 2}))).isSameAs(layout); // as many bits
        RowLayout other = new RowLayout(new int[] {3, 1});
        assertThat(other.free()).isEqualTo(layout.free());
        assertThat(other).isNotEqualTo(layout); // also where their hashes are equal
        assertThat(parts.first(other)).isSameAs(other);
    }
}

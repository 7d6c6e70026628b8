package dev.touchstone.serialization.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OffsetTableTest {
    @Test
    void shift_switchesWhereAnOffsetCouldMeanNull() {
        assertThat(OffsetTable.shift(0)).isZero();
        assertThat(OffsetTable.shift(254)).isZero();
        assertThat(OffsetTable.shift(255)).isEqualTo(1);
        assertThat(OffsetTable.shift(65_534)).isEqualTo(1);
        assertThat(OffsetTable.shift(65_535)).isEqualTo(2);
        assertThat(OffsetTable.shift(Integer.MAX_VALUE)).isEqualTo(2);
        assertThat(OffsetTable.bytes(65_535, Integer.MAX_VALUE)).isEqualTo(4L * Integer.MAX_VALUE);
    }

    @Test
    void dataLength_ofDataAndTable_isTheOneThatFits() {
        for (int entries : new int[] {0, 1, 2, 11, 100, 300}) {
            for (int length : new int[] {0, 1, 254, 255, 256, 1000, 65_534, 65_535, 65_536, 1 << 20}) {
                int bytes = length + (int) OffsetTable.bytes(length, entries);
                assertThat(OffsetTable.dataLength(bytes, entries)).isEqualTo(length);
            }
            for (int bytes = 0; bytes < 70_000; bytes++) {
                int length = OffsetTable.dataLength(bytes, entries);
                if (length >= 0) {
                    assertThat(length + OffsetTable.bytes(length, entries)).isEqualTo(bytes);
                }
            }
        }
    }

    @Test
    void get_ofWhatWasPut_givesItAtEachWidth() {
        int[][] offsets = {{0, 1, 127, 128, 253}, {254, 255, 256, 32_767, 32_768, 65_533}, {65_534, 65_535, 1 << 30}};
        for (int shift = 0; shift <= 2; shift++) {
            byte[] bytes = new byte[3 + (4 << shift)];
            for (int offset : offsets[shift]) {
                OffsetTable.put(bytes, 3, shift, 1, offset);
                OffsetTable.put(bytes, 3, shift, 2, OffsetTable.NULL);
                assertThat(OffsetTable.get(bytes, 3, shift, 1)).isEqualTo(offset);
                assertThat(OffsetTable.get(bytes, 3, shift, 2)).isEqualTo(OffsetTable.NULL);
                assertThat(OffsetTable.get(bytes, 3, shift, 0)).isZero();
                assertThat(OffsetTable.get(bytes, 3, shift, 3)).isZero();
            }
        }
    }
}

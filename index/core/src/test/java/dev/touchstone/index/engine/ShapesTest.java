package dev.touchstone.index.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.table.RowLayout;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShapesTest {
    private static final List<Field> FIELDS = IntStream.range(0, 3)
            .mapToObj(i -> new Field("field" + i, FieldType.STRING, 0, i))
            .toList();

    /** Returns a block with a row for each set of fields that have a value, a bit for each. */
    private static Segment block(int... sets) {
        int[] highest = {1, 1, 1};
        RowLayout layout = new RowLayout(highest);
        long[] rows = Arrays.stream(sets).asLongStream().toArray();
        PriceColumns columns = new PriceColumns(
                LongBuffer.allocate(2 * sets.length),
                null,
                LongBuffer.allocate(sets.length),
                ByteBuffer.allocate(1),
                IntBuffer.allocate(1),
                null);
        return new Segment(sets.length, layout, rows, new long[FIELDS.size()][0], new long[0], columns, true);
    }

    @Test
    void shapes_ofRowsInAnyOrder_beginWithThoseThatHaveTheFirstFields() {
        assertThat(block(4, 0, 1, 2, 7, 6, 3, 5, 1).shapes).containsExactly(7, 3, 5, 1, 6, 2, 4, 0);
        assertThat(block(0, 2, 1, 2, 1).shapes).containsExactly(1, 2, 0);
    }

    @Test
    void shapesOf_aKey_hasEachShapeOfARowWithItsValues() {
        Segment block = block(4, 0, 1, 2, 7);
        assertThat(block.shapes).containsExactly(7, 1, 2, 4, 0);
        assertThat(block.shapesOf(new long[] {7}, 0, 5)).isEqualTo(0b11111);
        assertThat(block.shapesOf(new long[] {7}, 1, 3)).isEqualTo(0b00110);
        assertThat(block(0, 2, 1, 2, 1).shapesOf(new long[] {7}, 1, 3)).isEqualTo(0b110);
    }
}

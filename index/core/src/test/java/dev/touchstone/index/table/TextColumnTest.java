package dev.touchstone.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TextColumnTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @Test
    void get_ofWhatWasAdded_isTheSame() {
        List<String> texts = new ArrayList<>(List.of("", "a", "", "\u00e9\u4e16\ud83d\ude07", "\u0000", ""));
        for (int i = 0; i < 1000; i++) {
            texts.add("\u00fc-".repeat(random.nextInt(40)) + i);
        }
        texts.add("x".repeat(100_000));
        TextBuilder builder = new TextBuilder();
        texts.forEach(builder::add);
        TextColumn column = builder.build();
        TextColumn copy = new TextColumn(
                column.ends(),
                ByteBuffer.allocateDirect(column.bytes().remaining())
                        .put(column.bytes())
                        .flip());
        for (int row = 0; row < texts.size(); row++) {
            String what = "seed=" + seed + " row=" + row;
            assertThat(column.get(row)).as(what).isEqualTo(texts.get(row));
            assertThat(copy.get(row)).as(what).isEqualTo(texts.get(row));
            assertThat(column.utf8(row)).as(what).isEqualTo(texts.get(row).getBytes(StandardCharsets.UTF_8));
            assertThat(column.isEmpty(row)).as(what).isEqualTo(texts.get(row).isEmpty());
        }
        assertThat(column.isMapped()).isFalse();
        assertThat(copy.isMapped()).isTrue();
        assertThat(column.ends().remaining()).isEqualTo(texts.size());
    }

    @Test
    void column_withoutTexts_isEmpty() {
        TextColumn column = new TextBuilder().build();
        assertThat(column.ends().remaining()).isZero();
        assertThat(column.bytes().remaining()).isZero();
    }
}

package dev.touchstone.serialization.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RecordLayoutTest {
    private static RecordLayout of(int... sizes) {
        return new RecordLayout(new byte[sizes.length], sizes);
    }

    @Test
    void places_ofFixedFields_goByDescendingSizeThenOrder() {
        RecordLayout layout = of(1, 8, 2, 4, 8, 4, 1);
        assertThat(layout.places).containsExactly(26, 0, 24, 16, 8, 20, 27);
        assertThat(layout.fixedBytes).isEqualTo(28);
        assertThat(layout.variableFields).isEmpty();
    }

    @Test
    void places_ofBooleans_areBitsBehindAllElse() {
        int[] sizes = new int[10];
        sizes[3] = 4;
        RecordLayout layout = of(sizes);
        assertThat(layout.booleansAt).isEqualTo(4);
        assertThat(layout.fixedBytes).isEqualTo(6);
        assertThat(Arrays.stream(layout.places).filter(place -> place != 0).map(RecordLayout::byteOf))
                .containsExactly(4, 4, 4, 4, 4, 4, 4, 4, 5);
        assertThat(Arrays.stream(layout.places).filter(place -> place != 0).map(RecordLayout::bitOf))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 0);
        assertThat(of(new int[8]).fixedBytes).isEqualTo(1);
        assertThat(of(new int[9]).fixedBytes).isEqualTo(2);
    }

    @Test
    void places_ofVariableFields_areTheirNumbers() {
        RecordLayout layout =
                of(RecordLayout.VARIABLE, 4, RecordLayout.VARIABLE, RecordLayout.BIT, RecordLayout.VARIABLE);
        assertThat(layout.variableFields).containsExactly(0, 2, 4);
        assertThat(layout.places).containsExactly(0, 0, 1, 32, 2);
        assertThat(layout.fixedBytes).isEqualTo(5);
    }
}

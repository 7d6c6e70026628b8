package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ColumnsTest {
    @Test
    void render_longCells_goOnInTheNextLine() {
        Columns columns = new Columns("name", "meaning");
        columns.row("x", "word ".repeat(40));
        columns.row("y".repeat(60), "short");
        String table = columns.render();
        assertThat(table.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Columns.WIDTH));
        assertThat(table).contains("y".repeat(44) + "  short\n" + "y".repeat(16));
    }
}

package dev.touchstone.serialization.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TableTest {
    @Test
    void toString_ofShortCells_alignsThem() {
        assertThat(new Table("A", "LONGER")
                        .row("xyz", "1")
                        .row("", "2")
                        .toString()
                        .lines())
                .containsExactly("A    LONGER", "xyz  1", "     2");
    }

    @Test
    void toString_ofLongCells_goesOnBelowWithinTheWidth() {
        String name = "n".repeat(250);
        String text = new Table("TYPE", "FIELD", "KIND")
                .row(name, "f".repeat(60), "INT32")
                .toString();
        assertThat(text.lines()).allMatch(line -> line.length() <= Table.WIDTH).hasSizeGreaterThan(3);
        assertThat(text.chars().filter(each -> each == 'n')).hasSize(250);
        assertThat(text).contains("INT32");
    }

    @Test
    void name_ofHiddenSigns_showsThem() {
        assertThat(Texts.name("a b\n\u202e\u00e9")).isEqualTo("a b\\u000a\\u202e\u00e9");
        assertThat(Texts.name("")).isEqualTo("\"\"");
    }
}

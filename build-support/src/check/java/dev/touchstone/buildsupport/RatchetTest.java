package dev.touchstone.buildsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RatchetTest {
    @Test
    void compare_sameNumbers_isSilent() {
        assertThat(Ratchet.compare("queue", Map.of("doclint", 3), Map.of("doclint", 3), "pom.xml"))
                .isEmpty();
    }

    @Test
    void compare_more_saysWhereTheyAreNamed() {
        assertThat(Ratchet.compare("queue", Map.of("doclint", 4), Map.of("doclint", 3), "pom.xml"))
                .containsExactly("queue doclint: now 4, listed 3 in pom.xml: "
                        + "mend what is new; the module's target/offences names each offence");
    }

    @Test
    void compare_notListed_countsAsMore() {
        assertThat(Ratchet.compare("queue", Map.of("doclint", 1), Map.of(), "pom.xml"))
                .singleElement()
                .asString()
                .contains("now 1, listed 0");
    }

    @Test
    void compare_fewer_saysWhichNumberToSet() {
        assertThat(Ratchet.compare("queue", Map.of("doclint", 2), Map.of("doclint", 3), "pom.xml"))
                .containsExactly("queue doclint: now 2, listed 3 in pom.xml: lower the number to 2");
    }

    @Test
    void compare_none_saysToStrikeTheEntry() {
        assertThat(Ratchet.compare("queue", Map.of(), Map.of("doclint", 3), "pom.xml"))
                .containsExactly("queue doclint: now 0, listed 3 in pom.xml: strike it from the list");
    }
}

package dev.touchstone.builds.master.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Endings are read as they were written, by this version and, without artefacts and caches, by the one before. */
class EndingTermsTest {
    private static int elements(Term term) {
        return ((Tuple) term).size();
    }

    @Test
    void endings_withArtefactsOrWithout_areReadAsWritten() {
        Ending plain = new Ending(BuildCode.OK, 0, "", 1, 2, 1, "a", 3, false);
        Ending with = plain.withArtefacts(4, 5);
        for (Ending ending : new Ending[] {plain, with}) {
            assertThat(EndingTerms.fromTerm(EndingTerms.toTerm(ending))).isEqualTo(ending);
        }
        assertThat(elements(EndingTerms.toTerm(plain)))
                .as("of the version before")
                .isEqualTo(9);
        assertThat(elements(EndingTerms.toTerm(with))).isEqualTo(11);
    }

    @Test
    void terms_ofAnotherLength_areRefused() {
        Tuple term =
                (Tuple) EndingTerms.toTerm(new Ending(BuildCode.OK, 0, "", 1, 2, 1, "a", 3, false).withArtefacts(4, 5));
        Term[] elements = new Term[12];
        Arrays.setAll(elements, i -> term.get(Math.min(i, 10)));
        assertThatThrownBy(() -> EndingTerms.fromTerm(Tuple.wrap(elements))).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> EndingTerms.fromTerm(Tuple.wrap(Arrays.copyOf(elements, 8))))
                .isInstanceOf(WireException.class);
    }
}

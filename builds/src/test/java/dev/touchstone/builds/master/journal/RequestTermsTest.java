package dev.touchstone.builds.master.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildFiles;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Requests and endings are read as they were written, by this version and, without artefacts and caches, by the one before. */
class RequestTermsTest {
    private static final BuildRequest PLAIN =
            BuildRequest.of("git+file:///r", "b", "s").build();
    private static final BuildRequest WITH_FILES = BuildRequest.of("git+file:///r", "b", "s")
            .files(BuildFiles.NONE.withArtefact("a/*").withAlways(true).withCache("k", "~/p"))
            .build();

    private static int elements(Term term) {
        return ((Tuple) term).size();
    }

    @Test
    void requests_withFilesOrWithout_areReadAsWritten() {
        for (BuildRequest request : new BuildRequest[] {PLAIN, WITH_FILES}) {
            assertThat(RequestTerms.fromTerm(RequestTerms.toTerm(request))).isEqualTo(request);
        }
        assertThat(elements(RequestTerms.toTerm(PLAIN)))
                .as("of the version before")
                .isEqualTo(14);
        assertThat(elements(RequestTerms.toTerm(WITH_FILES))).isEqualTo(15);
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
        Tuple term = (Tuple) RequestTerms.toTerm(WITH_FILES);
        Term[] elements = new Term[16];
        Arrays.setAll(elements, i -> term.get(Math.min(i, 14)));
        assertThatThrownBy(() -> RequestTerms.fromTerm(Tuple.wrap(elements))).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> RequestTerms.fromTerm(Tuple.wrap(Arrays.copyOf(elements, 13))))
                .isInstanceOf(WireException.class);
    }
}

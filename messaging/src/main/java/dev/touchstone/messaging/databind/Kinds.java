package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.term.Term;
import java.util.Locale;

/** Names of kinds of terms in messages; the terms themselves may be long, or secret. */
final class Kinds {
    private Kinds() {}

    static String of(Term term) {
        return term.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}

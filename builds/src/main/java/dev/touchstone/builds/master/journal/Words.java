package dev.touchstone.builds.master.journal;

import dev.touchstone.builds.wire.Column;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.Collection;

/** Makes terms. */
final class Words {
    private Words() {}

    public static Tuple message(Atom tag, Term... elements) {
        Term[] all = new Term[elements.length + 1];
        all[0] = tag;
        System.arraycopy(elements, 0, all, 1, elements.length);
        return Tuple.wrap(all);
    }

    public static Int number(long value) {
        return Int.of(value);
    }

    public static Atom flag(boolean value) {
        return Atom.of(value);
    }

    public static Binary text(String value) {
        return Binary.of(value);
    }

    public static ErlList numbers(Column column) {
        return ErlList.wrapLongs(column.toArray());
    }

    public static ErlList texts(Collection<String> values) {
        return ErlList.wrap(values.stream().map(Binary::of).toArray(Term[]::new), ErlList.EMPTY);
    }
}

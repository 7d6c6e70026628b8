package dev.touchstone.builds.master.journal;

import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.List;
import java.util.function.Function;

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

    public static ErlList numbers(LongArrayList column) {
        return ErlList.wrapLongs(column.toArray());
    }

    public static <T> ErlList binaries(List<T> values, Function<T, byte[]> bytes) {
        Term[] terms = new Term[values.size()];
        for (int i = 0; i < terms.length; i++) {
            byte[] array = bytes.apply(values.get(i));
            terms[i] = Binary.wrap(array, 0, array.length);
        }
        return ErlList.wrap(terms, ErlList.EMPTY);
    }
}

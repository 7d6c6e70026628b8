package dev.touchstone.messaging;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.BigInt;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the echo server does to a term before it sends it back: tests of the library in the language of Erlang's tests. A term that a
 * twist is not for comes back as it is. Not thread-safe.
 */
final class EchoTwist {
    private static final int DEFAULT_LEVEL = -1;
    private static final int LATIN1_END = 0x100;
    private static final Atom NULL = Atom.of("null");

    private final boolean unicode;
    private final Set<Term> seen = new HashSet<>();

    /** @param unicode whether a list of code points is text also where one of them is not Latin-1 */
    EchoTwist(boolean unicode) {
        this.unicode = unicode;
    }

    Term apply(Term term, Term twist) {
        seen.add(term);
        Term twisted = null;
        if (twist instanceof Atom atom) {
            switch (atom.name()) {
                case "hash_lookup" -> twisted = Atom.of(seen.contains(term));
                case "hash_clear" -> {
                    seen.clear();
                    twisted = Atom.of("hash_cleared");
                }
                case "compress" -> twisted = Binary.of(TermWriter.encodeCompressed(term, DEFAULT_LEVEL));
                case "binary" -> twisted = term instanceof Binary bytes ? TermReader.decode(bytes.toByteArray()) : null;
                case "bigint" -> twisted = integer(term);
                default -> twisted = term instanceof ErlList list ? list(list, atom.name()) : null;
            }
        }
        return twisted == null ? term : twisted;
    }

    /** {@code {Integer, signed bits, as a long, whether it is one, whether it is an unsigned one}} */
    private static @Nullable Term integer(Term term) {
        BigInteger value;
        if (term instanceof Int small) {
            value = BigInteger.valueOf(small.value());
        } else if (term instanceof BigInt big) {
            value = big.value();
        } else {
            return null;
        }
        int bits = value.bitLength();
        boolean isLong = bits < Long.SIZE;
        boolean isUnsigned = value.signum() >= 0 && bits <= Long.SIZE;
        return Tuple.of(
                term,
                Int.of((long) value.signum() * bits),
                Int.of(value.longValue()),
                Int.of(isLong ? 1 : 0),
                Int.of(isUnsigned ? 1 : 0));
    }

    private @Nullable Term list(ErlList list, String twist) {
        return switch (twist) {
            case "tail" -> tail(list, 1);
            case "tail3" -> tail(list, 3);
            case "strcat" -> concatenated(list);
            default -> {
                // the one that is asked to make a string of a list, whether or not it came as one
                String text = text(list, unicode || twist.equals("to_string_neg_int_list"));
                yield text == null ? null : text(text, twist);
            }
        };
    }

    private static @Nullable Term text(String text, String twist) {
        return switch (twist) {
            case "sub3atom" -> Atom.of(text.substring(3));
            case "utf8" -> Binary.of(text);
            case "to_string_neg_int_list" -> negated(text.chars().asLongStream().toArray());
            case "to_neg_int_list" -> negated(text.codePoints().asLongStream().toArray());
            default -> null;
        };
    }

    /** What follows the first {@code skipped} elements; the atom {@code null} where there are not as many. */
    private static Term tail(ErlList list, int skipped) {
        if (list.size() < skipped) {
            return NULL;
        }
        List<Term> rest = list.asList().subList(skipped, list.size());
        return rest.isEmpty() ? list.tail() : ErlList.improper(rest, list.tail());
    }

    private @Nullable Term concatenated(ErlList list) {
        StringBuilder joined = new StringBuilder();
        for (Term element : list.asList()) {
            String text = element instanceof ErlList part ? text(part, unicode) : null;
            if (text == null) {
                return null;
            }
            joined.append(text);
        }
        return ErlList.string(joined.toString());
    }

    /** The text that a list is, or null. Surrogates are code points of nothing. */
    private static @Nullable String text(ErlList list, boolean anyCodePoint) {
        int end = anyCodePoint ? Character.MAX_CODE_POINT + 1 : LATIN1_END;
        for (Term element : list.asList()) {
            long code = element instanceof Int number ? number.value() : -1;
            if (code < 0 || code >= end || Character.getType((int) code) == Character.SURROGATE) {
                return null;
            }
        }
        return list.isProper() ? list.stringValue() : null;
    }

    private static ErlList negated(long[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = -values[i];
        }
        return ErlList.wrapLongs(values);
    }
}

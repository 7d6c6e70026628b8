package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Atom;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A reader of atoms of all encodings. Not thread-safe. */
final class Atoms {
    private static final Atom[] NO_CACHE = new Atom[0];

    private final Input in;
    private final AtomTable table;
    private Atom[] cache = NO_CACHE;
    private Atom lastNode = Atom.UNDEFINED;

    Atoms(Input in, AtomTable table) {
        this.in = in;
        this.table = table;
    }

    /** Sets the atoms that ATOM_CACHE_REF refers to; null for none. */
    @SuppressWarnings("ReferenceEquality") // the same array or not
    void cache(Atom @Nullable [] refs) {
        Atom[] next = refs == null ? NO_CACHE : refs;
        if (cache != next) {
            cache = next;
        }
    }

    /** Returns the atom whose tag was just read. */
    Atom read(int tag) {
        return switch (tag) {
            case Tag.SMALL_ATOM_UTF8 -> utf8(in.u8());
            case Tag.ATOM_UTF8 -> utf8(in.u16());
            case Tag.SMALL_ATOM -> latin1(in.u8());
            case Tag.ATOM -> latin1(in.u16());
            case Tag.ATOM_CACHE_REF -> cached(in.u8());
            default -> throw in.unexpected("an atom", tag);
        };
    }

    /** Reads an atom that is likely the one that this method returned before. */
    Atom node() {
        int tag = in.u8();
        if (tag != Tag.SMALL_ATOM_UTF8) {
            return read(tag);
        }
        int length = in.u8();
        int at = in.take(length);
        Atom last = lastNode;
        if (!last.equalsUtf8(in.buffer, at, length)) {
            last = get(at, length);
            lastNode = last;
        }
        return last;
    }

    Atom utf8(int length) {
        return get(in.take(length), length);
    }

    private Atom get(int at, int length) {
        try {
            return table.get(in.buffer, at, length);
        } catch (IllegalArgumentException e) {
            throw new MalformedTermException(String.valueOf(e.getMessage()), at, e);
        }
    }

    private Atom latin1(int length) {
        int at = in.take(length);
        if (length > Atom.MAX_CHARACTERS) {
            throw new MalformedTermException("name of an atom is too long: characters=" + length, at);
        }
        byte[] bytes = in.buffer;
        for (int i = at; i < at + length; i++) {
            if (bytes[i] < 0) {
                return Atom.of(new String(bytes, at, length, StandardCharsets.ISO_8859_1));
            }
        }
        return get(at, length);
    }

    private Atom cached(int index) {
        if (index >= cache.length) {
            throw new MalformedTermException(
                    "no such reference to an atom: index=" + index + " references=" + cache.length, in.position - 1);
        }
        return cache[index];
    }
}

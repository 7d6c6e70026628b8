package dev.touchstone.messaging.term;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A named constant of at most 255 characters. Not interned: compare with {@code equals}, which costs a comparison of two hashes where
 * atoms differ.
 */
public final class Atom implements Term {
    /** Longest name of an atom, in characters (code points). */
    public static final int MAX_CHARACTERS = 255;

    /** The atom {@code true}. */
    public static final Atom TRUE = of("true");
    /** The atom {@code false}. */
    public static final Atom FALSE = of("false");
    /** The atom {@code undefined}. */
    public static final Atom UNDEFINED = of("undefined");
    /** The atom {@code ok}. */
    public static final Atom OK = of("ok");
    /** The atom {@code error}. */
    public static final Atom ERROR = of("error");

    private static final Set<String> RESERVED = Set.of(
            "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch", "cond",
            "div", "else", "end", "fun", "if", "let", "maybe", "not", "of", "or", "orelse", "receive", "rem", "try",
            "when", "xor");

    private final byte[] encoded; // Encoded: a header, and the name in UTF-8
    private final int hash;
    private @Nullable String name; // set on first use; threads that race set equal strings

    private Atom(byte[] encoded, int header, @Nullable String name) {
        this.encoded = encoded;
        this.hash = HashFunction.of(encoded, header, encoded.length - header);
        this.name = name;
    }

    /**
     * Returns the atom with a name.
     *
     * @param name the name; may be empty
     * @return the atom
     * @throws IllegalArgumentException if the name has more than 255 characters, or half a surrogate pair
     */
    public static Atom of(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        int characters = name.codePointCount(0, name.length());
        if (characters > MAX_CHARACTERS) {
            throw new IllegalArgumentException(
                    "name of an atom is too long: characters=" + characters + " max=" + MAX_CHARACTERS);
        }
        for (int i = 0; i < name.length(); i += Character.charCount(name.codePointAt(i))) {
            int code = name.codePointAt(i);
            if (code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException("name of an atom has half a surrogate pair: at=" + i);
            }
        }
        return make(utf8, 0, utf8.length, name);
    }

    /**
     * Returns the atom whose name is given in UTF-8.
     *
     * @param source array that holds the name; copied
     * @param offset index of the name's first byte
     * @param length bytes of the name; 0 or more
     * @return the atom
     * @throws IllegalArgumentException if the bytes are not UTF-8, or are more than 255 characters
     * @throws IndexOutOfBoundsException if the array does not have those bytes
     */
    public static Atom ofUtf8(byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        int characters = Utf8.characters(source, offset, length);
        if (characters < 0 || characters > MAX_CHARACTERS) {
            throw new IllegalArgumentException(
                    characters < 0
                            ? "name of an atom is not UTF-8: bytes=" + length
                            : "name of an atom is too long: characters=" + characters + " max=" + MAX_CHARACTERS);
        }
        return make(source, offset, length, null);
    }

    private static Atom make(byte[] utf8, int offset, int length, @Nullable String name) {
        byte[] encoded = Encoded.atom(utf8, offset, length);
        return new Atom(encoded, encoded.length - length, name);
    }

    /**
     * Returns {@link #TRUE} or {@link #FALSE}.
     *
     * @param value which of the two
     * @return the atom
     */
    public static Atom of(boolean value) {
        return value ? TRUE : FALSE;
    }

    /**
     * Returns the {@link #hashCode} of the atom with a given name, so that a table can look for an atom without making it.
     *
     * @param source array that holds the name in UTF-8; not checked
     * @param offset index of the name's first byte
     * @param length bytes of the name
     * @return the hash code
     */
    public static int hashUtf8(byte[] source, int offset, int length) {
        return HashFunction.of(source, offset, length);
    }

    /**
     * Returns whether the atom's name is equal to bytes of UTF-8.
     *
     * @param source array that holds the other name
     * @param offset index of its first byte
     * @param length bytes of the other name
     * @return true if the bytes are equal
     */
    public boolean equalsUtf8(byte[] source, int offset, int length) {
        return utf8Length() == length && HashFunction.equal(encoded, encoded.length - length, source, offset, length);
    }

    /**
     * Returns the name, without the quotes that {@link #toString} may add.
     *
     * @return the name; may be empty
     */
    public String name() {
        String known = name;
        if (known == null) {
            int length = utf8Length();
            known = new String(encoded, encoded.length - length, length, StandardCharsets.UTF_8);
            name = known;
        }
        return known;
    }

    /**
     * Returns the length of the name in UTF-8.
     *
     * @return bytes, from 0 to 1020
     */
    public int utf8Length() {
        return encoded.length - Encoded.atomHeader(encoded);
    }

    /**
     * Copies the name's {@link #utf8Length} bytes of UTF-8 to an array.
     *
     * @param target array to copy to
     * @param at index for the first byte
     * @throws IndexOutOfBoundsException if the target is too short
     */
    public void copyUtf8(byte[] target, int at) {
        int length = utf8Length();
        System.arraycopy(encoded, encoded.length - length, target, at, length);
    }

    /**
     * Returns the length of the atom in the external term format, without a version byte.
     *
     * @return bytes, from 2 to 1023
     */
    public int encodedLength() {
        return encoded.length;
    }

    /**
     * Copies the {@link #encodedLength} bytes of the atom in the external term format to an array.
     *
     * @param target array to copy to
     * @param at index for the first byte
     * @throws IndexOutOfBoundsException if the target is too short
     */
    public void copyEncoded(byte[] target, int at) {
        Encoded.copy(encoded, target, at, encoded.length);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Atom atom && hash == atom.hash && Arrays.equals(encoded, atom.encoded));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Returns the name, in quotes where Erlang's syntax needs them. */
    @Override
    public String toString() {
        String text = name();
        return isPlain(text) ? text : Quoted.of(text, '\'');
    }

    private static boolean isPlain(String text) {
        boolean plain = !text.isEmpty() && text.charAt(0) >= 'a' && text.charAt(0) <= 'z' && !RESERVED.contains(text);
        for (int i = 0; plain && i < text.length(); i++) {
            char c = text.charAt(i);
            plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@';
        }
        return plain;
    }
}

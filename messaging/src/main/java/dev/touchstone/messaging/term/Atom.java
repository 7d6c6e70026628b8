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
    /** The most characters (code points) that a name may have. */
    public static final int MAX_CHARACTERS = 255;

    public static final Atom TRUE = of("true");
    public static final Atom FALSE = of("false");
    public static final Atom UNDEFINED = of("undefined");
    public static final Atom OK = of("ok");
    public static final Atom ERROR = of("error");

    private static final Set<String> RESERVED = Set.of(
            "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case", "catch", "cond",
            "div", "else", "end", "fun", "if", "let", "maybe", "not", "of", "or", "orelse", "receive", "rem", "try",
            "when", "xor");

    private final byte[] encoded; // Encoded: a header, and the name in UTF-8
    private final int hash;
    private @Nullable String name; // set by whoever asks first; all set the same

    private Atom(byte[] encoded, int header, @Nullable String name) {
        this.encoded = encoded;
        this.hash = HashFunction.of(encoded, header, encoded.length - header);
        this.name = name;
    }

    /**
     * The atom of that name.
     *
     * @throws IllegalArgumentException if the name has more than 255 characters, or half a surrogate pair */
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
     * The atom whose name is these bytes.
     *
     * @throws IllegalArgumentException if the bytes are not UTF-8, or are more than 255 characters */
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

    /** {@link #TRUE} or {@link #FALSE}. */
    public static Atom of(boolean value) {
        return value ? TRUE : FALSE;
    }

    /** What {@link #hashCode} is of the atom whose name has these bytes: for tables that look for atoms without making them. */
    public static int hashUtf8(byte[] source, int offset, int length) {
        return HashFunction.of(source, offset, length);
    }

    /** Whether these are the bytes of the name. */
    public boolean equalsUtf8(byte[] source, int offset, int length) {
        return utf8Length() == length && HashFunction.equal(encoded, encoded.length - length, source, offset, length);
    }

    public String name() {
        String known = name;
        if (known == null) {
            int length = utf8Length();
            known = new String(encoded, encoded.length - length, length, StandardCharsets.UTF_8);
            name = known;
        }
        return known;
    }

    /** Bytes of the name in UTF-8: at most 1020. */
    public int utf8Length() {
        return encoded.length - Encoded.atomHeader(encoded);
    }

    /** Puts the name's {@link #utf8Length} bytes into {@code target}. */
    public void copyUtf8(byte[] target, int at) {
        int length = utf8Length();
        System.arraycopy(encoded, encoded.length - length, target, at, length);
    }

    /** Bytes of the atom in the external term format. */
    public int encodedLength() {
        return encoded.length;
    }

    /** Puts the {@link #encodedLength} bytes of the atom in the external term format into {@code target}. */
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

    /** In quotes where Erlang's syntax needs them. */
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

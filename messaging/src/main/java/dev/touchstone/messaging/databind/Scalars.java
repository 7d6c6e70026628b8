package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.Tag;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.BigInt;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.lang.invoke.MethodHandle;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Components that are one term without parts. The static methods are reached through handles; their names are not overloaded. */
final class Scalars {
    static final TermCodec BINARY_STRING = codec("readString", "writeString");
    static final TermCodec ATOM_STRING =
            new TermCodec(of("readAtomString"), of("writeAtomString"), of("atomString"), null);
    static final TermCodec LIST_STRING = codec("readListString", "writeListString");

    /** Stands in decoded text for bytes that are not UTF-8. */
    private static final char REPLACEMENT = '\ufffd';

    private static final Map<Class<?>, TermCodec> CODECS = codecs();
    private static final TermCodec TERM =
            new TermCodec(of("readTerm"), of("writeTerm"), of("atomTerm"), of("byteTerm"));

    private Scalars() {}

    private static Map<Class<?>, TermCodec> codecs() {
        Map<Class<?>, TermCodec> codecs = new HashMap<>();
        codecs.put(int.class, new TermCodec(of("readInt"), of("writeInt"), null, of("byteInt")));
        codecs.put(long.class, new TermCodec(of("readLong"), of("writeLong"), null, of("byteLong")));
        codecs.put(double.class, new TermCodec(of("readDouble"), of("writeDouble"), null, of("byteDouble")));
        codecs.put(boolean.class, new TermCodec(of("readBoolean"), of("writeBoolean"), of("atomBoolean"), null));
        codecs.put(
                BigInteger.class,
                new TermCodec(of("readBigInteger"), of("writeBigInteger"), null, of("byteBigInteger")));
        codecs.put(Integer.class, codecs.get(int.class).as(Integer.class));
        codecs.put(Long.class, codecs.get(long.class).as(Long.class));
        codecs.put(Double.class, codecs.get(double.class).as(Double.class));
        codecs.put(Boolean.class, codecs.get(boolean.class).as(Boolean.class));
        codecs.put(byte[].class, codec("readBytes", "writeBytes"));
        codecs.put(Atom.class, new TermCodec(of("readAtom"), of("writeAtom"), of("sameAtom"), byteTo(Atom.class)));
        codecs.put(Pid.class, new TermCodec(of("readPid"), of("writePid"), null, byteTo(Pid.class)));
        codecs.put(Ref.class, new TermCodec(of("readRef"), of("writeRef"), null, byteTo(Ref.class)));
        codecs.put(String.class, BINARY_STRING);
        return Map.copyOf(codecs);
    }

    /** Returns the codec of a type that has no parts, or null for any other type. */
    static @Nullable TermCodec find(Class<?> type) {
        TermCodec known = CODECS.get(type);
        if (known != null || !Term.class.isAssignableFrom(type)) {
            return known;
        }
        if (type == Term.class) {
            return TERM;
        }
        MethodHandle read = Handles.with(Scalars.class, "readTermOf", type);
        return new TermCodec(read, TERM.write(), null, byteTo(type)).as(type);
    }

    /** Returns {@code (int)X} for a kind of term, which refuses the integer unless the kind is {@link Int}. */
    private static MethodHandle byteTo(Class<?> type) {
        MethodHandle convert = Handles.with(Scalars.class, "byteTermOf", type);
        return convert.asType(convert.type().changeReturnType(type));
    }

    private static TermCodec codec(String read, String write) {
        return new TermCodec(of(read), of(write));
    }

    private static MethodHandle of(String name) {
        return Handles.of(Scalars.class, name);
    }

    static boolean isAtom(int tag) {
        return tag == Tag.SMALL_ATOM_UTF8
                || tag == Tag.ATOM_UTF8
                || tag == Tag.ATOM
                || tag == Tag.SMALL_ATOM
                || tag == Tag.ATOM_CACHE_REF;
    }

    private static boolean isInteger(int tag) {
        return tag == Tag.SMALL_INTEGER || tag == Tag.INTEGER || tag == Tag.SMALL_BIG;
    }

    static int readInt(TermReader reader) {
        long value = reader.readLong();
        if ((int) value != value) {
            throw new DatabindException("expected=int got=" + value);
        }
        return (int) value;
    }

    static void writeInt(TermWriter writer, int value) {
        writer.writeInt(value);
    }

    static int byteInt(int value) {
        return value;
    }

    static long readLong(TermReader reader) {
        return reader.readLong();
    }

    static void writeLong(TermWriter writer, long value) {
        writer.writeInt(value);
    }

    static long byteLong(int value) {
        return value;
    }

    static BigInteger readBigInteger(TermReader reader) {
        int tag = reader.peekTag();
        if (tag != Tag.LARGE_BIG && tag != Tag.SMALL_BIG) {
            return BigInteger.valueOf(reader.readLong());
        }
        Term term = reader.read();
        return term instanceof BigInt big ? big.value() : BigInteger.valueOf(((Int) term).value());
    }

    static BigInteger byteBigInteger(int value) {
        return BigInteger.valueOf(value);
    }

    static void writeBigInteger(TermWriter writer, BigInteger value) {
        writer.write(value.bitLength() < Long.SIZE ? Int.of(value.longValue()) : BigInt.of(value));
    }

    /** Takes integers too: Erlang's programs write 1 where they mean 1.0. */
    static double readDouble(TermReader reader) {
        return isInteger(reader.peekTag()) ? reader.readLong() : reader.readDouble();
    }

    static void writeDouble(TermWriter writer, double value) {
        if (!Double.isFinite(value)) {
            throw new DatabindException("expected=finite got=" + value);
        }
        writer.writeDouble(value);
    }

    static double byteDouble(int value) {
        return value;
    }

    static boolean readBoolean(TermReader reader) {
        return atomBoolean(reader.readAtom());
    }

    static boolean atomBoolean(Atom atom) {
        if (!atom.equals(Atom.TRUE) && !atom.equals(Atom.FALSE)) {
            throw new DatabindException("expected=true|false got=" + atom);
        }
        return atom.equals(Atom.TRUE);
    }

    static void writeBoolean(TermWriter writer, boolean value) {
        writer.writeAtom(value ? Atom.TRUE : Atom.FALSE);
    }

    static byte[] readBytes(TermReader reader) {
        return reader.readBinary();
    }

    static void writeBytes(TermWriter writer, byte[] value) {
        writer.writeBinary(value, 0, value.length);
    }

    static String readString(TermReader reader) {
        int start = reader.position();
        String text = reader.readUtf8();
        if (text.indexOf(REPLACEMENT) >= 0) {
            reader.rewind(start);
            checkUtf8(text, reader.readBinary());
        }
        return text;
    }

    /** Refuses bytes that the text does not have: those that the decoder replaced, in contrast to a U+FFFD that was sent. */
    private static void checkUtf8(String text, byte[] bytes) {
        int at = Arrays.mismatch(bytes, text.getBytes(StandardCharsets.UTF_8));
        if (at >= 0) {
            throw new DatabindException("expected=text in UTF-8 got=a binary of other bytes at=" + at);
        }
    }

    static void writeString(TermWriter writer, String value) {
        checkText(value);
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        writer.writeBinary(utf8, 0, utf8.length);
    }

    /** Refuses half a surrogate pair, which no encoding has. */
    private static void checkText(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                if (!Character.isSupplementaryCodePoint(value.codePointAt(i))) {
                    throw new DatabindException("expected=text got=half a surrogate pair at=" + i);
                }
                i++;
            }
        }
    }

    static String readAtomString(TermReader reader) {
        return reader.readAtom().name();
    }

    static String atomString(Atom atom) {
        return atom.name();
    }

    static void writeAtomString(TermWriter writer, String value) {
        try {
            writer.writeAtom(Atom.of(value));
        } catch (IllegalArgumentException e) {
            throw new DatabindException("expected=atom got=string: " + e.getMessage(), e);
        }
    }

    static String readListString(TermReader reader) {
        if (reader.peekTag() == Tag.STRING) {
            return new String(reader.readString(), StandardCharsets.ISO_8859_1);
        }
        Term term = reader.read();
        if (!(term instanceof ErlList list)) {
            throw new DatabindException("expected=string got=" + Kinds.of(term));
        }
        try {
            return list.stringValue();
        } catch (IllegalStateException e) {
            throw new DatabindException("expected=string got=list: " + e.getMessage(), e);
        }
    }

    static void writeListString(TermWriter writer, String value) {
        checkText(value);
        writer.write(ErlList.string(value));
    }

    static Atom readAtom(TermReader reader) {
        return reader.readAtom();
    }

    static Atom sameAtom(Atom atom) {
        return atom;
    }

    static void writeAtom(TermWriter writer, Atom value) {
        writer.writeAtom(value);
    }

    static Pid readPid(TermReader reader) {
        return reader.readPid();
    }

    static void writePid(TermWriter writer, Pid value) {
        writer.writePid(value);
    }

    static Ref readRef(TermReader reader) {
        return reader.readRef();
    }

    static void writeRef(TermWriter writer, Ref value) {
        writer.writeRef(value);
    }

    static Term readTerm(TermReader reader) {
        return reader.read();
    }

    static Term atomTerm(Atom atom) {
        return atom;
    }

    static Term byteTerm(int value) {
        return Int.of(value);
    }

    static Term readTermOf(Class<?> type, TermReader reader) {
        return requireKind(type, reader.read());
    }

    static Term byteTermOf(Class<?> type, int value) {
        return requireKind(type, Int.of(value));
    }

    private static Term requireKind(Class<?> type, Term term) {
        if (!type.isInstance(term)) {
            throw new DatabindException("expected=" + type.getSimpleName() + " got=" + Kinds.of(term));
        }
        return term;
    }

    static void writeTerm(TermWriter writer, Term value) {
        writer.write(value);
    }
}

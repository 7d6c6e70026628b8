package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.etf.EtfException;
import dev.touchstone.messaging.etf.Tag;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Components with elements: lists, sets, arrays, maps and optionals. The static methods are reached through handles. */
final class Containers {
    /** A header's count is only a claim: room for more comes with the elements. */
    private static final int TRUSTED_SIZE = 1024;

    private static final MethodHandle OPTIONAL_OF = Handles.of(Containers.class, "present");

    private static final byte[] UNDEFINED = undefined();

    /** Types whose values have equal terms only where they are equal in Java. */
    private static final Set<Class<?>> DISTINCT_KEYS = Set.of(
            String.class,
            Integer.class,
            Long.class,
            Boolean.class,
            BigInteger.class,
            Atom.class,
            Int.class,
            Pid.class,
            Ref.class);

    private Containers() {}

    static TermCodec list(TermCodec element) {
        TermCodec boxed = element.as(Object.class);
        return new TermCodec(
                with("readList", boxed.read(), boxed.fromByte()),
                Handles.with(Containers.class, "writeList", boxed.write()));
    }

    static TermCodec optional(TermCodec element) {
        TermCodec boxed = element.as(Object.class);
        MethodHandle fromByte = boxed.fromByte();
        return new TermCodec(
                with("readOptional", boxed.read(), boxed.fromAtom()),
                Handles.with(Containers.class, "writeOptional", boxed.write()),
                with("optionalOfAtom", boxed.fromAtom()),
                fromByte == null ? null : MethodHandles.filterReturnValue(fromByte, OPTIONAL_OF));
    }

    static TermCodec set(TermCodec element) {
        TermCodec boxed = element.as(Object.class);
        return new TermCodec(
                with("readSet", boxed.read(), boxed.fromByte()),
                Handles.with(Containers.class, "writeSet", boxed.write()));
    }

    /** Returns the codec of maps whose keys are of a type; null if it is no class. */
    static TermCodec map(@Nullable Class<?> keyType, TermCodec key, TermCodec value) {
        boolean mayCollide = keyType == null || !(keyType.isEnum() || DISTINCT_KEYS.contains(keyType));
        TermCodec keys = key.as(Object.class);
        TermCodec values = value.as(Object.class);
        return new TermCodec(
                with("readMap", keys.read(), values.read()),
                Handles.with(Containers.class, "writeMap", mayCollide, keys.write(), values.write()));
    }

    /** Returns the codec of arrays whose elements are of a type; not of byte, whose arrays are binaries. */
    static TermCodec array(Class<?> type, TermCodec element) {
        TermCodec boxed = element.as(Object.class);
        TermCodec codec = new TermCodec(
                Handles.with(Containers.class, "readArray", type, boxed.read(), boxed.fromByte()),
                Handles.with(Containers.class, "writeArray", boxed.write()));
        return codec.as(type.arrayType());
    }

    private static MethodHandle with(String name, @Nullable MethodHandle... handles) {
        return MethodHandles.insertArguments(Handles.of(Containers.class, name), 0, (Object[]) handles);
    }

    static List<Object> readList(MethodHandle element, @Nullable MethodHandle fromByte, TermReader reader)
            throws Throwable {
        if (reader.peekTag() == Tag.STRING) {
            return bytes(fromByte, reader);
        }
        int size = reader.readListHeader();
        if (size == 0) {
            return List.of();
        }
        List<Object> elements = new ArrayList<>(Math.min(size, TRUSTED_SIZE));
        for (int i = 0; i < size; i++) {
            try {
                elements.add(element.invokeExact(reader));
            } catch (DatabindException | EtfException e) {
                throw within("[" + i + "]", e);
            }
        }
        reader.readNil();
        return Collections.unmodifiableList(elements);
    }

    private static DatabindException within(String place, RuntimeException cause) {
        return new DatabindException(place + ": " + cause.getMessage(), cause);
    }

    private static List<Object> bytes(@Nullable MethodHandle fromByte, TermReader reader) throws Throwable {
        if (fromByte == null) {
            throw new DatabindException("expected=list got=string");
        }
        byte[] bytes = reader.readString();
        List<Object> elements = new ArrayList<>(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            try {
                elements.add(fromByte.invokeExact(bytes[i] & 0xff));
            } catch (DatabindException e) {
                throw within("[" + i + "]", e);
            }
        }
        return Collections.unmodifiableList(elements);
    }

    static void writeList(MethodHandle element, TermWriter writer, List<?> elements) throws Throwable {
        writeElements(element, writer, elements);
    }

    static Set<Object> readSet(MethodHandle element, @Nullable MethodHandle fromByte, TermReader reader)
            throws Throwable {
        List<Object> elements = readList(element, fromByte, reader);
        Set<Object> set = new LinkedHashSet<>();
        for (int i = 0; i < elements.size(); i++) {
            if (!set.add(elements.get(i))) {
                throw new DatabindException("[" + i + "]: element stands twice in a set");
            }
        }
        return Collections.unmodifiableSet(set);
    }

    static void writeSet(MethodHandle element, TermWriter writer, Set<?> elements) throws Throwable {
        writeElements(element, writer, elements);
    }

    static Object readArray(Class<?> type, MethodHandle element, @Nullable MethodHandle fromByte, TermReader reader)
            throws Throwable {
        List<Object> elements = readList(element, fromByte, reader);
        Object array = Array.newInstance(type, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Array.set(array, i, elements.get(i));
        }
        return array;
    }

    static void writeArray(MethodHandle element, TermWriter writer, Object array) throws Throwable {
        int size = Array.getLength(array);
        if (size > 0) {
            writer.writeListHeader(size);
        }
        for (int i = 0; i < size; i++) {
            Object value = Objects.requireNonNull(Array.get(array, i), "null in an array");
            element.invokeExact(writer, value);
        }
        writer.writeNil();
    }

    static Map<Object, Object> readMap(MethodHandle key, MethodHandle value, TermReader reader) throws Throwable {
        int size = reader.readMapHeader();
        Map<Object, Object> entries = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            Object read;
            try {
                read = key.invokeExact(reader);
            } catch (DatabindException | EtfException e) {
                throw within("key of entry " + i, e);
            }
            Object before;
            try {
                before = entries.put(read, value.invokeExact(reader));
            } catch (DatabindException | EtfException e) {
                throw within("value of entry " + i, e);
            }
            if (before != null) {
                throw keyTwice(i);
            }
        }
        return Collections.unmodifiableMap(entries);
    }

    private static DatabindException keyTwice(int entry) {
        return new DatabindException("key of entry " + entry + ": key stands twice");
    }

    static void writeMap(boolean mayCollide, MethodHandle key, MethodHandle value, TermWriter writer, Map<?, ?> entries)
            throws Throwable {
        int size = entries.size();
        // an IdentityHashMap holds equal keys, whatever their type
        boolean checked = size > 1 && (mayCollide || entries instanceof IdentityHashMap);
        DistinctKeys keys = checked ? new DistinctKeys() : null;
        writer.writeMapHeader(size);
        int written = 0;
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            Object name = Objects.requireNonNull(entry.getKey(), "null as a key of a map");
            Object held = Objects.requireNonNull(entry.getValue(), "null as a value of a map");
            int start = writer.position();
            key.invokeExact(writer, name);
            if (keys != null) {
                keys.add(written, writer, start);
            }
            value.invokeExact(writer, held);
            written++;
        }
        if (written != size) {
            throw new ConcurrentModificationException("expected=" + size + " entries, got=" + written);
        }
    }

    private static void writeElements(MethodHandle element, TermWriter writer, Collection<?> elements)
            throws Throwable {
        int size = elements.size();
        if (size > 0) {
            writer.writeListHeader(size);
        }
        int written = 0;
        for (Object value : elements) {
            Objects.requireNonNull(value, "null in a list or set");
            element.invokeExact(writer, value);
            written++;
        }
        if (written != size) {
            throw new ConcurrentModificationException("expected=" + size + " elements, got=" + written);
        }
        writer.writeNil();
    }

    static Optional<Object> readOptional(MethodHandle element, @Nullable MethodHandle fromAtom, TermReader reader)
            throws Throwable {
        return Scalars.isAtom(reader.peekTag())
                ? optionalOfAtom(fromAtom, reader.readAtom())
                : present(element.invokeExact(reader));
    }

    static Optional<Object> optionalOfAtom(@Nullable MethodHandle fromAtom, Atom atom) throws Throwable {
        if (atom.equals(Atom.UNDEFINED)) {
            return Optional.empty();
        }
        if (fromAtom == null) {
            throw new DatabindException("expected=undefined or a value, got=" + atom);
        }
        return present(fromAtom.invokeExact(atom));
    }

    static Optional<Object> present(Object value) {
        return Optional.of(value);
    }

    static void writeOptional(MethodHandle element, TermWriter writer, Optional<?> value) throws Throwable {
        if (value.isPresent()) {
            int at = writer.position();
            Object present = value.get();
            element.invokeExact(writer, present);
            if (isUndefined(writer, at)) {
                throw new DatabindException("expected=empty or another value, got=a present undefined");
            }
        } else {
            writer.writeAtom(Atom.UNDEFINED);
        }
    }

    private static boolean isUndefined(TermWriter writer, int at) {
        return Arrays.equals(writer.array(), at, writer.position(), UNDEFINED, 0, UNDEFINED.length);
    }

    private static byte[] undefined() {
        TermWriter writer = new TermWriter(Atom.UNDEFINED.encodedLength());
        writer.writeAtom(Atom.UNDEFINED);
        return Arrays.copyOf(writer.array(), writer.position());
    }

    /**
     * The encoded keys of one map that is being written. Erlang ends the whole connection when a map has a key twice, and keys that are
     * distinct in Java may be equal terms: arrays, and objects without {@code equals}. Confined to one thread.
     */
    private static final class DistinctKeys {
        /** The keys were encoded here, so they are read without limits. */
        private static final DecodeLimits NO_LIMITS =
                new DecodeLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

        private static final byte[] NEGATIVE_ZERO = {Tag.NEW_FLOAT, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0};

        private final TermReader reader = new TermReader(Databind.ATOMS, NO_LIMITS);
        private final Set<Term> seen = new HashSet<>();

        /**
         * Checks that the last key that was written differs from all keys before it.
         *
         * @param entry index of the key's entry, for messages
         * @param writer the writer that ends with the key
         * @param start position of the key's first byte
         * @throws DatabindException if the key stands twice
         */
        void add(int entry, TermWriter writer, int start) {
            Term key;
            try {
                key = decoded(writer.array(), start, writer.position());
            } catch (EtfException e) {
                throw new DatabindException("key of entry " + entry + ": " + e.getMessage(), e);
            }
            if (!seen.add(key)) {
                throw keyTwice(entry);
            }
        }

        /** Returns the key. Written bytes never change, even where the writer grows into another array, so terms may share them. */
        private Term decoded(byte[] bytes, int start, int end) {
            for (int at = start; at <= end - NEGATIVE_ZERO.length; at++) {
                if (bytes[at] == Tag.NEW_FLOAT
                        && Arrays.equals(
                                bytes, at, at + NEGATIVE_ZERO.length, NEGATIVE_ZERO, 0, NEGATIVE_ZERO.length)) {
                    byte[] copy = Arrays.copyOfRange(bytes, start, end);
                    clearSignsOfZeros(copy);
                    return reader.reset(copy, 0, copy.length, true).read();
                }
            }
            return reader.reset(bytes, start, end - start, true).read();
        }

        /** Makes each -0.0 of a term 0.0: they are the same key before OTP 27. The same bytes within a binary stay. */
        private void clearSignsOfZeros(byte[] term) {
            reader.reset(term, 0, term.length);
            for (long left = 1; left > 0; left--) {
                int at = reader.position();
                switch (reader.peekTag()) {
                    case Tag.SMALL_TUPLE, Tag.LARGE_TUPLE -> left += reader.readTupleHeader();
                    case Tag.LIST -> left += reader.readListHeader() + 1L; // the tail
                    case Tag.MAP -> left += 2L * reader.readMapHeader();
                    case Tag.NEW_FLOAT -> {
                        if (reader.readDouble() == 0) {
                            term[at + 1] = 0;
                        }
                    }
                    default -> reader.skip();
                }
            }
        }
    }
}

package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.EtfException;
import dev.touchstone.messaging.etf.Tag;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
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

    static TermCodec map(TermCodec key, TermCodec value) {
        TermCodec keys = key.as(Object.class);
        TermCodec values = value.as(Object.class);
        return new TermCodec(
                with("readMap", keys.read(), values.read()), with("writeMap", keys.write(), values.write()));
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
        for (byte unsigned : bytes) {
            elements.add(fromByte.invokeExact(unsigned & 0xff));
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
                throw new DatabindException("key of entry " + i + ": key stands twice");
            }
        }
        return Collections.unmodifiableMap(entries);
    }

    static void writeMap(MethodHandle key, MethodHandle value, TermWriter writer, Map<?, ?> entries) throws Throwable {
        int size = entries.size();
        writer.writeMapHeader(size);
        int written = 0;
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            Object name = Objects.requireNonNull(entry.getKey(), "null as a key of a map");
            Object held = Objects.requireNonNull(entry.getValue(), "null as a value of a map");
            key.invokeExact(writer, name);
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
}

package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.Tag;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Components with elements: lists and optionals. */
final class Containers {
    /** A header's count is only a claim: room for more comes with the elements. */
    private static final int TRUSTED_SIZE = 1024;

    private static final MethodHandle OPTIONAL_OF = Handles.of(Containers.class, "present");

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
            elements.add(element.invokeExact(reader));
        }
        reader.readNil();
        return Collections.unmodifiableList(elements);
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
        int size = elements.size();
        if (size > 0) {
            writer.writeListHeader(size);
        }
        int written = 0;
        for (Object value : elements) {
            Objects.requireNonNull(value, "null in a list");
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
            Object present = value.get();
            element.invokeExact(writer, present);
        } else {
            writer.writeAtom(Atom.UNDEFINED);
        }
    }
}

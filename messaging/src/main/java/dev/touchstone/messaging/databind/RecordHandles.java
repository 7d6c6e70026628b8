package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.EtfException;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The composition of a record's codec from its components' codecs, its accessors and its constructor. Every handle stands for a
 * statement, and folds keep their order: header first, then the components from the left, the constructor last.
 */
final class RecordHandles {
    /** A handle takes at most 255 arguments, of which a long is two. */
    private static final int MAX_COMPONENTS = 120;

    private static final MethodHandle REQUIRE_NON_NULL = Handles.of(RecordHandles.class, "requireNonNull");
    private static final MethodHandle NAMED = Handles.of(RecordHandles.class, "named");
    private static final MethodHandle REFUSED = Handles.of(RecordHandles.class, "refused");

    private final Class<?> type;
    private final RecordComponent[] components;
    private final TermCodec[] codecs;
    private final MethodHandle[] accessors;
    private final MethodHandle constructor;
    private final UnknownKeys unknown;

    private RecordHandles(
            Class<?> type, Map<TypeVariable<?>, BoundType> variables, MethodHandles.Lookup lookup, CodecFinder finder)
            throws ReflectiveOperationException {
        this.type = type;
        this.unknown = finder.unknown();
        this.components = type.getRecordComponents();
        if (components.length > MAX_COMPONENTS) {
            throw new IllegalArgumentException(
                    "record=" + type.getName() + " components=" + components.length + " allowed=" + MAX_COMPONENTS);
        }
        this.codecs = new TermCodec[components.length];
        this.accessors = new MethodHandle[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            accessors[i] = lookup.unreflect(components[i].getAccessor());
            codecs[i] = finder.find(new BoundType(components[i].getAnnotatedType(), variables), where(i))
                    .as(types[i]);
        }
        MethodHandle canonical = lookup.findConstructor(type, MethodType.methodType(void.class, types));
        this.constructor = MethodHandles.catchException(canonical, RuntimeException.class, thrower(type, refusal()));
    }

    static TermCodec codec(
            Class<?> type, Map<TypeVariable<?>, BoundType> variables, MethodHandles.Lookup lookup, CodecFinder finder) {
        try {
            RecordHandles handles = new RecordHandles(type, variables, lookup, finder);
            return type.isAnnotationPresent(ErlangMap.class) ? handles.map() : handles.tuple();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("record=" + type.getName() + " is not open to lookup=" + lookup, e);
        }
    }

    private TermCodec tuple() {
        ErlangRecord annotation = type.getAnnotation(ErlangRecord.class);
        Atom tag = annotation == null || annotation.tag().isEmpty() ? null : Atom.of(annotation.tag());
        int arity = components.length + (tag == null ? 0 : 1);
        MethodHandle read = MethodHandles.dropArguments(constructor, components.length, TermReader.class);
        MethodHandle write = MethodHandles.empty(MethodType.methodType(void.class, TermWriter.class, type));
        for (int i = components.length - 1; i >= 0; i--) {
            read = MethodHandles.foldArguments(read, i, reading(i));
            write = MethodHandles.foldArguments(write, writing(i));
        }
        MethodHandle enter = Handles.with(Headers.class, "readTuple", type.getSimpleName(), arity, tag);
        MethodHandle header = Handles.with(Headers.class, "writeTuple", arity, tag);
        return new TermCodec(MethodHandles.foldArguments(read, enter), MethodHandles.foldArguments(write, header));
    }

    private TermCodec map() {
        if (type.isAnnotationPresent(ErlangRecord.class)) {
            throw new IllegalArgumentException("record=" + type.getName() + " is both @ErlangRecord and @ErlangMap");
        }
        Atom[] keys = Arrays.stream(components).map(RecordHandles::key).toArray(Atom[]::new);
        MethodHandle[] reads = new MethodHandle[keys.length];
        MethodHandle write = MethodHandles.empty(MethodType.methodType(void.class, TermWriter.class, type));
        for (int i = keys.length - 1; i >= 0; i--) {
            reads[i] = reading(i).asType(MethodType.methodType(Object.class, TermReader.class));
            write = MethodHandles.foldArguments(write, writing(i));
            write = MethodHandles.foldArguments(write, Handles.with(Headers.class, "writeKey", keys[i]));
        }
        String[] names = IntStream.range(0, keys.length).mapToObj(this::where).toArray(String[]::new);
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        MapFields fields = new MapFields(type.getSimpleName(), names, types, keys, reads, unknown);
        MethodHandle values = Handles.bound(fields, "read", MethodType.methodType(Object[].class, TermReader.class));
        MethodHandle header = Handles.with(Headers.class, "writeMap", keys.length);
        return new TermCodec(
                MethodHandles.filterReturnValue(values, constructor.asSpreader(Object[].class, keys.length)),
                MethodHandles.foldArguments(write, header));
    }

    private static Atom key(RecordComponent component) {
        ErlangName given = component.getAnnotation(ErlangName.class);
        return Atom.of(given == null ? component.getName() : given.value());
    }

    /** Returns {@code (TermReader)X}, whose exceptions name the component. */
    private MethodHandle reading(int i) {
        MethodHandle naming = MethodHandles.insertArguments(NAMED, 0, where(i));
        return MethodHandles.catchException(
                codecs[i].read(), RuntimeException.class, thrower(components[i].getType(), naming));
    }

    /** Returns {@code (TermWriter, Record)void}. */
    private MethodHandle writing(int i) {
        MethodHandle accessor = accessors[i];
        Class<?> returned = components[i].getType();
        if (!returned.isPrimitive()) {
            MethodHandle check = MethodHandles.insertArguments(REQUIRE_NON_NULL, 0, where(i));
            accessor =
                    MethodHandles.filterReturnValue(accessor, check.asType(MethodType.methodType(returned, returned)));
        }
        return MethodHandles.filterArguments(codecs[i].write(), 1, accessor);
    }

    private String where(int i) {
        return type.getSimpleName() + "." + components[i].getName();
    }

    private MethodHandle refusal() {
        return MethodHandles.insertArguments(REFUSED, 0, type.getSimpleName());
    }

    /** Returns {@code (RuntimeException)X}, which throws the exception that {@code replacement} makes of its argument. */
    private static MethodHandle thrower(Class<?> returned, MethodHandle replacement) {
        return MethodHandles.filterArguments(
                MethodHandles.throwException(returned, RuntimeException.class), 0, replacement);
    }

    static RuntimeException named(String component, RuntimeException cause) {
        return cause instanceof DatabindException || cause instanceof EtfException
                ? new DatabindException(component + ": " + cause.getMessage(), cause)
                : cause;
    }

    static RuntimeException refused(String record, RuntimeException cause) {
        return new DatabindException(record + " refuses its values: " + cause.getMessage(), cause);
    }

    static Object requireNonNull(String component, @Nullable Object value) {
        return Objects.requireNonNull(value, component);
    }
}

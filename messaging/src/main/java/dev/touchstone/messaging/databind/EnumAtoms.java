package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The constants of an enum as atoms: their names in lower case, or as {@link ErlangName} says. */
final class EnumAtoms {
    private final Class<?> type;
    private final Map<Object, Atom> atoms = new HashMap<>();
    private final Map<Atom, Object> constants = new HashMap<>();

    private EnumAtoms(Class<?> type) {
        this.type = type;
        for (Object constant : type.getEnumConstants()) {
            Atom atom = Atom.of(name(((Enum<?>) constant).name()));
            atoms.put(constant, atom);
            if (constants.put(atom, constant) != null) {
                throw new IllegalArgumentException("two constants of enum=" + type.getName() + " are atom=" + atom);
            }
        }
    }

    static TermCodec codec(Class<?> type) {
        EnumAtoms atoms = new EnumAtoms(type);
        return new TermCodec(
                        Handles.bound(atoms, "read", MethodType.methodType(Object.class, TermReader.class)),
                        Handles.bound(
                                atoms, "write", MethodType.methodType(void.class, TermWriter.class, Object.class)),
                        Handles.bound(atoms, "constant", MethodType.methodType(Object.class, Atom.class)),
                        null)
                .as(type);
    }

    private String name(String constant) {
        try {
            ErlangName given = type.getField(constant).getAnnotation(ErlangName.class);
            return given == null ? constant.toLowerCase(Locale.ROOT) : given.value();
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(
                    "constant of an enum has no field: enum=" + type.getName() + " constant=" + constant, e);
        }
    }

    Object read(TermReader reader) {
        return constant(reader.readAtom());
    }

    void write(TermWriter writer, Object value) {
        writer.writeAtom(Objects.requireNonNull(atoms.get(value)));
    }

    Object constant(Atom atom) {
        Object constant = constants.get(atom);
        if (constant == null) {
            throw new DatabindException("expected=" + type.getSimpleName() + " got=" + atom);
        }
        return constant;
    }
}

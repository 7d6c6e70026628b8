package dev.touchstone.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A subject as the matrix declares it. Its adapters are static methods, {@code package.Class.method}, and constructors, {@code
 * package.Class.new}; the type that one gives says which roles the subject plays, and the number of its parameters which of several of that name
 * is meant. Only those in the package of a role's part are looked at, so that no fork loads classes of another part.
 *
 * @param name value of the parameter {@code subject}
 * @param level what the subject promises
 * @param adapters methods and constructors that open the subject
 */
public record DeclaredSubject(String name, String level, List<String> adapters) {
    /** Resource that the build makes of the subjects of {@code matrix.json}. */
    private static final String RESOURCE = "/META-INF/touchstone/subjects.tsv";

    private static final String CONSTRUCTOR = "new";
    private static final String REQUIREMENT = ".requirement";

    private static final Map<String, DeclaredSubject> ALL = read();

    /**
     * Returns a subject of the matrix.
     *
     * @throws IllegalArgumentException if the matrix has no such subject
     */
    public static DeclaredSubject of(String name) {
        DeclaredSubject subject = ALL.get(name);
        if (subject == null) {
            throw new IllegalArgumentException("no subject of the matrix: subject=" + name + ", known=" + ALL.keySet());
        }
        return subject;
    }

    /** Returns whether this is a physical limit. */
    public boolean ceiling() {
        return name.startsWith("CEILING");
    }

    /** Returns whether an adapter opens the subject in a role. */
    public boolean opens(Class<?> role) {
        return adapters(role).findAny().isPresent();
    }

    /** Returns what this machine lacks to run the subject, as its adapter {@code requirement} says; empty if nothing is missing. */
    public Optional<String> missing() {
        return adapters.stream()
                .filter(adapter -> adapter.endsWith(REQUIREMENT))
                .flatMap(DeclaredSubject::handles)
                .findFirst()
                .flatMap(this::missing);
    }

    private Optional<String> missing(MethodHandle requirement) {
        try {
            return ((Requirement) opened(requirement)).missing();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Opens the subject, with whatever {@link SubjectWrappers} puts around it.
     *
     * @param role type that the benchmark knows its subjects by
     * @param arguments what the adapters of the role take
     * @throws UnsupportedOperationException if no adapter of the subject opens it in that role
     */
    public <T> T open(Class<T> role, Object... arguments) throws IOException {
        MethodHandle opening = adapters(role)
                .filter(adapter -> adapter.type().parameterCount() == arguments.length)
                .findAny()
                .orElseThrow(() -> new UnsupportedOperationException("subject=" + name + " has no adapter that opens "
                        + role.getSimpleName() + " of " + arguments.length + " arguments; adapters=" + adapters));
        return SubjectWrappers.wrapped(name, role, role.cast(opened(opening, arguments)));
    }

    private Object opened(MethodHandle opening, Object... arguments) throws IOException {
        try {
            return opening.invokeWithArguments(arguments);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException("cannot open subject=" + name, e);
        }
    }

    private Stream<MethodHandle> adapters(Class<?> role) {
        String own = DeclaredSubject.class.getPackageName() + ".";
        String part = own + role.getPackageName().substring(own.length()).replaceFirst("\\..*", "") + ".";
        return adapters.stream()
                .filter(adapter -> adapter.startsWith(part))
                .flatMap(DeclaredSubject::handles)
                .filter(adapter -> role.isAssignableFrom(adapter.type().returnType()));
    }

    private static Stream<MethodHandle> handles(String adapter) {
        int dot = adapter.lastIndexOf('.');
        String name = adapter.substring(dot + 1);
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        List<MethodHandle> handles = new ArrayList<>();
        try {
            Class<?> type = Class.forName(adapter.substring(0, dot));
            if (name.equals(CONSTRUCTOR)) {
                for (Constructor<?> constructor : type.getConstructors()) {
                    handles.add(lookup.unreflectConstructor(constructor));
                }
            } else {
                for (Method method : type.getMethods()) {
                    if (method.getName().equals(name)) {
                        handles.add(lookup.unreflect(method));
                    }
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the matrix names an adapter that is not there: adapter=" + adapter, e);
        }
        return handles.stream();
    }

    private static Map<String, DeclaredSubject> read() {
        try (InputStream in = DeclaredSubject.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("no " + RESOURCE + " on the class path: run ./mvnw process-classes");
            }
            Map<String, DeclaredSubject> subjects = new LinkedHashMap<>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                List<String> fields = List.of(line.split("\t", -1));
                subjects.put(
                        fields.get(0),
                        new DeclaredSubject(fields.get(0), fields.get(1), fields.subList(2, fields.size())));
            });
            return subjects;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

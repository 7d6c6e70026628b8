package dev.touchstone.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A subject as the matrix declares it. Its adapters are static methods, {@code package.Class.method}; the type that one returns says which
 * roles it plays, and the number of its parameters which of several methods of that name is meant.
 *
 * @param name value of the parameter {@code subject}
 * @param level what the subject promises
 * @param adapters methods that open the subject
 */
public record DeclaredSubject(String name, String level, List<String> adapters) {
    /** Resource that the build makes of the subjects of {@code matrix.json}. */
    private static final String RESOURCE = "/META-INF/touchstone/subjects.tsv";

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
        return methods(role).findAny().isPresent();
    }

    /**
     * Opens the subject, with whatever {@link SubjectWrappers} puts around it.
     *
     * @param role type that the benchmark knows its subjects by
     * @param arguments what the adapters of the role take
     * @throws UnsupportedOperationException if no adapter of the subject opens it in that role
     */
    public <T> T open(Class<T> role, Object... arguments) throws IOException {
        Method opening = methods(role)
                .filter(method -> method.getParameterCount() == arguments.length)
                .findAny()
                .orElseThrow(() -> new UnsupportedOperationException("subject=" + name + " has no adapter that opens "
                        + role.getSimpleName() + " of " + arguments.length + " arguments; adapters=" + adapters));
        try {
            Object opened = MethodHandles.publicLookup().unreflect(opening).invokeWithArguments(arguments);
            return SubjectWrappers.wrapped(name, role, role.cast(opened));
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException("cannot open subject=" + name, e);
        }
    }

    private Stream<Method> methods(Class<?> role) {
        return adapters.stream()
                .flatMap(DeclaredSubject::methods)
                .filter(method -> role.isAssignableFrom(method.getReturnType()));
    }

    private static Stream<Method> methods(String adapter) {
        int dot = adapter.lastIndexOf('.');
        try {
            return Arrays.stream(Class.forName(adapter.substring(0, dot)).getMethods())
                    .filter(method -> method.getName().equals(adapter.substring(dot + 1)));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the matrix names an adapter that is not there: adapter=" + adapter, e);
        }
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

package dev.touchstone.jinterface;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares names, signatures and constants with those of the real library: whatever compiled and linked against it must against ours. */
class ApiParityTest {
    private static final int API = Modifier.PUBLIC | Modifier.PROTECTED;
    private static final int COMPARED = API | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;

    @Test
    void api_hasAllThatTheRealLibraryHas() throws IOException, ReflectiveOperationException {
        List<String> missing = new ArrayList<>();
        int types = 0;
        int members = 0;
        try (RealLibrary real = new RealLibrary();
                JarFile jar = new JarFile("/usr/share/java/OtpErlang.jar")) {
            for (String name : new TreeSet<>(jar.stream()
                    .map(entry -> entry.getName().replace('/', '.'))
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .toList())) {
                Class<?> theirs = real.load(name);
                if (!isApi(theirs)) {
                    continue;
                }
                types++;
                Class<?> ours = Class.forName(name, false, getClass().getClassLoader());
                List<String> have = describe(ours);
                for (String member : describe(theirs)) {
                    members++;
                    if (!have.contains(member)) {
                        missing.add(name + ": " + member);
                    }
                }
            }
        }
        assertThat(missing).as("types=%d members=%d", types, members).isEmpty();
        assertThat(types).isGreaterThanOrEqualTo(57);
        assertThat(members).isGreaterThanOrEqualTo(530);
    }

    private static boolean isApi(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return !type.isAnonymousClass() && (type.getModifiers() & API) != 0 && (outer == null || isApi(outer));
    }

    /** Returns a line for the type and for each member that others may use. */
    private static List<String> describe(Class<?> type) throws ReflectiveOperationException {
        List<String> lines = new ArrayList<>();
        lines.add(Modifier.toString(type.getModifiers() & (COMPARED | Modifier.INTERFACE)) + " extends "
                + (type.getSuperclass() == null ? "" : type.getSuperclass().getName()) + " implements "
                + Arrays.stream(type.getInterfaces())
                        .map(Class::getName)
                        .sorted()
                        .toList());
        List<Class<?>> types = new ArrayList<>();
        for (Class<?> each = type;
                each != null && each.getName().startsWith("com.ericsson");
                each = each.getSuperclass()) {
            types.add(each);
        }
        for (Class<?> each : types) {
            for (Field field : each.getDeclaredFields()) {
                if (isApi(field)) {
                    lines.add(
                            modifiers(field) + " " + field.getType().getName() + " " + field.getName() + value(field));
                }
            }
            for (Method method : each.getDeclaredMethods()) {
                if (isApi(method)) {
                    lines.add(modifiers(method) + " " + method.getReturnType().getName() + " " + method.getName()
                            + signature(method));
                }
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isApi(constructor)) {
                lines.add(modifiers(constructor) + signature(constructor));
            }
        }
        return lines;
    }

    private static boolean isApi(Member member) {
        return (member.getModifiers() & API) != 0 && !member.isSynthetic();
    }

    private static String modifiers(Member member) {
        int compared = member instanceof Executable ? COMPARED & ~Modifier.FINAL : COMPARED;
        return Modifier.toString(member.getModifiers() & compared);
    }

    private static String signature(Executable executable) {
        return Stream.of(executable.getParameterTypes()).map(Class::getName).collect(Collectors.joining(",", "(", ")"))
                + Arrays.stream(executable.getExceptionTypes())
                        .map(Class::getName)
                        .sorted()
                        .toList();
    }

    private static String value(Field field) throws ReflectiveOperationException {
        boolean constant = Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers());
        if (!constant) {
            return "";
        }
        field.setAccessible(true);
        return "=" + field.get(null);
    }
}

package dev.touchstone.harness.paced;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmptyJarTest {
    @TempDir
    Path folder;

    /** Methods with a body and each kind of result. */
    public static class Subject {
        public static int calls;

        public int number(int by) {
            int sum = 0;
            for (int i = 0; i < by; i++) {
                sum += i;
            }
            calls++;
            return sum + 1;
        }

        public long number(long by) {
            calls++;
            return by + 1;
        }

        public double number(double by) {
            calls++;
            return by + 1;
        }

        public float number(float by) {
            calls++;
            return by + 1;
        }

        public String number(String by) {
            calls++;
            return by.strip();
        }

        public boolean number(boolean by) {
            try {
                return !by;
            } finally {
                calls++;
            }
        }

        public void number() {
            calls++;
        }

        public int other() {
            return ++calls;
        }
    }

    @Test
    void write_methodsOfTheName_doNothing() throws Exception {
        Path jar = folder.resolve("empty.jar");
        EmptyJar.write(jar, Subject.class, "number");
        URL[] urls = {jar.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, null)) {
            Class<?> type = loader.loadClass(Subject.class.getName());
            Object subject = type.getConstructor().newInstance();
            assertThat(call(type, subject, int.class, 5)).isEqualTo(0);
            assertThat(call(type, subject, long.class, 5L)).isEqualTo(0L);
            assertThat(call(type, subject, double.class, 5.0)).isEqualTo(0.0);
            assertThat(call(type, subject, float.class, 5.0f)).isEqualTo(0.0f);
            assertThat(call(type, subject, String.class, " a ")).isNull();
            assertThat(call(type, subject, boolean.class, false)).isEqualTo(false);
            type.getMethod("number").invoke(subject);
            assertThat(type.getMethod("other").invoke(subject)).isEqualTo(1);
        }
    }

    private static Object call(Class<?> type, Object subject, Class<?> parameter, Object value) throws Exception {
        Method method = type.getMethod("number", parameter);
        return method.invoke(subject, value);
    }
}

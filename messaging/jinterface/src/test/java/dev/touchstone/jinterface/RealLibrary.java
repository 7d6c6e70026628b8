package dev.touchstone.jinterface;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Assumptions;

/**
 * The jinterface 1.13.1 that Debian's package {@code erlang-jinterface} has, in a class loader of its own, so that it never shares a path
 * with ours. Tests that need it leave themselves out where it is missing.
 */
final class RealLibrary implements AutoCloseable {
    private static final Path JAR = Path.of("/usr/share/java/OtpErlang.jar");

    private final URLClassLoader loader;

    RealLibrary() throws IOException {
        Assumptions.assumeTrue(Files.exists(JAR), "OtpErlang.jar is missing: apt-get install erlang-jinterface");
        Path tests = Path.of("target", "test-classes");
        loader = new URLClassLoader(
                new URL[] {JAR.toUri().toURL(), tests.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }

    Class<?> load(String name) throws ClassNotFoundException {
        return loader.loadClass(name);
    }

    /** Runs a probe against the real library: a class with a public constructor without parameters. */
    @SuppressWarnings("unchecked")
    List<String> run(Class<? extends Function<Integer, List<String>>> probe, int argument)
            throws ReflectiveOperationException {
        Object made = load(probe.getName()).getDeclaredConstructor().newInstance();
        return ((Function<Integer, List<String>>) made).apply(argument);
    }

    /** Returns the lines in which two runs of a probe differ. */
    static List<String> differences(List<String> ours, List<String> theirs) {
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < Math.max(ours.size(), theirs.size()); i++) {
            String our = i < ours.size() ? ours.get(i) : "nothing";
            String their = i < theirs.size() ? theirs.get(i) : "nothing";
            if (!our.equals(their)) {
                differences.add("ours: " + our + "\ntheirs: " + their);
            }
        }
        return differences;
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}

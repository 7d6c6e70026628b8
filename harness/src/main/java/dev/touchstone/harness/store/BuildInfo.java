package dev.touchstone.harness.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * The identity of a build, from a resource that the build writes.
 *
 * @param version Maven version of the build
 * @param commit short commit hash, or {@code unknown}
 * @param dirty whether the working tree had changes when it was built
 */
public record BuildInfo(String version, String commit, boolean dirty) {
    private static final String RESOURCE = "META-INF/touchstone/build.properties";
    private static final String UNKNOWN = "unknown";
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /**
     * Reads the resource from the class path.
     *
     * @param loader the class path of the build
     * @return its identity; {@code unknown} version and commit without the resource
     */
    public static BuildInfo load(ClassLoader loader) {
        Properties properties = new Properties();
        try (InputStream in = loader.getResourceAsStream(RESOURCE)) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read resource " + RESOURCE, e);
        }
        return new BuildInfo(
                word(properties, "version"),
                word(properties, "commit"),
                Boolean.parseBoolean(properties.getProperty("dirty", "false")));
    }

    private static String word(Properties properties, String key) {
        String value = properties.getProperty(key, UNKNOWN).strip();
        return WORD.matcher(value).matches() ? value : UNKNOWN;
    }
}

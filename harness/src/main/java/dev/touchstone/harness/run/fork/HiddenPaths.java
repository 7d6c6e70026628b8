package dev.touchstone.harness.run.fork;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Text for the record without the folders that tell whose machine it came from. */
public final class HiddenPaths {
    /** Placeholder in the record for the folder with the benchmarks' files. */
    public static final String DATA = "<data>";

    private static final int HASH_BYTES = 3;
    /** An absolute path: the whole argument, or what follows a sign that options set before their values. */
    private static final Pattern ABSOLUTE = Pattern.compile("(?<=^|[=:,;@])/[^,;:]*");

    private final Map<Path, String> names = new LinkedHashMap<>();

    private HiddenPaths() {}

    /** Hides the data folder, the JDK's, this process's and the user's. */
    static HiddenPaths of(Path dataFolder) {
        HiddenPaths hidden = new HiddenPaths();
        hidden.names.put(dataFolder, DATA);
        hidden.add("java.home", "<jdk>");
        hidden.add("user.dir", "<here>");
        hidden.add("user.home", "<home>");
        return hidden;
    }

    private void add(String property, String name) {
        Path path = Path.of(System.getProperty(property, ""));
        if (path.isAbsolute() && path.getNameCount() > 0) {
            names.putIfAbsent(path, name);
        }
    }

    /** The text with a name in place of each of the folders. */
    String in(String text) {
        String shown = text;
        for (Map.Entry<Path, String> folder : names.entrySet()) {
            shown = shown.replaceAll(Pattern.quote(folder.getKey().toString()) + "(?![\\w-])", folder.getValue());
        }
        return shown;
    }

    /**
     * Replaces absolute paths by {@code <path-3fa91c>}, a hash of each: different paths stay different, and none can be read.
     *
     * @param argument an argument of a command line
     * @return the argument without absolute paths
     */
    public static String inArgument(String argument) {
        return ABSOLUTE.matcher(argument).replaceAll(HiddenPaths::hashed);
    }

    private static String hashed(MatchResult path) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(path.group().getBytes(StandardCharsets.UTF_8));
            return "<path-" + HexFormat.of().formatHex(hash, 0, HASH_BYTES) + ">";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

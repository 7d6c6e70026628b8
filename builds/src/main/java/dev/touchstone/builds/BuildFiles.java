package dev.touchstone.builds;

import java.nio.file.FileSystems;
import java.nio.file.PathMatcher;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * The files that a build hands on: artefacts to the master, and cached folders to later builds of the repository. Immutable.
 *
 * @param artefacts patterns of the files that the master keeps, in the glob syntax of {@link java.nio.file.FileSystem#getPathMatcher} and relative to the
 *     sources; not null
 * @param always whether artefacts are collected also if the script fails
 * @param caches paths of folders by the key under which they are kept, relative to the sources, or to {@code HOME} with {@code ~/} before them; not null
 */
public record BuildFiles(List<String> artefacts, boolean always, Map<String, String> caches) {
    /** No files. */
    public static final BuildFiles NONE = new BuildFiles(List.of(), false, Map.of());

    /** Maximum number of patterns. */
    public static final int MAX_PATTERNS = 100;

    /** Maximum length of a pattern in characters. */
    public static final int MAX_PATTERN_LENGTH = 1000;

    /** Maximum number of caches. */
    public static final int MAX_CACHES = 20;

    /** Begins the path of a cache that is in {@code HOME}. */
    public static final String HOME = "~/";

    /**
     * Checks what it is given.
     *
     * @throws IllegalArgumentException if a pattern, key or path has not the form it must have
     */
    public BuildFiles {
        artefacts = List.copyOf(artefacts);
        caches = Map.copyOf(caches);
        if (artefacts.size() > MAX_PATTERNS || caches.size() > MAX_CACHES) {
            throw new IllegalArgumentException("too many patterns or caches: patterns=" + artefacts.size() + " most="
                    + MAX_PATTERNS + " caches=" + caches.size() + " most=" + MAX_CACHES);
        }
        artefacts.forEach(BuildFiles::checkPattern);
        caches.forEach((key, path) -> {
            BuildRequest.name("cache key", key);
            checkPath(path.startsWith(HOME) ? path.substring(HOME.length()) : path);
        });
    }

    private static void checkPattern(String pattern) {
        BuildRequest.text("pattern", pattern);
        if (pattern.length() > MAX_PATTERN_LENGTH) {
            throw new IllegalArgumentException(
                    "pattern is too long: characters=" + pattern.length() + " most=" + MAX_PATTERN_LENGTH);
        }
        if (pattern.startsWith("/")
                || Arrays.asList(pattern.split("[/{},]", -1)).contains("..")) {
            throw new IllegalArgumentException("pattern=\"" + BuildRequest.printable(pattern)
                    + "\": expected one relative to the sources, without ..");
        }
        try {
            PathMatcher unused = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "pattern=\"" + BuildRequest.printable(pattern) + "\": " + e.getDescription(), e);
        }
    }

    private static void checkPath(String path) {
        BuildRequest.text("cache path", path);
        for (String step : path.split("/", -1)) {
            if (step.isEmpty() || step.equals(".") || step.equals("..")) {
                throw new IllegalArgumentException("cache path=\"" + BuildRequest.printable(path)
                        + "\": expected a path relative to the sources, or to HOME with ~/ before it, of plain steps");
            }
        }
    }

    /**
     * Returns whether there is nothing to hand on.
     *
     * @return true if there are neither patterns nor caches
     */
    public boolean isEmpty() {
        return artefacts.isEmpty() && caches.isEmpty();
    }

    /**
     * Returns these files and one more pattern.
     *
     * @param pattern of files that the master keeps; not null
     * @return new files
     * @throws IllegalArgumentException if the pattern has not the form it must have, or there are too many
     */
    public BuildFiles withArtefact(String pattern) {
        return new BuildFiles(
                Stream.concat(artefacts.stream(), Stream.of(pattern)).toList(), always, caches);
    }

    /**
     * Returns these files, with artefacts of scripts that fail or without.
     *
     * @param value whether artefacts are collected also if the script fails
     * @return new files
     */
    public BuildFiles withAlways(boolean value) {
        return new BuildFiles(artefacts, value, caches);
    }

    /**
     * Returns these files and one more cache, in place of one with the same key.
     *
     * @param key under which the folder is kept; not null
     * @param path of the folder; not null
     * @return new files
     * @throws IllegalArgumentException if the key or the path has not the form it must have, or there are too many
     */
    public BuildFiles withCache(String key, String path) {
        Map<String, String> more = new TreeMap<>(caches);
        more.put(key, path);
        return new BuildFiles(artefacts, always, more);
    }
}

package dev.touchstone.builds.agent.artefact;

import dev.touchstone.builds.file.FilePattern;
import dev.touchstone.builds.file.RelativePath;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The files that a build is to hand on. Immutable.
 *
 * @param artefacts patterns of files for the master
 * @param always whether these are collected also if the script fails
 * @param caches paths of folders for later builds by their keys, relative to the sources, or to HOME with {@code ~/} before them
 * @param maxFiles most files that the master takes of a job
 * @param maxBytes most bytes that it takes of a job
 */
public record WantedFiles(
        List<String> artefacts, boolean always, Map<String, String> caches, int maxFiles, long maxBytes) {
    /** No files. */
    public static final WantedFiles NONE = new WantedFiles(List.of(), false, Map.of(), 0, 0);

    /** Begins the path of a cache that is in HOME. */
    public static final String HOME = "~/";

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** Creates a record with copies of the collections. */
    public WantedFiles {
        artefacts = List.copyOf(artefacts);
        caches = Map.copyOf(caches);
    }

    /**
     * Checks that nothing leads out of the folders of the build.
     *
     * @throws IllegalArgumentException if something may
     */
    public void check() {
        artefacts.forEach(FilePattern::parse);
        caches.forEach((key, path) -> {
            if (!KEY.matcher(key).matches()) {
                throw new IllegalArgumentException("cache key=" + RelativePath.shown(key)
                        + " is not 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first");
            }
            String unused = RelativePath.check("cache path", isInHome(path) ? path.substring(HOME.length()) : path);
        });
    }

    /** Returns whether a cache is in HOME. */
    public static boolean isInHome(String path) {
        return path.startsWith(HOME);
    }
}

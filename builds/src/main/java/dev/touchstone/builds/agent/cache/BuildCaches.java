package dev.touchstone.builds.agent.cache;

import dev.touchstone.builds.agent.artefact.WantedFiles;
import dev.touchstone.builds.agent.source.Checkout;
import dev.touchstone.builds.agent.source.Folders;
import dev.touchstone.builds.agent.source.name.Names;
import dev.touchstone.builds.file.BundleWriter;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The caches of one build. A cache that cannot be restored or kept fails no build: the log says why. For one thread.
 */
public final class BuildCaches {
    private static final String HOME = ".builds-home"; // in the workspace, which is the build's

    private final Caches caches;
    private final Folders folders;
    private final String repository;
    private final Map<String, String> paths;
    private final Checkout checkout;
    private final BundleWriter.Check check;
    private final Log log;
    private final Map<String, Path> usable = new TreeMap<>(); // folders that are not the sources' own, by key

    /** Takes lines for the log of a build. */
    public interface Log {
        /** Adds a line. */
        void say(String line) throws IOException;
    }

    /**
     * Creates the caches of a build.
     *
     * @param repository name of the repository's folder, of which the build has all caches and no others; not null
     * @param wanted names the caches; not null
     * @param check called often, and throws what is to end a copy; not null
     * @param log takes lines for the build's log; not null
     */
    public BuildCaches(
            Caches caches,
            Folders folders,
            String repository,
            WantedFiles wanted,
            Checkout checkout,
            BundleWriter.Check check,
            Log log) {
        this.caches = caches;
        this.folders = folders;
        this.repository = repository;
        this.paths = new TreeMap<>(wanted.caches());
        this.checkout = checkout;
        this.check = check;
        this.log = log;
    }

    /** Returns the HOME that the script is to have, if a cache is in it: an empty folder of the build's own but for its caches. */
    public Optional<Path> home() {
        return paths.values().stream().anyMatch(WantedFiles::isInHome) ? Optional.of(homeFolder()) : Optional.empty();
    }

    private Path homeFolder() {
        return checkout.workspace().resolve(HOME);
    }

    /** Makes the HOME of the build. */
    public void open() throws IOException {
        if (home().isPresent()) {
            folders.delete(homeFolder());
            OwnerOnly.newFolder(homeFolder());
        }
    }

    /** Puts the caches to their places before the script runs. */
    public void restore() throws IOException {
        for (Map.Entry<String, String> cache : paths.entrySet()) {
            String how;
            try {
                Path target = place(cache.getValue());
                usable.put(cache.getKey(), target);
                how = caches.restore(repository, Names.folder(cache.getKey()), target, check)
                        .map(copied -> "is restored: " + copied)
                        .orElse("is empty");
            } catch (IOException e) {
                check.run();
                how = "is not restored: " + e.getMessage();
            }
            say(cache.getKey(), how);
        }
    }

    private void say(String key, String how) throws IOException {
        log.say("\n---> Cache " + key + " " + how);
    }

    /** Makes the folders above a cache; returns its path, where nothing is. */
    private Path place(String path) throws IOException {
        boolean isInHome = WantedFiles.isInHome(path);
        Path place = isInHome ? homeFolder() : checkout.source();
        for (Path step : steps(isInHome ? path.substring(WantedFiles.HOME.length()) : path)) {
            if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(place);
            }
            if (!Folders.isFolder(place)) {
                throw new FileSystemException(
                        path, null, "the sources have a file or a link in the place of a folder above");
            }
            place = place.resolve(step);
        }
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(path, null, "is a part of the sources, or another cache is in it");
        }
        return place;
    }

    private static Path steps(String path) throws IOException {
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw new IOException("the agent's character set has no such name: " + e.getMessage(), e);
        }
    }

    /** Keeps what the script, which has succeeded, has left in the places of the caches. */
    public void keep() throws IOException {
        Path trusted = checkout.workspace().resolveSibling("");
        for (Map.Entry<String, Path> cache : usable.entrySet()) {
            String how;
            try {
                Path folder = trusted.relativize(cache.getValue());
                how = "is kept: " + caches.keep(repository, Names.folder(cache.getKey()), trusted, folder, check);
            } catch (IOException e) {
                check.run();
                how = "is not kept: " + e.getMessage();
            }
            say(cache.getKey(), how);
        }
    }

    /** Removes the HOME of the build. */
    public void close() {
        if (home().isEmpty()) {
            return;
        }
        try {
            folders.delete(homeFolder());
        } catch (IOException e) { // the next build tries again
            System.getLogger(BuildCaches.class.getName())
                    .log(System.Logger.Level.WARNING, "folder cannot be removed: folder=" + homeFolder(), e);
        }
    }
}

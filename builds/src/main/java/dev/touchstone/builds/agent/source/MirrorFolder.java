package dev.touchstone.builds.agent.source;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/** Opens and makes the folders of mirrors; the caller holds the mirror's locks. */
final class MirrorFolder {
    private static final System.Logger LOGGER = System.getLogger(MirrorFolder.class.getName());
    private static final int MAX_PACKS = 50;
    private static final Set<String> KEPT =
            Set.of(Constants.HEAD, Constants.CONFIG, Constants.PACKED_REFS, "objects", "refs");
    private static final Set<String> FETCHED = Set.of("heads", "tags");

    /** Configuration of a mirror. With another {@code prunePackExpire}, every fetch would tidy again for an hour. Objects without references are kept for two weeks. */
    private static final String CONFIG = """
            [core]
            \trepositoryformatversion = 0
            \tfilemode = true
            \tbare = true
            \tlogallrefupdates = false
            [gc]
            \tauto = 0
            \tprunepackexpire = now
            """;

    private MirrorFolder() {}

    static Repository create(Path folder, Folders folders) throws IOException {
        try (Repository repository = build(folder, false)) {
            repository.create(true);
        }
        return open(folder, folders);
    }

    static Repository open(Path folder, Folders folders) throws IOException {
        if (!isWhole(folder)) {
            throw new IOException("mirror=" + folder + " lacks the folder refs or objects");
        }
        restore(folder, folders);
        return build(folder, true);
    }

    /**
     * Writes what is the agent's, and removes what is neither the agent's nor brought by fetches: hooks, attributes, grafts, borrowed objects, references
     * other than branches and tags, and the locks of a killed process. Nobody else fetches into the mirror now.
     */
    static void restore(Path folder, Folders folders) throws IOException {
        Folders.forEach(folder, entry -> {
            if (!KEPT.contains(entry.getFileName().toString())) {
                folders.delete(entry);
            }
        });
        folders.ensure(folder.resolve(Constants.HEAD), "ref: refs/heads/master\n");
        folders.ensure(folder.resolve(Constants.CONFIG), CONFIG);
        Path info = folder.resolve("objects/info");
        if (Folders.exists(info)) {
            folders.delete(info);
        }
        Folders.forEach(folder.resolve("refs"), entry -> {
            if (!FETCHED.contains(entry.getFileName().toString())) {
                folders.delete(entry);
            }
        });
        removeLocks(folder.resolve("refs"));
    }

    /** Returns names, sizes and inodes of all files of objects: the same as long as nobody has added, replaced or removed one. */
    static Set<String> seal(Path folder) throws IOException {
        Path objects = folder.resolve("objects");
        Set<String> files = new HashSet<>();
        Files.walkFileTree(objects, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(objects.relativize(file) + " " + attributes.size() + " " + attributes.fileKey());
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    /** Returns whether the folder has what only fetches can fill. */
    static boolean isWhole(Path folder) {
        return Folders.isFolder(folder)
                && Folders.isFolder(folder.resolve("refs"))
                && Folders.isFolder(folder.resolve("objects"));
    }

    /** Puts the packs together when fetches have left too many; a mirror that cannot be tidied still works. */
    static void tidy(Repository repository, Path folder) {
        if (packs(folder) <= MAX_PACKS) {
            return;
        }
        try (Git git = new Git(repository)) {
            git.gc().call();
        } catch (GitAPIException | RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "mirror=" + folder + " cannot be tidied", e);
        }
    }

    private static long packs(Path folder) {
        String[] names = folder.resolve("objects/pack").toFile().list();
        return names == null
                ? 0
                : Stream.of(names).filter(name -> name.endsWith(".pack")).count();
    }

    private static Repository build(Path folder, boolean mustExist) throws IOException {
        return new FileRepositoryBuilder()
                .setBare()
                .setGitDir(folder.toFile())
                .setMustExist(mustExist)
                .build();
    }

    private static void removeLocks(Path refs) throws IOException {
        List<Path> locks;
        try (Stream<Path> files = Files.walk(refs)) {
            locks = files.filter(file -> file.toString().endsWith(".lock")).toList();
        }
        for (Path lock : locks) {
            Files.deleteIfExists(lock);
        }
    }
}

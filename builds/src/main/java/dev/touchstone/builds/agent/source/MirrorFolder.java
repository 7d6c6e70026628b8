package dev.touchstone.builds.agent.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.ConfigConstants;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.StoredConfig;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/** Opens and makes the folders of mirrors; the caller holds the mirror's locks. */
final class MirrorFolder {
    private static final System.Logger LOGGER = System.getLogger(MirrorFolder.class.getName());
    private static final int MAX_HEAD_BYTES = 1_000;
    private static final int MAX_PACKS = 50;

    private MirrorFolder() {}

    static Repository create(Path folder) throws IOException {
        Repository repository = build(folder, false);
        repository.create(true);
        StoredConfig config = repository.getConfig();
        config.setInt(ConfigConstants.CONFIG_GC_SECTION, null, ConfigConstants.CONFIG_KEY_AUTO, 0);
        // Or every fetch would tidy again for an hour. Objects that nothing refers to are kept one by one, for two
        // weeks.
        config.setString(ConfigConstants.CONFIG_GC_SECTION, null, ConfigConstants.CONFIG_KEY_PRUNEPACKEXPIRE, "now");
        config.setBoolean(
                ConfigConstants.CONFIG_CORE_SECTION, null, ConfigConstants.CONFIG_KEY_LOGALLREFUPDATES, false);
        config.save();
        return repository;
    }

    static Repository open(Path folder) throws IOException {
        removeLocks(folder);
        if (!isWhole(folder)) {
            throw new IOException("mirror=" + folder + " has no HEAD that names a branch");
        }
        Repository repository = build(folder, true);
        try {
            repository.getConfig().load();
        } catch (ConfigInvalidException e) {
            repository.close();
            throw new IOException("configuration of mirror=" + folder + " cannot be read", e);
        }
        return repository;
    }

    /** Whether the folder looks like a repository to git, as scripts need it to. */
    static boolean isWhole(Path folder) {
        try {
            Path head = folder.resolve(Constants.HEAD);
            return Files.size(head) < MAX_HEAD_BYTES
                    && Files.readString(head).startsWith("ref: refs/")
                    && Folders.isFolder(folder.resolve("refs"))
                    && Folders.isFolder(folder.resolve("objects"));
        } catch (IOException e) {
            return false;
        }
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

    /** Lock files that a killed agent has left: nobody else is in the mirror now. */
    private static void removeLocks(Path folder) throws IOException {
        for (String name : List.of("HEAD.lock", "config.lock", "packed-refs.lock", "FETCH_HEAD.lock", "shallow.lock")) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Path refs = folder.resolve("refs");
        if (!Folders.isFolder(refs)) {
            return;
        }
        List<Path> locks;
        try (Stream<Path> files = Files.walk(refs)) {
            locks = files.filter(file -> file.toString().endsWith(".lock")).toList();
        }
        for (Path lock : locks) {
            Files.deleteIfExists(lock);
        }
    }
}

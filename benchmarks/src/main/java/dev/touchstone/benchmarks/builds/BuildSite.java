package dev.touchstone.benchmarks.builds;

import dev.touchstone.benchmarks.builds.peer.BuildMode;
import dev.touchstone.benchmarks.builds.peer.BuildTopology;
import dev.touchstone.benchmarks.builds.peer.ServiceOptions;
import dev.touchstone.benchmarks.builds.peer.TestRepository;
import dev.touchstone.harness.file.Folders;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A fork's own folder, with a repository to build, on the disk that is measured: below the system property {@code touchstone.data}, or below the working
 * directory where that is not set. Deleted with all its content on close.
 */
final class BuildSite implements Closeable {
    private static final String PROPERTY = "touchstone.data";

    private final Path folder;
    private final TestRepository repository;

    private BuildSite(Path folder, TestRepository repository) {
        this.folder = folder;
        this.repository = repository;
    }

    /** Creates a site whose branches all have the seed's script. */
    static BuildSite seed(int branches) throws IOException {
        Path folder = folder(Path.of(System.getProperty(PROPERTY, "")));
        return new BuildSite(folder, TestRepository.create(folder.resolve("repository"), branches));
    }

    /** Creates a site with the given script in a single branch. */
    static BuildSite of(String script) throws IOException {
        Path folder = folder(Path.of(System.getProperty(PROPERTY, "")));
        return new BuildSite(folder, TestRepository.create(folder.resolve("repository"), 1, script));
    }

    private static Path folder(Path parent) throws IOException {
        return Files.createTempDirectory(parent.toAbsolutePath(), "touchstone-builds-");
    }

    TestRepository repository() {
        return repository;
    }

    ServiceOptions options(BuildTopology topology, int executors, BuildMode mode) throws IOException {
        return new ServiceOptions(Files.createTempDirectory(folder, "subject-"), repository, topology, executors, mode);
    }

    @Override
    public void close() throws IOException {
        Folders.delete(folder);
    }
}

package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.log.KeptLog;
import dev.touchstone.builds.agent.process.ProcessId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where an attempt is remembered until the master has it all: what it is, its first process, its log, how it ended. */
final class JobFolder {
    private static final String JOB = "job";
    private static final String PROCESS = "process";
    private static final String OUTCOME = "outcome";

    private final Path folder;

    JobFolder(Path folder) {
        this.folder = folder;
    }

    Path path() {
        return folder;
    }

    boolean exists() {
        return Files.exists(folder);
    }

    /** Makes the folder; the file first of all, so that whatever the attempt starts can be found by its mark. */
    void create(JobFormat.Job job) throws IOException {
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectory(folder);
        }
        Files.write(folder.resolve(JOB), JobFormat.write(job));
    }

    void write(ProcessId process) throws IOException {
        Files.write(folder.resolve(PROCESS), JobFormat.write(process));
    }

    /** Is there whole or not at all. */
    void write(Outcome outcome) throws IOException {
        Path part = folder.resolve(OUTCOME + ".part");
        Files.write(part, JobFormat.write(outcome));
        Files.move(part, folder.resolve(OUTCOME), StandardCopyOption.ATOMIC_MOVE);
    }

    JobFormat.Job job() throws IOException {
        return JobFormat.readJob(read(JOB));
    }

    Optional<ProcessId> process() throws IOException {
        return Files.exists(folder.resolve(PROCESS))
                ? Optional.of(JobFormat.readProcess(read(PROCESS)))
                : Optional.empty();
    }

    Optional<Outcome> outcome() throws IOException {
        return Files.exists(folder.resolve(OUTCOME))
                ? Optional.of(JobFormat.readOutcome(read(OUTCOME)))
                : Optional.empty();
    }

    /** The log that may be read; there is none for output that was discarded. */
    static Path readableLog(Path folder, boolean masked) {
        return masked ? KeptLog.maskedFile(folder) : KeptLog.rawFile(folder);
    }

    void delete() throws IOException {
        List<Path> files;
        try (Stream<Path> list = Files.list(folder)) {
            files = list.toList();
        } catch (NoSuchFileException e) {
            return;
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(folder);
    }

    private byte[] read(String name) throws IOException {
        Path file = folder.resolve(name);
        if (Files.size(file) > JobFormat.MOST_BYTES) {
            throw new IOException("file=" + file + " is longer than bytes=" + JobFormat.MOST_BYTES);
        }
        return Files.readAllBytes(file);
    }
}

package dev.touchstone.builds.agent.store;

import dev.touchstone.builds.agent.log.KeptLog;
import dev.touchstone.builds.agent.process.ProcessId;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** The folder of an attempt until the master has all of it: what the attempt is, its first process, its log, how it ended. For one thread. */
public final class JobFolder {
    private static final String JOB = "job";
    private static final String SANDBOX = "sandbox";
    private static final String BUNDLE = "artefacts";

    private final Path folder;
    private long end; // of what this life of the agent has written

    JobFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Returns the path of the folder.
     *
     * @return the path, of a folder that need not be there
     */
    public Path path() {
        return folder;
    }

    /**
     * Returns the file for what a sandbox reports of the attempt's script.
     *
     * @return the path, of a file that need not be there
     */
    public Path sandboxReport() {
        return folder.resolve(SANDBOX);
    }

    /**
     * Returns the file of the bundle of artefacts.
     *
     * @return the path, of a file that is there only if the attempt has artefacts
     */
    public Path bundle() {
        return folder.resolve(BUNDLE);
    }

    /**
     * Returns whether the folder is there.
     *
     * @return true if it is
     */
    public boolean exists() {
        return Files.exists(folder);
    }

    /** Makes the folder; the file first of all, so that whatever the attempt starts can be found by its mark. */
    void create(Attempt attempt) throws IOException {
        OwnerOnly.newFolder(folder);
        write(JobFormat.write(attempt), StandardOpenOption.CREATE_NEW);
    }

    /** Makes the folder of one that was retired; false if that is not there any more. */
    boolean create(Attempt attempt, Path retired) throws IOException {
        try {
            Files.move(retired, folder);
        } catch (NoSuchFileException e) {
            return false;
        }
        write(JobFormat.write(attempt), StandardOpenOption.WRITE);
        return true;
    }

    /**
     * Removes what it remembers, and moves it to where it can be made another attempt's: a file that is used again costs less than one that is made.
     * Not so logs: a process that has outlived its build may write to them still.
     */
    void retire(Path to) throws IOException {
        Files.deleteIfExists(KeptLog.rawFile(folder));
        Files.deleteIfExists(KeptLog.maskedFile(folder));
        Files.deleteIfExists(sandboxReport());
        Files.deleteIfExists(bundle());
        OwnerOnly.open(folder.resolve(JOB), StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                .close();
        Files.move(folder, to);
    }

    /**
     * Writes down the first process of the attempt.
     *
     * @param process identity of the process; not null
     * @throws IOException if it cannot be written
     */
    public void write(ProcessId process) throws IOException {
        write(JobFormat.write(process), StandardOpenOption.WRITE);
    }

    /**
     * Writes down how the attempt ended; the entry is there whole or, if the agent dies meanwhile, not at all.
     *
     * @param outcome of the attempt; not null
     * @throws IOException if it cannot be written
     */
    public void write(Outcome outcome) throws IOException {
        write(JobFormat.write(outcome), StandardOpenOption.WRITE);
    }

    /** Appends an entry; one that a full disk has cut off is written over by the next. */
    private void write(byte[] entry, StandardOpenOption option) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(entry);
        try (FileChannel file = OwnerOnly.open(folder.resolve(JOB), StandardOpenOption.WRITE, option)) {
            for (long at = end; bytes.hasRemaining(); ) {
                at += file.write(bytes, at);
            }
        }
        end += entry.length;
    }

    /**
     * Reads what the folder remembers.
     *
     * @throws JobFormatException if it is of no attempt: its file is missing, or begins with something else
     * @throws IOException if that cannot be told, since the file cannot be read
     */
    JobFormat.Entries entries() throws IOException {
        Path file = folder.resolve(JOB);
        try {
            if (Files.size(file) > JobFormat.MAX_BYTES) {
                throw new JobFormatException("file is too long: file=" + file + " most bytes=" + JobFormat.MAX_BYTES);
            }
            return JobFormat.read(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new JobFormatException("file is missing: file=" + file, e);
        }
    }

    /** Returns the path of the log that may be read; there is no file for output that was discarded. */
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
}

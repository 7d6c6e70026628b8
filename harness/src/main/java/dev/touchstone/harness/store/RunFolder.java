package dev.touchstone.harness.store;

import dev.touchstone.harness.file.AtomicFiles;
import dev.touchstone.harness.file.Bounded;
import dev.touchstone.harness.file.JsonProblem;
import dev.touchstone.harness.file.ResultFormatException;
import dev.touchstone.harness.file.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A recorded run on disk.
 *
 * <pre>
 * results/&lt;host-id&gt;/&lt;yyyy-mm-dd&gt;-&lt;commit&gt;[-n]/
 *   run.json      the run's settings and times: {@link RunInfo}
 *   env.json      the machine
 *   forks.jsonl   one {@link ForkResult} a line, forced as each ends
 *   report.md     report.html
 *   logs/         output of the forks that failed
 *   profiles/     what profilers wrote, where any were asked for
 * </pre>
 *
 * Whole files are replaced by rename. One writer at a time.
 */
public final class RunFolder {
    private static final String INFO = "run.json";
    private static final String FORKS = "forks.jsonl";
    private static final long MAX_INFO_BYTES = 4L << 20;
    private static final int MAX_SAME_NAME = 1_000;
    private static final int MAX_CELLS = 20_000;
    private static final Set<String> NULLABLE = Set.of("RunInfo.finishedAt", "RunInfo.baseline");

    private final Path path;

    private RunFolder(Path path) {
        this.path = path;
    }

    /**
     * Creates a new, empty folder below {@code results}. Its name ends in {@code -2}, {@code -3} and so on if the day already has a run of the build.
     *
     * @param results folder of all runs
     * @param hostId the machine's folder below it, created if missing
     * @param day date in the folder's name
     * @param build the measured build; its commit stands in the folder's name
     * @return the new folder, without {@code run.json}
     * @throws IOException if it cannot be created
     */
    public static RunFolder create(Path results, String hostId, LocalDate day, BuildInfo build) throws IOException {
        Path host = results.resolve(hostId);
        Files.createDirectories(host);
        String name = day + "-" + build.commit();
        for (int n = 1; n <= MAX_SAME_NAME; n++) {
            Path folder = host.resolve(n == 1 ? name : name + "-" + n);
            if (createIfAbsent(folder)) {
                Files.createDirectory(folder.resolve("logs"));
                return new RunFolder(folder);
            }
        }
        throw new IOException("no free name for a run below " + host + ", tried=" + MAX_SAME_NAME);
    }

    private static boolean createIfAbsent(Path folder) throws IOException {
        try {
            Files.createDirectory(folder);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    /**
     * Opens an existing folder.
     *
     * @param folder the folder of one run
     * @return the run
     * @throws NoSuchFileException if it holds no {@code run.json}
     * @throws IOException in no other case: nothing is read yet
     */
    public static RunFolder open(Path folder) throws IOException {
        if (!Files.isRegularFile(folder.resolve(INFO))) {
            throw new NoSuchFileException(folder.toString(), null, "no recorded run here: expected " + INFO);
        }
        return new RunFolder(folder);
    }

    /**
     * Returns the unfinished run of a machine that started last.
     *
     * @param results folder of all runs
     * @param hostId the machine's folder below it
     * @param skipped receives the failure of each run that cannot be read
     * @return the run; empty if all have finished
     * @throws IOException if the machine's folder cannot be listed
     */
    public static Optional<RunFolder> newestUnfinished(Path results, String hostId, Consumer<IOException> skipped)
            throws IOException {
        RunFolder newest = null;
        Instant newestStart = Instant.MIN;
        for (RunFolder folder : all(results.resolve(hostId))) {
            try {
                RunInfo found = folder.readInfo();
                Instant start = Instant.parse(found.startedAt());
                if (found.finishedAt() == null && start.isAfter(newestStart)) {
                    newest = folder;
                    newestStart = start;
                }
            } catch (IOException e) {
                skipped.accept(e);
            }
        }
        return Optional.ofNullable(newest);
    }

    /**
     * Returns the runs of one machine.
     *
     * @param host the machine's folder; may be missing
     * @return its runs in no particular order
     * @throws IOException if the folder cannot be listed
     */
    public static List<RunFolder> all(Path host) throws IOException {
        if (!Files.isDirectory(host)) {
            return List.of();
        }
        try (var files = Files.list(host)) {
            return files.filter(folder -> Files.isRegularFile(folder.resolve(INFO)))
                    .map(RunFolder::new)
                    .toList();
        }
    }

    /**
     * Returns the path of the folder.
     *
     * @return the path as it was given
     */
    public Path path() {
        return path;
    }

    /**
     * Reads {@code run.json}.
     *
     * @return its content
     * @throws ResultFormatException if it is not what this harness writes
     * @throws IOException if it cannot be read
     */
    public RunInfo readInfo() throws IOException {
        Path file = path.resolve(INFO);
        try {
            String json = new String(Bounded.read(file, MAX_INFO_BYTES), StandardCharsets.UTF_8);
            RunInfo info = StrictJson.read(json, RunInfo.class, NULLABLE, RunInfo.SCHEMA);
            check(info);
            return info;
        } catch (JsonProblem e) {
            throw new ResultFormatException(file, 0, String.valueOf(e.getMessage()));
        }
    }

    private static void check(RunInfo info) throws JsonProblem {
        if (info.cells().size() > MAX_CELLS) {
            throw new JsonProblem("cells: expected at most " + MAX_CELLS + ", got "
                    + info.cells().size());
        }
        for (int i = 0; i < info.cells().size(); i++) {
            CellIds.check("cells[" + i + "]", info.cells().get(i));
        }
        if (info.rounds() < 1) {
            throw new JsonProblem("rounds: expected at least 1, got " + info.rounds());
        }
        try {
            Instant.parse(info.startedAt());
        } catch (DateTimeParseException e) {
            throw new JsonProblem("startedAt: expected an instant, got '" + info.startedAt() + "'");
        }
    }

    /**
     * Replaces {@code run.json}.
     *
     * @param info the new content
     * @throws IOException if it cannot be written; the old file then remains
     */
    public void writeInfo(RunInfo info) throws IOException {
        AtomicFiles.write(path.resolve(INFO), StrictJson.pretty(info));
    }

    /**
     * Replaces another file of the folder.
     *
     * @param name name of the file within the folder
     * @param text all of its content
     * @throws IOException if it cannot be written; the old file then remains
     */
    public void write(String name, String text) throws IOException {
        AtomicFiles.write(path.resolve(name), text);
    }

    /**
     * Reads the complete lines of {@code forks.jsonl}.
     *
     * @return the forks in the order in which they ran; empty without the file
     * @throws ResultFormatException if a line is not what this harness writes
     * @throws IOException if the file cannot be read
     */
    public List<ForkResult> readForks() throws IOException {
        return lines().forks();
    }

    /**
     * Returns whether {@code forks.jsonl} ends in a line that a crash tore, which {@link #readForks} leaves out.
     *
     * @return true if the last line is incomplete
     * @throws ResultFormatException if a line is not what this harness writes
     * @throws IOException if the file cannot be read
     */
    public boolean torn() throws IOException {
        return lines().torn();
    }

    /**
     * Opens {@code forks.jsonl} for appending and drops a torn last line.
     *
     * @return the log; the caller closes it
     * @throws ResultFormatException if a line is not what this harness writes
     * @throws IOException if the file cannot be read or written
     */
    public ForkLog openLog() throws IOException {
        return ForkLog.open(path.resolve(FORKS), lines().completeBytes());
    }

    /**
     * Returns the file for a fork's output, which stays only if the fork fails.
     *
     * @param round the fork's round, from 0
     * @param order its position within the round, from 0
     * @return a path in the existing folder {@code logs}
     */
    public Path forkOutput(int round, int order) {
        return path.resolve("logs").resolve("r" + round + "-" + order + ".log");
    }

    /**
     * Returns the folder for a fork's profiles.
     *
     * @param round the fork's round, from 0
     * @param order its position within the round, from 0
     * @param rerun repetition of its comparison within the round, from 0
     * @return a path, of which neither folder need exist
     */
    public Path profiles(int round, int order, int rerun) {
        return path.resolve("profiles").resolve("r" + round + "-" + order + (rerun == 0 ? "" : "-again" + rerun));
    }

    private ForkLines lines() throws IOException {
        Path file = path.resolve(FORKS);
        return Files.exists(file) ? ForkLines.read(file) : new ForkLines(List.of(), 0, false);
    }
}

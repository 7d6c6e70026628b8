package dev.touchstone.harness.store;

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
 * One recorded run on disk.
 *
 * <pre>
 * results/&lt;host-id&gt;/&lt;yyyy-mm-dd&gt;-&lt;commit&gt;[-n]/
 *   run.json      what the run was: {@link RunInfo}
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

    /** Makes a new, empty folder below {@code results}; its name gets {@code -2}, {@code -3} where the day has had a run of this build. */
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

    /** An existing folder. @throws NoSuchFileException if it holds no {@code run.json} */
    public static RunFolder open(Path folder) throws IOException {
        if (!Files.isRegularFile(folder.resolve(INFO))) {
            throw new NoSuchFileException(folder.toString(), null, "no recorded run here: expected " + INFO);
        }
        return new RunFolder(folder);
    }

    /**
     * The run of this host below {@code results} that started last of those that have not finished.
     *
     * @param skipped hears of runs that cannot be read
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

    /** The runs of one host, in no order; none where there is no such folder. */
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

    /** Where the folder is. */
    public Path path() {
        return path;
    }

    /** Reads {@code run.json}. @throws ResultFormatException if it is not what this harness writes */
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

    /** Replaces {@code run.json}. */
    public void writeInfo(RunInfo info) throws IOException {
        AtomicFiles.write(path.resolve(INFO), StrictJson.pretty(info));
    }

    /** Replaces one of the folder's other files. */
    public void write(String name, String text) throws IOException {
        AtomicFiles.write(path.resolve(name), text);
    }

    /** The complete lines of {@code forks.jsonl}; none where there is no such file. @throws ResultFormatException if one is foreign */
    public List<ForkResult> readForks() throws IOException {
        return lines().forks();
    }

    /** Whether {@code forks.jsonl} ends in a line that a crash tore, which {@link #readForks} leaves out. */
    public boolean torn() throws IOException {
        return lines().torn();
    }

    /** Opens {@code forks.jsonl} for appending; a torn last line is dropped. */
    public ForkLog openLog() throws IOException {
        return ForkLog.open(path.resolve(FORKS), lines().completeBytes());
    }

    /** Where the output of a fork goes; the file stays only if the fork fails. */
    public Path forkOutput(int round, int order) {
        return path.resolve("logs").resolve("r" + round + "-" + order + ".log");
    }

    /** Where the profiles of a fork go. */
    public Path profiles(int round, int order, int rerun) {
        return path.resolve("profiles").resolve("r" + round + "-" + order + (rerun == 0 ? "" : "-again" + rerun));
    }

    private ForkLines lines() throws IOException {
        Path file = path.resolve(FORKS);
        return Files.exists(file) ? ForkLines.read(file) : new ForkLines(List.of(), 0, false);
    }
}

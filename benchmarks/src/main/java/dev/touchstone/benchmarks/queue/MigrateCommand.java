package dev.touchstone.benchmarks.queue;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.cli.HarnessExitCode;
import dev.touchstone.harness.cli.SubCommand;
import dev.touchstone.harness.store.StrictJson;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.Durability;
import dev.touchstone.queue.QueueException;
import dev.touchstone.queue.migrate.CorruptSourceException;
import dev.touchstone.queue.migrate.Format;
import dev.touchstone.queue.migrate.Migration;
import dev.touchstone.queue.migrate.MigrationResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code migrate}: another library's queue into one of ours, from the command line. */
@Command(
        name = "migrate",
        sortOptions = false,
        description = "Copies what is left in another library's queue into a queue of ours; the source stays as it is.",
        footer = {
            "",
            "Reads popout's folders (synced, batched) and tape's files (current, legacy). End the program",
            "that owns the source first. An interrupted copy begins again, with an empty target.",
            "",
            "Exit codes: 0 all copied, 2 usage, 3 copied but for damaged places, 4 failed."
        })
public final class MigrateCommand implements SubCommand {
    /** All was copied that could be, which was not all. */
    static final int INCOMPLETE = HarnessExitCode.NO_VERDICT;

    private static final int MAX_RECORD_BYTES = (1 << 28) - 1;
    private static final int SEGMENT_BYTES = 64 << 20;
    private static final int SEGMENT_OVERHEAD_BYTES = 64 << 10;

    private @Nullable Console told;

    @Option(
            names = "--from",
            paramLabel = "<source>",
            required = true,
            description = "popout's folder, or tape's file.")
    private Path from = Path.of("");

    @Option(
            names = "--format",
            paramLabel = "<format>",
            description = "One of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}, found out.")
    private Format format = Format.AUTO;

    @Option(
            names = "--name",
            paramLabel = "<queue>",
            description = "popout's name of the queue; needed where the folder has several.")
    private @Nullable String name;

    @Option(
            names = "--to",
            paramLabel = "<folder>",
            required = true,
            description = "Our queue's folder, made where absent.")
    private Path to = Path.of("");

    @Option(
            names = "--durability",
            paramLabel = "<level>",
            description = "How the copy is appended: one of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}."
                    + " At the end all of it is forced to the device.")
    private Durability durability = Durability.BATCHED;

    @Option(
            names = "--max-record-bytes",
            paramLabel = "<bytes>",
            description = "Longest record; a longer one is damage. Default: ${DEFAULT-VALUE}.")
    private int maxRecordBytes = 16 << 20;

    @Option(names = "--skip-damaged", description = "Count damage and go on behind it, where the format allows it.")
    private boolean skipDamaged;

    @Option(names = "--append", description = "Copy behind what the target holds; otherwise it must be empty.")
    private boolean append;

    @Option(names = "--json", description = "One JSON document on stdout in place of the text.")
    private boolean json;

    @Override
    public void writeTo(Console console) {
        told = console;
    }

    @Override
    public Integer call() throws IOException {
        Console console = Objects.requireNonNull(told, "console");
        checkArguments();
        MigrationProgress progress = new MigrationProgress(console, System::nanoTime);
        try (DiskQueue<byte[]> target = open()) {
            if (!append && target.longSize() > 0) {
                throw new UsageException(
                        "--to: " + to + " holds " + target.longSize() + " records; --append copies behind them");
            }
            MigrationResult result = migration().progress(progress).into(target);
            progress.clear();
            report(result, console.out());
            return result.damagedPlaces() == 0 ? ExitCode.OK : INCOMPLETE;
        } catch (CorruptSourceException e) {
            progress.clear();
            console.err().println(e.getMessage());
            console.err()
                    .println("Copied before it: see " + to
                            + ". Begin again with an empty target; --skip-damaged goes on.");
            return HarnessExitCode.FAILED;
        } catch (QueueException e) {
            progress.clear();
            console.err().println(to + ": " + e.getMessage());
            return HarnessExitCode.FAILED;
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private void checkArguments() throws IOException {
        if (!Files.exists(from)) {
            throw new UsageException("--from: no such file or folder: " + from);
        }
        if (Files.exists(to) && !Files.isDirectory(to)) {
            throw new UsageException("--to: not a folder: " + to);
        }
        if (Files.exists(to) && Files.isSameFile(from, to)) {
            throw new UsageException("--to: is the source, which stays as it is: " + to);
        }
        if (maxRecordBytes < 1 || maxRecordBytes > MAX_RECORD_BYTES) {
            throw new UsageException("--max-record-bytes: expected 1.." + MAX_RECORD_BYTES + ", got " + maxRecordBytes);
        }
    }

    private DiskQueue<byte[]> open() {
        DiskQueueBuilder<byte[]> builder = switch (durability) {
            case WRITTEN -> DiskQueue.written();
            case BATCHED -> DiskQueue.batched();
            case SYNCED -> DiskQueue.synced();
        };
        return builder.folder(to)
                .maxRecordBytes(maxRecordBytes)
                .segmentBytes(Math.max(SEGMENT_BYTES, maxRecordBytes + SEGMENT_OVERHEAD_BYTES))
                .open();
    }

    private Migration migration() {
        Migration migration = Migration.from(from).format(format).maxRecordBytes(maxRecordBytes);
        String queue = name;
        if (queue != null) {
            migration = migration.queueName(queue);
        }
        migration = skipDamaged ? migration.skipDamaged() : migration;
        return append ? migration.append() : migration;
    }

    private void report(MigrationResult result, PrintWriter out) {
        MigrationReport report = MigrationReport.of(result, from, to);
        out.print(json ? StrictJson.pretty(report) : report.text());
        out.flush();
    }
}

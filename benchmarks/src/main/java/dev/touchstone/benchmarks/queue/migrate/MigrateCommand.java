package dev.touchstone.benchmarks.queue.migrate;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.SubCommand;
import dev.touchstone.harness.file.StrictJson;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.Durability;
import dev.touchstone.queue.QueueException;
import dev.touchstone.queue.migrate.CorruptSourceException;
import dev.touchstone.queue.migrate.Format;
import dev.touchstone.queue.migrate.Migration;
import dev.touchstone.queue.migrate.MigrationResult;
import dev.touchstone.queue.migrate.PayloadLayout;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The sub-command {@code migrate}, which copies another library's queue into one of ours. */
@Command(
        name = "migrate",
        description = {
            "Copies the records of another library's queue into one of ours, and leaves the source unchanged.",
            "",
            "Reads the folders of popout (synced, batched) and the files of tape (current, legacy). End the program that "
                    + "owns the source first. After an interruption, start again with an empty target."
        },
        exitCodeList = {
            "0:All records were copied.",
            "2:The command line, or a value or file that it names, cannot be used.",
            "3:All records were copied except damaged ones.",
            "4:The source is damaged, or the machine failed."
        })
public final class MigrateCommand implements SubCommand {
    /** Exit code of a copy that left out damaged records. */
    static final int INCOMPLETE = HarnessExitCode.NO_VERDICT;

    private static final int MAX_RECORD_BYTES = (1 << 28) - 1;
    private static final int SEGMENT_BYTES = 64 << 20;
    private static final int SEGMENT_OVERHEAD_BYTES = 64 << 10;

    private @Nullable Console told;

    @Option(
            names = "--from",
            paramLabel = "<source>",
            required = true,
            description = "Folder of popout, or file of tape.")
    private Path from = Path.of("");

    @Option(
            names = "--format",
            paramLabel = "<format>",
            description =
                    "Format of the source: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}, which detects it.")
    private Format format = Format.AUTO;

    @Option(
            names = "--payload-layout",
            paramLabel = "<layout>",
            description =
                    "Layout of popout's payloads: ${COMPLETION-CANDIDATES}. LENGTH_PREFIXED if the queue used popout's STRING, "
                            + "BYTE_ARRAY or default serializer; PLAIN if it used INTEGER, LONG or a custom one. Default: "
                            + "${DEFAULT-VALUE}, which detects it.")
    private PayloadLayout payloadLayout = PayloadLayout.AUTO;

    @Option(
            names = "--name",
            paramLabel = "<queue>",
            description = "Name of the popout queue; required if the folder has several.")
    private @Nullable String name;

    @Option(
            names = "--to",
            paramLabel = "<folder>",
            required = true,
            description = "Folder of our queue; created if absent.")
    private Path to = Path.of("");

    @Option(
            names = "--durability",
            paramLabel = "<level>",
            description =
                    "Durability of each append: WRITTEN, BATCHED, SYNCED. Default: ${DEFAULT-VALUE}. At the end the "
                            + "whole copy is forced to the device.")
    private Durability durability = Durability.BATCHED;

    @Option(
            names = "--max-record-bytes",
            paramLabel = "<bytes>",
            description = "Longest valid payload; a longer one counts as damaged. Default: ${DEFAULT-VALUE}.")
    private int maxRecordBytes = 16 << 20;

    @Option(
            names = "--skip-damaged",
            description = "Count damaged records and continue after them, if the format allows it.")
    private boolean skipDamaged;

    @Option(
            names = "--append",
            description = "Append to a target that holds records; without this option it must be empty.")
    private boolean append;

    @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
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
                        "--to: " + to + " holds " + target.longSize() + " records; --append adds to them");
            }
            MigrationResult result = migration().progress(progress).into(target);
            progress.clear();
            report(result, console.out());
            return result.damagedPlaces() == 0 ? ExitCode.OK : INCOMPLETE;
        } catch (CorruptSourceException e) {
            progress.clear();
            console.err().println(e.getMessage());
            console.err()
                    .println("The records before it are in " + to
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
        Ranges.check("--max-record-bytes", maxRecordBytes, 1, MAX_RECORD_BYTES);
    }

    private DiskQueue<byte[]> open() {
        DiskQueueBuilder<byte[]> builder = switch (durability) {
            case WRITTEN -> DiskQueue.written();
            case BATCHED -> DiskQueue.batched();
            case SYNCED -> DiskQueue.synced();
            case REPLICATED -> throw new UsageException("--durability: REPLICATED needs other members");
        };
        return builder.folder(to)
                .maxRecordBytes(maxRecordBytes)
                .segmentBytes(Math.max(SEGMENT_BYTES, maxRecordBytes + SEGMENT_OVERHEAD_BYTES))
                .open();
    }

    private Migration migration() {
        Migration migration =
                Migration.from(from).format(format).payloadLayout(payloadLayout).maxRecordBytes(maxRecordBytes);
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

package dev.touchstone.benchmarks.queue.idle;

import dev.touchstone.benchmarks.queue.peer.Folders;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code queue-idle}: prints what many open queues cost a process that does not use them. */
@Command(
        name = "queue-idle",
        description = {
            "Opens many queues, appends one record to each, and shows what they cost while nobody uses them.",
            "",
            "Threads, voluntary context switches and heap are those of the process less those before the first queue; "
                    + "disk is allocated blocks. The queues are made in a folder below --data and deleted in the end. "
                    + "Needs Linux. Run it on a quiet machine, in a JVM of its own."
        },
        exitCodeList = {
            "0:Measured.",
            "2:The command line, or a value that it names, cannot be used.",
            "3:Measured with fewer queues, because the disk has no room for more.",
            "4:A measurement or the machine failed."
        })
public final class QueueIdleCommand implements SubCommand {
    private static final int MAX_QUEUES = 100_000;
    private static final int MAX_SECONDS = 3_600;
    private static final byte[] RECORD = new byte[512];

    private @Nullable Console told;

    @Option(names = "--queues", paramLabel = "<n>", description = "Queues to open. Default: ${DEFAULT-VALUE}.")
    private int queues = 1_000;

    @Option(
            names = "--durability",
            paramLabel = "<level>",
            description = "Durability of the queues: WRITTEN, BATCHED, SYNCED. Default: ${DEFAULT-VALUE}.")
    private Durability durability = Durability.SYNCED;

    @Option(
            names = "--seconds",
            paramLabel = "<n>",
            description = "Time over which context switches are counted. Default: ${DEFAULT-VALUE}.")
    private int seconds = 5;

    @Option(
            names = "--data",
            paramLabel = "<folder>",
            description = "Folder on the disk to use. Default: the working folder.")
    private Path data = Path.of("");

    @Option(
            names = "--keep-free-mib",
            paramLabel = "<n>",
            description = "Open no more queues when the disk has less space than this. Default: ${DEFAULT-VALUE}.")
    private int keepFreeMib = 4_096;

    @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
    private boolean json;

    @Override
    public void writeTo(Console console) {
        told = console;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Console console = Objects.requireNonNull(told, "console");
        Ranges.check("--queues", queues, 1, MAX_QUEUES);
        Ranges.check("--seconds", seconds, 1, MAX_SECONDS);
        Ranges.check("--keep-free-mib", keepFreeMib, 0, Integer.MAX_VALUE);
        if (!Files.isDirectory(data)) {
            throw new UsageException("--data: no such folder: " + data);
        }
        Path folder = Files.createTempDirectory(data.toAbsolutePath(), "touchstone-queue-idle-");
        IdleReport report;
        try {
            report = measure(folder);
        } finally {
            Folders.delete(folder);
        }
        console.out().print(json ? StrictJson.pretty(report) : report.text());
        console.out().flush();
        return report.opened() == queues ? ExitCode.OK : HarnessExitCode.NO_VERDICT;
    }

    private IdleReport measure(Path folder) throws IOException, InterruptedException {
        int threadsBefore = ProcessUsage.threads(); // those that queues share count, too
        openOnce(folder.resolve("first"));
        double switchesBefore = ProcessUsage.switchesPerSecond(seconds);
        long heapBefore = ProcessUsage.heapBytes();
        List<DiskQueue<byte[]>> open = new ArrayList<>();
        Path all = Files.createDirectory(folder.resolve("all"));
        try {
            while (open.size() < queues && hasRoom(folder)) {
                DiskQueue<byte[]> queue = builder()
                        .folder(all.resolve(Integer.toString(open.size())))
                        .open();
                open.add(queue);
                queue.add(RECORD);
            }
            if (open.isEmpty()) {
                throw new UsageException("--keep-free-mib: the disk has less free space than " + keepFreeMib + " MiB");
            }
            long heap = ProcessUsage.heapBytes() - heapBefore;
            double switches = ProcessUsage.switchesPerSecond(seconds);
            return new IdleReport(
                    IdleReport.SCHEMA,
                    durability.name().toLowerCase(Locale.ROOT),
                    queues,
                    open.size(),
                    seconds,
                    ProcessUsage.threads() - threadsBefore,
                    switches - switchesBefore,
                    switchesBefore,
                    heap / open.size(),
                    ProcessUsage.diskBytes(all) / open.size());
        } finally {
            open.forEach(DiskQueue::close);
        }
    }

    /** Opens and closes a queue, so that classes and buffers that the process has once are not counted as cost of a queue. */
    private void openOnce(Path folder) {
        try (DiskQueue<byte[]> queue = builder().folder(folder).open()) {
            queue.add(RECORD);
        }
    }

    private DiskQueueBuilder<byte[]> builder() {
        return switch (durability) {
            case WRITTEN -> DiskQueue.written();
            case BATCHED -> DiskQueue.batched();
            case SYNCED -> DiskQueue.synced();
            case REPLICATED -> throw new UsageException("--durability: REPLICATED needs other members");
        };
    }

    private boolean hasRoom(Path folder) throws IOException {
        return Files.getFileStore(folder).getUsableSpace() >> 20 > keepFreeMib;
    }
}

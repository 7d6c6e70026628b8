package dev.touchstone.queue.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Ranges;
import dev.touchstone.cli.UsageException;
import dev.touchstone.queue.inspect.FolderInUseException;
import dev.touchstone.queue.inspect.QueueFolder;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dump}: shows records. */
@Command(
        name = "dump",
        description = {
            "Shows the elements that a queue still has to hand out, a line each.",
            "",
            "Writes nothing, and works while the queue is open; a queue that is not open cannot be opened meanwhile. "
                    + "Damaged places are told on standard error."
        })
final class DumpCommand implements Callable<Integer> {
    @Mixin
    FolderParameter folder = new FolderParameter();

    @Option(names = "--from", paramLabel = "SEQUENCE", description = "Begin with this element. Default: the oldest.")
    long from;

    @Option(names = "--limit", paramLabel = "N", description = "Show at most this many records. Default: all.")
    long limit = Long.MAX_VALUE;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "How an element is shown: hex, text (UTF-8), base64 or json. Default: text.")
    ElementFormat format = ElementFormat.TEXT;

    @Option(
            names = "--kinds",
            paramLabel = "KIND",
            split = ",",
            description = "Kinds of records to show, separated by commas: element, delayed and consumption (what "
                    + "cursors have removed and delivered). Default: element,delayed.")
    Set<RecordKind> kinds = EnumSet.of(RecordKind.ELEMENT, RecordKind.DELAYED);

    @Option(
            names = "--cursor",
            paramLabel = "NAME",
            description = "Show what this cursor has not consumed. Default: the queue itself.")
    @Nullable
    String cursor;

    @Option(names = "--all", description = "Show all elements that are there, consumed or not.")
    boolean isAll;

    private final Console console;

    DumpCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Ranges.check("--from", from, 0, Long.MAX_VALUE);
        Ranges.check("--limit", limit, 1, Long.MAX_VALUE);
        if (isAll && cursor != null) {
            throw new UsageException("expected either --all or --cursor, got both");
        }
        QueueFolder queue = folder.open();
        RecordLines lines = new RecordLines(console, format, kinds, limit);
        try {
            visit(queue, isAll ? null : cursor == null ? "" : cursor, lines);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--cursor: " + e.getMessage(), e);
        }
        return lines.isDamaged() ? QueueExitCode.DAMAGED : ExitCode.OK;
    }

    /** Shows the elements behind a damaged header, too, unless the queue is open: then they may be what is left of an element that is being written. */
    private void visit(QueueFolder queue, @Nullable String consumer, RecordLines lines) throws IOException {
        try {
            queue.visitAtRest(from, consumer, lines);
        } catch (FolderInUseException e) {
            queue.visit(from, consumer, lines);
        }
    }
}

package dev.touchstone.queue.cli;

import dev.touchstone.cli.UsageException;
import dev.touchstone.queue.inspect.QueueFolder;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** The parameter that all commands have. */
final class FolderParameter {
    @Parameters(paramLabel = "FOLDER", description = "Folder of the queue.")
    Path path = Path.of("");

    /** Returns the folder. @throws UsageException if it holds no queue */
    QueueFolder open() throws IOException {
        QueueFolder folder = new QueueFolder(path);
        if (!folder.isQueue()) {
            throw new UsageException("no queue in this folder: folder=" + path
                    + " expected files LOCK, CURSOR-a, CURSOR-b or *.seg; check the path");
        }
        return folder;
    }
}

package dev.touchstone.queue.replicated;

import dev.touchstone.queue.replicated.faults.CutFileIo;
import dev.touchstone.queue.replicated.storage.StorageOptions;
import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.ReplicatedMachine;
import dev.touchstone.queue.replication.ReplicationEngine;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** The engine with files that lose what was not forced; for processes in whose class path it is named before the real one. */
public final class FaultyEngine implements ReplicationEngine {
    /** Sizes with which a log has several segments within seconds. */
    private static final StorageOptions STORAGE = new StorageOptions(1 << 20, 64 << 10, 2);

    private static final CompletableFuture<CutFileIo> FILES = new CompletableFuture<>();

    /** Creates the engine; called by {@link java.util.ServiceLoader}. */
    public FaultyEngine() {}

    /** Returns the files of the one member of this process, once it starts. */
    public static CutFileIo files() {
        return FILES.join();
    }

    @Override
    public ReplicationGroup start(GroupOptions options, ReplicatedMachine machine) throws IOException {
        Path folder = options.folder().toAbsolutePath();
        CutFileIo io = new CutFileIo(folder.resolveSibling(folder.getFileName() + "-removed"));
        if (!FILES.complete(io)) {
            throw new IllegalStateException("a second member in this process: " + options.member());
        }
        return new JraftEngine(STORAGE, io).start(options, machine);
    }
}

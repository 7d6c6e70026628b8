package dev.touchstone.queue.replicated;

import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.replicated.member.JraftGroup;
import dev.touchstone.queue.replicated.storage.StorageOptions;
import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.ReplicatedMachine;
import dev.touchstone.queue.replication.ReplicationEngine;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;

/** The engine over SOFAJRaft (ADR 31). Thread-safe. */
public final class JraftEngine implements ReplicationEngine {
    private final StorageOptions storage;
    private final FileIo io;

    /** Creates the engine; called by {@link java.util.ServiceLoader}. */
    public JraftEngine() {
        this(StorageOptions.DEFAULT);
    }

    /** Creates an engine whose members' logs have files of such sizes. */
    JraftEngine(StorageOptions storage) {
        this(storage, new DiskFileIo());
    }

    /** Creates an engine whose members' logs, votes and identities are written through {@code io}; jraft itself writes its snapshots. */
    JraftEngine(StorageOptions storage, FileIo io) {
        this.storage = storage;
        this.io = io;
    }

    @Override
    public ReplicationGroup start(GroupOptions options, ReplicatedMachine machine) throws IOException {
        return JraftGroup.start(options, storage, io, machine);
    }
}

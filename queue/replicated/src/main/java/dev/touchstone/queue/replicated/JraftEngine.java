package dev.touchstone.queue.replicated;

import com.alipay.sofa.jraft.JRaftServiceFactory;
import dev.touchstone.queue.replicated.member.JraftGroup;
import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.ReplicatedMachine;
import dev.touchstone.queue.replication.ReplicationEngine;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;

/** The engine over SOFAJRaft (ADR 31). Thread-safe. */
public final class JraftEngine implements ReplicationEngine {
    private final JRaftServiceFactory storages;

    /** Creates the engine with its own log storage; called by {@link java.util.ServiceLoader}. */
    public JraftEngine() {
        this(new StorageFactory(StorageOptions.DEFAULT));
    }

    /** Creates the engine with other storages. */
    JraftEngine(JRaftServiceFactory storages) {
        this.storages = storages;
    }

    @Override
    public ReplicationGroup start(GroupOptions options, ReplicatedMachine machine) throws IOException {
        return JraftGroup.start(options, storages, machine);
    }
}

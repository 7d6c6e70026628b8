package dev.touchstone.queue.replicated;

import com.alipay.sofa.jraft.core.DefaultJRaftServiceFactory;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import dev.touchstone.queue.log.DiskFileIo;
import java.nio.file.Path;

/** A service factory of the consensus library that stores the log in a {@link SegmentLogStorage}, and all else as the library does. */
final class StorageFactory extends DefaultJRaftServiceFactory {
    private final StorageOptions options;

    /** Creates a factory of storages with such files. */
    StorageFactory(StorageOptions options) {
        this.options = options;
    }

    /**
     * Creates a storage, not yet open.
     *
     * @param uri path of the log's folder
     * @param raftOptions not used: every write is forced
     */
    @Override
    public LogStorage createLogStorage(String uri, RaftOptions raftOptions) {
        return new SegmentLogStorage(Path.of(uri), new DiskFileIo(), options, task -> startThread(uri, task));
    }

    /** Starts a thread for one segment, which is made now and then only. */
    private static void startThread(String uri, Runnable task) {
        Thread thread = new Thread(task, "replicated-log-segments " + uri);
        thread.setDaemon(true);
        thread.start();
    }
}

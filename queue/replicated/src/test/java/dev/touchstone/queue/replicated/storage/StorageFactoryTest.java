package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.RaftGroupService;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.LogLockedException;
import dev.touchstone.queue.replicated.Group;
import dev.touchstone.queue.replicated.link.MemberAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library with our storage, and without the libraries that it declares and that are excluded. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StorageFactoryTest {
    private static final String STATE = "applied";

    /** A state machine that keeps what was applied. */
    private static final class Machine extends StateMachineAdapter {
        private final List<String> applied = new CopyOnWriteArrayList<>();
        private final CountDownLatch leads = new CountDownLatch(1);

        @Override
        public void onApply(Iterator entries) {
            while (entries.hasNext()) {
                applied.add(StandardCharsets.UTF_8
                        .decode(entries.getData().duplicate())
                        .toString());
                if (entries.done() != null) {
                    entries.done().run(Status.OK());
                }
                entries.next();
            }
        }

        @Override
        public void onSnapshotSave(SnapshotWriter writer, Closure done) {
            try {
                Path unused = Files.write(Path.of(writer.getPath(), STATE), applied);
                done.run(writer.addFile(STATE) ? Status.OK() : new Status(RaftError.EIO, "file was not added"));
            } catch (IOException e) {
                done.run(new Status(RaftError.EIO, e.toString()));
            }
        }

        @Override
        public boolean onSnapshotLoad(SnapshotReader reader) {
            try {
                applied.addAll(Files.readAllLines(Path.of(reader.getPath(), STATE)));
                return true;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void onLeaderStart(long term) {
            leads.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.rocksdb.RocksDB",
                "com.sun.jna.Native",
                "com.google.common.collect.ImmutableList",
                "com.caucho.hessian.io.Hessian2Output",
                "org.objectweb.asm.ClassReader",
                "javax.annotation.Nonnull"
            })
    void classPath_hasNoneOfTheExcludedLibraries(String type) {
        assertThatThrownBy(() -> Class.forName(type, false, StorageFactoryTest.class.getClassLoader()))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void createLogStorage_isOurs(@TempDir Path folder) {
        assertThat(new StorageFactory(LogEntries.SMALL, new DiskFileIo(), Progress.ALL, "owner")
                        .createLogStorage(folder.toString(), new RaftOptions()))
                .isInstanceOf(SegmentLogStorage.class);
    }

    @Test
    void failure_folderInUse_saysSo(@TempDir Path folder) {
        StorageFactory first = new StorageFactory(LogEntries.SMALL, new DiskFileIo(), Progress.ALL, "owner");
        StorageFactory second = new StorageFactory(LogEntries.SMALL, new DiskFileIo(), Progress.ALL, "owner");
        LogStorage owner = first.createLogStorage(folder.toString(), new RaftOptions());
        assertThat(owner.init(LogEntries.options(new ConfigurationManager()))).isTrue();

        LogStorage late = second.createLogStorage(folder.toString(), new RaftOptions());
        assertThat(late.init(LogEntries.options(new ConfigurationManager()))).isFalse();

        assertThat(first.failure()).isNull();
        assertThat(second.failure()).isInstanceOf(LogLockedException.class);
        owner.shutdown();
    }

    /** The library stores a term of its own election only after it may have appended entries of another leader of that term. */
    @Test
    void append_entriesOfATermThatIsNotStored_storesTheTermFirst(@TempDir Path folder) throws IOException {
        StorageFactory storages = new StorageFactory(LogEntries.SMALL, new DiskFileIo(), Progress.ALL, "owner");
        Path meta = folder.resolve("meta");
        storages.make(folder.resolve("log"), meta, folder.resolve("snapshot"));
        LogStorage log = storages.createLogStorage(folder.resolve("log").toString(), new RaftOptions());
        assertThat(log.init(LogEntries.options(new ConfigurationManager()))).isTrue();
        RaftMetaStorage vote = storages.createRaftMetaStorage(meta.toString(), new RaftOptions());
        assertThat(vote.init(new RaftMetaStorageOptions())).isTrue();

        assertThat(log.appendEntries(LogEntries.data(1, 2, 5))).isEqualTo(2);
        assertThat(meta.resolve("vote")).content().contains("term 5");
        assertThat(vote.getTerm()).isEqualTo(5);

        Path occupied = meta.resolve("vote.tmp");
        Path unused = Files.createDirectories(occupied.resolve("a"));
        assertThat(log.appendEntries(LogEntries.data(3, 1, 6))).isZero();
        assertThat(log.getLastLogIndex()).isEqualTo(2);
        assertThat(storages.failure()).hasMessageContaining(occupied.toString());
        log.shutdown();
    }

    @Test
    void node_ofOneMember_electsItselfCommitsAndHasTheEntriesAfterARestart(@TempDir Path folder)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        PeerId member = MemberAddress.parse(Group.freeAddress());
        Machine machine = new Machine();
        RaftGroupService service = start(member, folder, machine);
        for (int i = 0; i < 200; i++) {
            commit(service.getRaftNode(), machine, "entry " + i);
        }
        assertThat(machine.applied).hasSize(200).contains("entry 0", "entry 199");
        stop(service);

        Machine again = new Machine();
        service = start(member, folder, again);
        commit(service.getRaftNode(), again, "after the restart");
        assertThat(again.applied).startsWith("entry 0", "entry 1").endsWith("entry 199", "after the restart");
        stop(service);
    }

    /** The log of a member that has lagged behind and was sent a snapshot is empty, and begins behind the snapshot. */
    @Test
    void node_afterSnapshots_goesOnWithAShorterLogAndWithAnEmptyOne(@TempDir Path folder)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        PeerId member = MemberAddress.parse(Group.freeAddress());
        Machine machine = new Machine();
        RaftGroupService service = start(member, folder, machine);
        for (String text : List.of("one", "two", "three")) {
            commit(service.getRaftNode(), machine, text);
            CompletableFuture<Status> saved = new CompletableFuture<>();
            service.getRaftNode().snapshot(saved::complete);
            assertThat(saved.get(60, TimeUnit.SECONDS).isOk()).isTrue();
        }
        stop(service);

        Machine shorter = new Machine();
        service = start(member, folder, shorter);
        commit(service.getRaftNode(), shorter, "four");
        assertThat(shorter.applied).containsExactly("one", "two", "three", "four");
        CompletableFuture<Status> saved = new CompletableFuture<>();
        service.getRaftNode().snapshot(saved::complete);
        assertThat(saved.get(60, TimeUnit.SECONDS).isOk()).isTrue();
        stop(service);

        SegmentLogStorage storage = new SegmentLogStorage(
                folder.resolve("log"), new DiskFileIo(), LogEntries.SMALL, Runnable::run, Progress.ALL, term -> {});
        assertThat(LogEntries.init(storage)).isTrue();
        assertThat(storage.getFirstLogIndex()).isGreaterThan(1);
        assertThat(storage.reset(storage.getLastLogIndex() + 1)).isTrue();
        storage.shutdown();

        Machine empty = new Machine();
        service = start(member, folder, empty);
        commit(service.getRaftNode(), empty, "five");
        assertThat(empty.applied).containsExactly("one", "two", "three", "four", "five");
        stop(service);
    }

    private static RaftGroupService start(PeerId member, Path folder, Machine machine) throws IOException {
        StorageFactory storages = new StorageFactory(LogEntries.SMALL, new DiskFileIo(), Progress.ALL, "owner");
        storages.make(folder.resolve("log"), folder.resolve("meta"), folder.resolve("snapshot"));
        NodeOptions options = new NodeOptions();
        options.setElectionTimeoutMs(300);
        options.setDisableCli(true);
        options.setFsm(machine);
        options.setLogUri(folder.resolve("log").toString());
        options.setRaftMetaUri(folder.resolve("meta").toString());
        options.setSnapshotUri(folder.resolve("snapshot").toString());
        options.setSnapshotIntervalSecs(0); // on request only
        options.setInitialConf(JRaftUtils.getConfiguration(member.toString()));
        options.setServiceFactory(storages);
        while (!Group.isFree(member.toString())) {
            LockSupport.parkNanos(100_000); // the library gives the port of an ended member back a little later
        }
        RaftGroupService service = new RaftGroupService("group", member, options);
        assertThat(service.start()).isNotNull();
        return service;
    }

    private static void commit(Node node, Machine machine, String text)
            throws InterruptedException, ExecutionException, TimeoutException {
        assertThat(machine.leads.await(60, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Status> done = new CompletableFuture<>();
        node.apply(new Task(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), done::complete));
        assertThat(done.get(60, TimeUnit.SECONDS).isOk()).isTrue();
    }

    private static void stop(RaftGroupService service) throws InterruptedException {
        service.shutdown();
        service.join();
    }
}

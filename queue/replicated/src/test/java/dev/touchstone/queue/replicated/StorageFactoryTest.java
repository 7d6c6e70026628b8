package dev.touchstone.queue.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.RaftGroupService;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library with our storage, and without the libraries that it declares and that are excluded. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StorageFactoryTest {
    private static final String HOST = "127.0.0.1";

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
        assertThat(new StorageFactory(LogEntries.SMALL).createLogStorage(folder.toString(), new RaftOptions()))
                .isInstanceOf(SegmentLogStorage.class);
    }

    @Test
    void node_ofOneMember_electsItselfCommitsAndHasTheEntriesAfterARestart(@TempDir Path folder)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        PeerId member = new PeerId(HOST, freePort());
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

    private static RaftGroupService start(PeerId member, Path folder, Machine machine) {
        NodeOptions options = new NodeOptions();
        options.setElectionTimeoutMs(300);
        options.setDisableCli(true);
        options.setFsm(machine);
        options.setLogUri(folder.resolve("log").toString());
        options.setRaftMetaUri(folder.resolve("meta").toString());
        options.setInitialConf(JRaftUtils.getConfiguration(member.toString()));
        options.setServiceFactory(new StorageFactory(LogEntries.SMALL));
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

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}

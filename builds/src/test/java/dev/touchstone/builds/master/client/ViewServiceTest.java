package dev.touchstone.builds.master.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.access.Role;
import dev.touchstone.builds.master.log.AttemptFiles;
import dev.touchstone.builds.master.log.JobLog;
import dev.touchstone.builds.master.log.LogStore;
import dev.touchstone.builds.master.rpc.Sessions;
import dev.touchstone.builds.master.rpc.Supervisor;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.v1.Wire;
import io.grpc.stub.CallStreamObserver;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViewServiceTest {
    private static final Caller ALL = new Caller("all", Set.of(Role.READ), "");
    private static final long JOB = 7;
    private static final int ROUNDS = 20_000;

    @TempDir
    Path tmp;

    @Test
    void read_appendedWhileTheQuestionIsParked_isAnsweredEachTime() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        Sessions<ClientSession> sessions = new Sessions<>();
        Supervisor supervisor = new Supervisor(() -> {});
        BlockingQueue<Wire.LogAnswer> answers = new LinkedBlockingQueue<>();
        Outlet<Wire.LogAnswer> outlet = new Outlet<>(new Answers(answers));
        try (LogStore logs = new LogStore(new AttemptFiles(tmp.resolve("logs")), supervisor::failed)) {
            logs.lease(JOB, "a", 1, 1, Long.MAX_VALUE);
            ViewService service = new ViewService(logs, sessions, Runnable::run, (job, reader) -> -1, supervisor);
            service.start();
            var viewer = service.viewer(ALL);
            for (int offset = 0; offset < ROUNDS; offset++) {
                Wire.ReadLog read = Wire.ReadLog.newBuilder()
                        .setAsk(offset)
                        .setJob(JOB)
                        .setOffset(offset)
                        .setMost(16)
                        .build();
                service.inbox().execute(() -> viewer.take(read, outlet));
                for (int spins = random.nextInt(4_000); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                append(service, logs, offset);
                Wire.LogAnswer answer = answers.poll(30, TimeUnit.SECONDS);
                if (answer == null) {
                    throw new AssertionError("no answer: seed=" + seed + " offset=" + offset);
                }
                assertThat(answer.getChunk().getBytes().toByteArray())
                        .as("seed=%d", seed)
                        .containsExactly((byte) answer.getChunk().getOffset());
            }
            supervisor.closing();
            service.close();
        }
    }

    @Test
    void questions_ofAViewerThatHasGone_areForgotten() throws Exception {
        Supervisor supervisor = new Supervisor(() -> {});
        Outlet<Wire.LogAnswer> outlet = new Outlet<>(new Answers(new LinkedBlockingQueue<>()));
        try (LogStore logs = new LogStore(new AttemptFiles(tmp.resolve("logs")), supervisor::failed)) {
            ViewService service =
                    new ViewService(logs, new Sessions<>(), Runnable::run, (job, reader) -> -1, supervisor);
            var stays = service.viewer(ALL);
            var leaves = service.viewer(ALL);
            for (var viewer : List.of(stays, leaves)) {
                for (long job = 0; job < 10; job++) {
                    Wire.ReadLog read =
                            Wire.ReadLog.newBuilder().setJob(job).setMost(1).build();
                    viewer.take(read, outlet);
                    viewer.take(read, outlet);
                }
            }
            assertThat(service.parkedReads()).isEqualTo(40);
            leaves.left(outlet);
            assertThat(service.parkedReads()).isEqualTo(20);
            stays.left(outlet);
            assertThat(service.parkedReads()).isZero();
            supervisor.closing();
        }
    }

    /** A stream that always has room. */
    private static final class Answers extends CallStreamObserver<Wire.LogAnswer> {
        private final BlockingQueue<Wire.LogAnswer> answers;

        Answers(BlockingQueue<Wire.LogAnswer> answers) {
            this.answers = answers;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {}

        @Override
        public void disableAutoInboundFlowControl() {}

        @Override
        public void request(int count) {}

        @Override
        public void setMessageCompression(boolean enable) {}

        @Override
        public void onNext(Wire.LogAnswer answer) {
            answers.add(answer);
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }

    /** One byte, as the thread that appends does it. */
    private static void append(ViewService service, LogStore logs, int offset) throws Exception {
        JobLog log = Objects.requireNonNull(logs.find(JOB));
        assertThat(log.append("a", 1, 1, offset, ByteBuffer.wrap(new byte[] {(byte) offset})))
                .isEqualTo(JobLog.Verdict.APPENDED);
        if (log.takeWatched()) {
            service.changed(JOB);
        }
    }
}

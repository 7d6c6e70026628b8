package dev.touchstone.builds.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.wire.FromClient;
import dev.touchstone.builds.wire.ToClient;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.term.Term;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViewServiceTest {
    private static final long JOB = 7;
    private static final int ROUNDS = 20_000;

    @TempDir
    Path tmp;

    @Test
    void read_appendedWhileTheQuestionIsParked_isAnsweredEachTime() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        Sessions sessions = new Sessions(1);
        Master.Supervisor supervisor = new Master.Supervisor(() -> {});
        try (Node node = Node.builder("views@localhost")
                        .cookie(Cookie.of("x"))
                        .embeddedEpmd(true)
                        .tcp(false)
                        .unixSocket(tmp.resolve("socket"))
                        .start();
                Mailbox views = node.mailbox();
                Mailbox client = node.mailbox();
                LogStore logs = new LogStore(new LogFiles(tmp.resolve("logs")), supervisor)) {
            sessions.add(new ClientSession(1, 1, client.pid(), client.monitor(views.pid())));
            logs.lease(JOB, 1, 1);
            ViewService service =
                    new ViewService(views, logs, sessions, Runnable::run, job -> -1, peer -> {}, supervisor);
            service.start();
            for (int offset = 0; offset < ROUNDS; offset++) {
                client.send(views.pid(), new FromClient.Read(1, offset, JOB, offset, 16).toTerm());
                for (int spins = random.nextInt(4_000); spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                append(service, logs, offset);
                Term answer = client.receive(Duration.ofSeconds(30));
                if (answer == null) {
                    throw new AssertionError("no answer: seed=" + seed + " offset=" + offset);
                }
                assertThat(ToClient.parse(answer))
                        .isInstanceOfSatisfying(
                                ToClient.Chunk.class,
                                chunk ->
                                        assertThat(chunk.bytes().toByteArray()).containsExactly((byte) chunk.offset()));
            }
            supervisor.closing();
        }
    }

    /** One byte, as the thread that appends does it. */
    private static void append(ViewService service, LogStore logs, int offset) throws Exception {
        JobLog log = Objects.requireNonNull(logs.find(JOB));
        assertThat(log.append(1, 1, offset, ByteBuffer.wrap(new byte[] {(byte) offset})))
                .isEqualTo(JobLog.Verdict.APPENDED);
        if (log.takeWatched()) {
            service.changed(JOB);
        }
    }
}

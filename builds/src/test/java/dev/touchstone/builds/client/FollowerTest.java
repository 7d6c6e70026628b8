package dev.touchstone.builds.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.LogVisitor;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.v1.Wire;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class FollowerTest {
    /** A connection that never connects: the test answers in the master's place. */
    private final Questions questions = new Questions();

    private final Connection connection = new Connection(
            Site.options(1), new MasterAddress("127.0.0.1", 1), new Pending(), questions, new Semaphore(1));

    private final CompletableFuture<Long> end = new CompletableFuture<>();

    @AfterEach
    void close() {
        connection.close();
    }

    private Follower follower(LogVisitor visitor) {
        Follower follower = new Follower(connection, (session, ask, offset, most) -> {}, 0, visitor, end);
        follower.begin();
        return follower;
    }

    @SuppressWarnings("NullAway") // the askers of these tests use none
    private static Session noSession() {
        return null;
    }

    /** Answers the oldest question. */
    private void answer(Wire.Chunk chunk) {
        long ask = questions.all().get(0).ask();
        Objects.requireNonNull(questions.take(ask)).answer(chunk);
    }

    private static Wire.Chunk chunk(long offset, String text) {
        return Wire.Chunk.newBuilder()
                .setOffset(offset)
                .setBytes(ByteString.copyFromUtf8(text))
                .build();
    }

    @Test
    void fail_whileTheVisitorIsAtBytes_givesItNoMore() throws Exception {
        Queue<Long> visited = new ConcurrentLinkedQueue<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Follower follower = follower((offset, bytes) -> {
            visited.add(offset);
            begun.countDown();
            try {
                return goOn.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                return false;
            }
        });
        answer(chunk(0, "one"));
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        answer(chunk(3, "two"));
        follower.fail(new BuildException(BuildCode.UNREACHABLE, "for a test"));
        assertThat(end).isCompletedExceptionally();
        goOn.countDown();
        awaitVisitors();
        assertThat(visited).containsExactly(0L);
    }

    @Test
    void visitor_thatThrowsAnError_failsTheFuture() throws Exception {
        StackOverflowError thrown = new StackOverflowError("for a test");
        Follower unused = follower((offset, bytes) -> {
            throw thrown;
        });
        answer(chunk(0, "one"));
        awaitVisitors();
        assertThat(end).isCompletedExceptionally();
        assertThat(end.handle((value, failure) -> failure).get()).isSameAs(thrown);
    }

    /** A master whose log grows, which answers in any order, with less than it might, and may not say how much there is. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void log_answeredInAnyWay_comesWholeAndInOrder(boolean isTotalSaid) throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        for (int run = 0; run < 20; run++) {
            byte[] log = new byte[random.nextInt(4 * Rpc.MAX_READ)];
            random.nextBytes(log);
            ByteArrayOutputStream visited = new ByteArrayOutputStream();
            CompletableFuture<Long> whole = new CompletableFuture<>();
            long[] asked = new long[2];
            LogVisitor visitor = (offset, bytes) -> {
                byte[] some = new byte[bytes.remaining()];
                bytes.get(some);
                visited.writeBytes(some);
                return true;
            };
            Follower.Asker asker = (session, ask, offset, most) -> {
                asked[0] = offset;
                asked[1] = most;
            };
            new Follower(connection, asker, 0, visitor, whole).begin();
            int there = 0;
            while (!whole.isDone()) {
                List<Questions.Numbered> open = questions.all();
                assertThat(open).as("seed=%d", seed).hasSizeLessThanOrEqualTo(4);
                if (open.isEmpty()) {
                    Thread.onSpinWait(); // the visitor is at the bytes before
                    continue;
                }
                Questions.Numbered question = open.get(random.nextInt(10) > 0 ? 0 : random.nextInt(open.size()));
                question.question().ask(noSession(), question.ask());
                int size = (int) Math.max(0, Math.min(asked[1], there - asked[0]));
                if (size == 0 && there < log.length) {
                    there = Math.min(log.length, there + random.nextInt(2 * Rpc.MAX_READ));
                    continue;
                }
                size = random.nextInt(5) > 0 ? size : Math.min(size, 1 + random.nextInt(Rpc.MAX_READ));
                Wire.Chunk chunk = Wire.Chunk.newBuilder()
                        .setOffset(asked[0])
                        .setBytes(ByteString.copyFrom(log, (int) asked[0], size))
                        .setLast(size == 0)
                        .setTotal(isTotalSaid ? there : 0)
                        .build();
                Objects.requireNonNull(questions.take(question.ask())).answer(chunk);
            }
            assertThat(whole.get()).as("seed=%d", seed).isEqualTo(log.length);
            assertThat(visited.toByteArray()).as("seed=%d", seed).isEqualTo(log);
            questions.failAll(new BuildException(BuildCode.UNREACHABLE, "for a test"));
        }
    }

    private void awaitVisitors() throws InterruptedException {
        ExecutorService visitors = (ExecutorService) connection.visitors();
        visitors.shutdown();
        assertThat(visitors.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
}

package dev.touchstone.builds.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.LogVisitor;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.wire.MasterAddress;
import dev.touchstone.builds.wire.v1.Wire;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FollowerTest {
    /** A connection that never connects: the test answers in the master's place. */
    private final Connection connection = new Connection(
            Site.options(1), new MasterAddress("127.0.0.1", 1), new Pending(), new Questions(), new Semaphore(1));

    private final CompletableFuture<Long> end = new CompletableFuture<>();

    @AfterEach
    void close() {
        connection.close();
    }

    private Follower follower(LogVisitor visitor) {
        Follower follower = new Follower(connection, (session, ask, offset) -> {}, 0, visitor, end);
        follower.begin();
        return follower;
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
        follower.answer(chunk(0, "one"));
        assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
        follower.answer(chunk(3, "two"));
        follower.fail(new BuildException(BuildCode.UNREACHABLE, "for a test"));
        assertThat(end).isCompletedExceptionally();
        goOn.countDown();
        awaitVisitors();
        assertThat(visited).containsExactly(0L);
    }

    @Test
    void visitor_thatThrowsAnError_failsTheFuture() throws Exception {
        StackOverflowError thrown = new StackOverflowError("for a test");
        Follower follower = follower((offset, bytes) -> {
            throw thrown;
        });
        follower.answer(chunk(0, "one"));
        awaitVisitors();
        assertThat(end).isCompletedExceptionally();
        assertThat(end.handle((value, failure) -> failure).get()).isSameAs(thrown);
    }

    private void awaitVisitors() throws InterruptedException {
        ExecutorService visitors = (ExecutorService) connection.visitors();
        visitors.shutdown();
        assertThat(visitors.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
}

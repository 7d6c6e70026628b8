package dev.touchstone.builds.origin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests that a call completes its futures without its lock: what depends on them may wait for another thread that asks for the call. */
class OriginCallTest {
    private final OriginCall call = new OriginCall(1, () -> {});

    @Test
    void follow_ofACallThatEnds_completesWithoutTheLock() {
        AtomicBoolean isLocked = new AtomicBoolean();
        CompletableFuture<Void> seen =
                call.follow(0, (offset, bytes) -> true).thenRun(() -> isLocked.set(Thread.holdsLock(call)));
        call.end(new OriginMessage.Reply(
                "", 1, ReplyCode.OK, BuildReply.failed("").encode()));
        assertThat(seen).isCompleted();
        assertThat(isLocked).isFalse();
    }
}

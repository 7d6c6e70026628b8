package dev.touchstone.queue.replicated.link;

import dev.touchstone.queue.replicated.link.Message.Kind;
import java.util.concurrent.CompletableFuture;

/**
 * A reply that a thread waits for: a message that was not sent counts as one to a member that does not lead.
 *
 * @param future completed by the answer
 */
public record FutureReply(CompletableFuture<Message> future) implements Reply {
    @Override
    public void answered(Message answer) {
        future.complete(answer);
    }

    @Override
    public void notSent(String reason) {
        future.complete(Message.of(Kind.NOT_LEADING, reason));
    }

    @Override
    public void lost(String reason) {
        future.complete(Message.of(Kind.UNKNOWN, reason));
    }
}

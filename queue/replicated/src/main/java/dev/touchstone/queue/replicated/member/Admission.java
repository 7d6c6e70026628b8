package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.touchstone.queue.replicated.link.FutureReply;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replication.UnknownMemberException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The question of a member with an empty folder to all others: whether the group knows it by another id. If so it has lost entries that it
 * confirmed, and would let the group lose them. One thread asks; any thread may ask whom it waits for.
 */
final class Admission {
    private static final System.Logger LOG = System.getLogger(Admission.class.getName());
    private static final int ANSWER_MILLIS = 2_000;
    private static final long PAUSE_MILLIS = 200;
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Links links;
    private final Identity identity;
    private final Map<PeerId, String> unanswered =
            new ConcurrentSkipListMap<>(Comparator.comparing(PeerId::toString)); // with the reason
    private long toldNanos = System.nanoTime();

    /** Creates the question of a member; {@link #await} asks it. */
    Admission(Links links, Identity identity) {
        this.links = links;
        this.identity = identity;
    }

    /**
     * Returns when every other member has answered that the group does not know this one, or knows it by this id.
     *
     * @throws UnknownMemberException if the group knows it by another id
     * @throws InterruptedIOException if the thread was interrupted
     */
    void await(List<PeerId> members) throws IOException {
        for (PeerId member : members) {
            if (!member.toString().equals(identity.address())) {
                unanswered.put(member, "not asked yet");
            }
        }
        while (!unanswered.isEmpty()) {
            ask();
        }
    }

    /** Returns the addresses of the members that have not answered yet. */
    List<String> waitsFor() {
        return unanswered.keySet().stream().map(PeerId::toString).toList();
    }

    private void ask() throws IOException {
        Map<PeerId, CompletableFuture<Message>> answers = new TreeMap<>(Comparator.comparing(PeerId::toString));
        for (PeerId member : unanswered.keySet()) {
            CompletableFuture<Message> answer = new CompletableFuture<>();
            answers.put(member, answer);
            links.send(member, Message.of(Kind.IDENTIFY, identity.text()), ANSWER_MILLIS, new FutureReply(answer));
        }
        for (Map.Entry<PeerId, CompletableFuture<Message>> asked : answers.entrySet()) {
            take(asked.getKey(), await(asked.getValue(), 2L * ANSWER_MILLIS));
        }
        if (!unanswered.isEmpty()) {
            tell();
            Message unused = await(new CompletableFuture<>(), PAUSE_MILLIS);
        }
    }

    private void take(PeerId member, Message answer) throws UnknownMemberException {
        switch (answer.kind()) {
            case NO_GROUP, DONE -> unanswered.remove(member);
            case OTHER_ID ->
                throw new UnknownMemberException(
                        "member " + identity.address() + " has an empty folder, but the group knows it (told by "
                                + member + "): remove it, then start it without members and add it");
            default -> unanswered.put(member, answer.text());
        }
    }

    private void tell() {
        long now = System.nanoTime();
        if (now - toldNanos >= TELL_NANOS) {
            toldNanos = now;
            List<String> waiting = new ArrayList<>();
            unanswered.forEach((member, reason) -> waiting.add(member + " (" + reason + ")"));
            LOG.log(
                    System.Logger.Level.INFO,
                    "member " + identity.address()
                            + " has an empty folder and waits until these say whether the group knows it: "
                            + String.join(", ", waiting));
        }
    }

    private static Message await(CompletableFuture<Message> answer, long millis) throws InterruptedIOException {
        try {
            return answer.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return Message.of(Kind.NOT_YET, "no answer within " + millis + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(
                    "interrupted while the other members are asked whether the group knows this one");
        }
    }
}

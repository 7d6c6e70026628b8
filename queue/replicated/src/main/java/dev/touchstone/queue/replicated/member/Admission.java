package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.touchstone.queue.replicated.link.FutureReply;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.link.Reasons;
import dev.touchstone.queue.replication.UnknownMemberException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * The question of a member with an empty folder to all others: whether the group knows it by another id, and which group it is. If the group knows it, it
 * has lost entries that it confirmed, and would let the group lose them. One thread asks; any thread may ask whom it waits for.
 */
final class Admission {
    /*
     * Invariants:  a group is begun by one member alone, whose id becomes the group's: by the first of the members in the order of their addresses, once all
     *              others have answered that they have no group. They wait until one of the members tells them the group, so that all of them have the same.
     */
    private static final System.Logger LOG = System.getLogger(Admission.class.getName());
    private static final int ANSWER_MILLIS = 2_000;
    private static final long PAUSE_MILLIS = 200;
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Links links;
    private final Identity identity;
    private final Map<PeerId, String> unanswered =
            new ConcurrentSkipListMap<>(Comparator.comparing(PeerId::toString)); // with the reason
    private final Set<PeerId> waiting = new HashSet<>(); // have answered that they have no group
    private String group = "";
    private boolean hasEntries; // a member has answered that its group has entries
    private long toldNanos = System.nanoTime();

    /**
     * Returns the text of a question: the identity of the member, and on a second line the members with which it begins.
     *
     * @param members addresses of the members, in any order
     */
    static String question(Identity identity, Collection<String> members) {
        return identity.text() + "\n" + members.stream().sorted().collect(Collectors.joining(", "));
    }

    /**
     * Returns the answer to the question of a member that would begin the group with other members than {@code member}.
     *
     * @param own the question that has the members of {@code member}
     */
    static Message refusal(String question, String member, String own) {
        return Message.of(
                Kind.NOT_DONE,
                "it has members=" + Reasons.shown(question.substring(question.indexOf('\n') + 1)) + ", and member "
                        + member + " has members=" + own.substring(own.indexOf('\n') + 1)
                        + ": expected the same members at all");
    }

    /** Creates the question of a member; {@link #await} asks it. */
    Admission(Links links, Identity identity) {
        this.links = links;
        this.identity = identity;
    }

    /**
     * Returns when every other member has answered that the group does not know this one, or knows it by this id.
     *
     * @return the id of the group
     * @throws UnknownMemberException if the group knows it by another id
     * @throws InterruptedIOException if the thread was interrupted
     */
    String await(List<PeerId> members) throws IOException {
        boolean isFirst = members.stream().noneMatch(member -> member.toString().compareTo(identity.address()) < 0);
        for (PeerId member : members) {
            if (!member.toString().equals(identity.address())) {
                unanswered.put(member, "not asked yet");
            }
        }
        List<String> addresses = members.stream().map(PeerId::toString).toList();
        Message question = Message.of(Kind.IDENTIFY, question(identity, addresses));
        while (!unanswered.isEmpty()) {
            ask(question);
            if (!group.isEmpty() || hasEntries || (isFirst && waiting.containsAll(unanswered.keySet()))) {
                unanswered.keySet().removeAll(waiting);
            }
        }
        if (group.isEmpty() && hasEntries) {
            throw new IOException("member " + identity.address()
                    + " has an empty folder, and the group of its members, begun by a build before 0.1.0, has no id");
        }
        return group.isEmpty() ? identity.id() : group;
    }

    /** Returns whether the group has begun without this member: one of the others has entries. */
    boolean hasEntries() {
        return hasEntries;
    }

    /** Returns the addresses of the members that have not answered yet. */
    List<String> waitsFor() {
        return unanswered.keySet().stream().map(PeerId::toString).toList();
    }

    private void ask(Message question) throws IOException {
        Map<PeerId, CompletableFuture<Message>> answers = new TreeMap<>(Comparator.comparing(PeerId::toString));
        for (PeerId member : unanswered.keySet()) {
            CompletableFuture<Message> answer = new CompletableFuture<>();
            answers.put(member, answer);
            links.send(member, question, ANSWER_MILLIS, new FutureReply(answer));
        }
        for (Map.Entry<PeerId, CompletableFuture<Message>> asked : answers.entrySet()) {
            take(asked.getKey(), await(asked.getValue(), 2L * ANSWER_MILLIS));
        }
        if (!unanswered.isEmpty()) {
            tell();
            Message unused = await(new CompletableFuture<>(), PAUSE_MILLIS);
        }
    }

    private void take(PeerId member, Message answer) throws IOException {
        switch (answer.kind()) {
            case NO_GROUP -> {
                takeGroup(member, answer.text());
                waiting.add(member);
                unanswered.put(member, "it has not begun the group yet");
            }
            case DONE -> {
                takeGroup(member, answer.text());
                hasEntries = true;
                unanswered.remove(member);
            }
            case OTHER_ID ->
                throw new UnknownMemberException(
                        "member " + identity.address() + " has an empty folder, but the group knows it (told by "
                                + member + "): remove it, then start it without members and add it");
            case NOT_DONE ->
                throw new IOException("member " + identity.address() + " does not begin a group: " + answer.text());
            default -> unanswered.put(member, answer.text());
        }
    }

    private void takeGroup(PeerId member, String told) throws IOException {
        if (!group.isEmpty() && !told.isEmpty() && !group.equals(told)) {
            throw new IOException("member " + identity.address()
                    + " has an empty folder, and its members are of different groups (told by " + member
                    + "): start it with the members of one group, or without members and add it");
        }
        group = told.isEmpty() ? group : told;
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

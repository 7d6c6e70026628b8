package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import dev.touchstone.queue.replicated.link.FutureReply;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The leader's part of reading and changing the group's members, and the part of one that is to become a member. Thread-safe. */
final class Administration {
    /*
     * Who calls:   the thread that reads a connection, or a caller of this member's group. The work itself is done by a thread of the executor,
     *              as it waits for the node's lock, which an election may hold for a while.
     */
    private static final String NOT_LEADER = "Not leader";
    private static final int ANSWER_MILLIS = 2_000;

    private final Node node;
    private final Executor executor;
    private final Candidacy candidacy;
    private final Addition.Settings additions;

    Administration(Node node, Candidacy candidacy, Addition.Settings additions) {
        this.node = node;
        this.executor = additions.executor();
        this.candidacy = candidacy;
        this.additions = additions;
    }

    /** Begins to do what the message asks for; its answer tells when it is done, or why it is not. */
    void handle(Message request, Consumer<Message> reply) {
        try {
            executor.execute(() -> begin(request, reply));
        } catch (RejectedExecutionException e) {
            reply.accept(Message.of(Kind.NOT_LEADING, "the member is closed"));
        }
    }

    private void begin(Message request, Consumer<Message> reply) {
        if (request.kind() == Kind.JOIN) {
            reply.accept(candidacy.answer(request));
            return;
        }
        if (!node.isLeader(false)) {
            reply.accept(Message.notLeading(node.getLeaderId()));
            return;
        }
        attempt(reply, () -> {
            switch (request.kind()) {
                case MEMBERS -> reply.accept(Message.of(Kind.DONE, members()));
                case ADD -> add(MemberAddress.parse(request.text()), reply);
                case REMOVE -> remove(removable(request.text()), reply);
                case TRANSFER -> reply.accept(answer(node.transferLeadershipTo(target(request.text()))));
                default -> reply.accept(Message.of(Kind.NOT_DONE, "not a request: " + request));
            }
        });
    }

    private void attempt(Consumer<Message> reply, Runnable task) {
        try {
            task.run();
        } catch (IllegalStateException | IllegalArgumentException e) { // jraft refuses
            String reason = String.valueOf(e.getMessage());
            reply.accept(
                    reason.equals(NOT_LEADER)
                            ? Message.notLeading(node.getLeaderId())
                            : Message.of(Kind.NOT_DONE, reason));
        }
    }

    private void add(PeerId added, Consumer<Message> reply) {
        if (node.listPeers().contains(added)) {
            throw new IllegalArgumentException("a member already: member=" + added + " members=" + members()
                    + " (if its folder was lost, remove it first)");
        }
        new Addition(node, added, candidacy.question(), additions, reply).begin();
    }

    /**
     * Has jraft remove a member once a majority of those that are left has answered: jraft gives up no change for which it finds no majority, so the group would have
     * none from then on.
     */
    private void remove(PeerId removed, Consumer<Message> reply) {
        List<PeerId> left = node.listPeers().stream()
                .filter(member -> !member.equals(removed))
                .toList();
        List<CompletableFuture<Boolean>> answers =
                left.stream().map(this::answers).toList();
        var unused = CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                .thenRunAsync(
                        () -> {
                            long answering = answers.stream()
                                    .filter(CompletableFuture::join)
                                    .count();
                            if (2 * answering > left.size()) {
                                attempt(reply, () -> node.removePeer(removed, changed(reply)));
                            } else {
                                reply.accept(Message.of(
                                        Kind.NOT_DONE,
                                        "no majority of the members that are left answers: removed=" + removed
                                                + " left=" + left + " answering=" + answering));
                            }
                        },
                        executor);
    }

    private CompletableFuture<Boolean> answers(PeerId member) {
        if (member.equals(node.getNodeId().getPeerId())) {
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Message> answer = new CompletableFuture<>();
        additions.links().send(member, Message.of(Kind.STATUS, ""), ANSWER_MILLIS, new FutureReply(answer));
        return answer.thenApply(message -> message.kind() == Kind.DONE);
    }

    private String members() {
        return node.listPeers().stream().map(PeerId::toString).collect(Collectors.joining(" "));
    }

    private PeerId target(String address) {
        return address.isEmpty() ? PeerId.ANY_PEER : member(address);
    }

    /**
     * Returns the member with this address.
     *
     * @throws IllegalArgumentException if there is none
     * @throws IllegalStateException if this member does not lead any more
     */
    private PeerId member(String address) {
        PeerId peer = MemberAddress.parse(address);
        if (!node.listPeers().contains(peer)) {
            throw new IllegalArgumentException("no such member: member=" + address + " members=" + members());
        }
        return peer;
    }

    private PeerId removable(String address) {
        PeerId peer = member(address);
        if (node.listPeers().size() == 1) {
            throw new IllegalArgumentException("the last member cannot be removed: member=" + address);
        }
        return peer;
    }

    private static Closure changed(Consumer<Message> reply) {
        return status -> reply.accept(answer(status));
    }

    /** Returns the answer that says how jraft has ended a change. */
    static Message answer(Status status) {
        if (status.isOk()) {
            return Message.of(Kind.DONE, "");
        }
        if (status.getRaftError() == RaftError.EPERM) { // refused, or lost the leadership meanwhile: then nobody knows
            boolean refused = NOT_LEADER.equals(status.getErrorMsg()) || "Not a leader".equals(status.getErrorMsg());
            return Message.of(refused ? Kind.NOT_LEADING : Kind.UNKNOWN, Outcomes.describe(status));
        }
        boolean isBusy = status.getRaftError()
                == RaftError.EBUSY; // with another change: the request is made again, as after an election
        return Message.of(isBusy ? Kind.NOT_LEADING : Kind.NOT_DONE, Outcomes.describe(status));
    }
}

package dev.touchstone.queue.replicated.member;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.entity.NodeId;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.rpc.RaftServerService;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import dev.touchstone.queue.replicated.Group;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.MemberServer;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.link.Reasons;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Additions of a member that answers as it is told to, by a leader that only notes what it is asked. */
class AdditionTest {
    private static final PeerId LEADER = new PeerId("127.0.0.1", 1);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(4);
    private final CompletableFuture<Message> outcome = new CompletableFuture<>();
    private final CompletableFuture<RequestVoteRequest> ended = new CompletableFuture<>();
    private final CompletableFuture<Closure> change = new CompletableFuture<>();
    private Queue<Status> statuses = new ArrayDeque<>();
    private Runnable proposal = () -> {};
    private Queue<Message> absences = new ArrayDeque<>();
    private String added = "";
    private Queue<Message> announcements = new ArrayDeque<>();
    private Message answer = Message.of(Kind.DONE, "");
    private Links links;
    private MemberServer server;

    @BeforeEach
    void start() throws IOException {
        added = Group.freeAddress();
        answer = Message.of(Kind.DONE, "0".repeat(32) + " " + added);
        links = new Links(threads, null);
        PeerId peer = MemberAddress.parse(added);
        server = new MemberServer(
                peer, peer, threads, (message, reply) -> reply.accept(answer), news -> {}, () -> "", null);
    }

    @AfterEach
    void end() {
        links.close();
        server.close();
        threads.shutdownNow();
    }

    private void confirmAbsence(PeerId member, Consumer<Message> told) {
        Message absence = absences.poll();
        told.accept(absence == null ? Message.of(Kind.DONE, "") : absence);
    }

    private void announce(Identity member, Consumer<Message> told) {
        assertThat(member.address()).isEqualTo(added);
        Message announcement = announcements.poll();
        told.accept(announcement == null ? Message.of(Kind.DONE, "") : announcement);
    }

    private void add(Duration limit) {
        Node node = (Node) Proxy.newProxyInstance(
                Node.class.getClassLoader(),
                new Class<?>[] {Node.class, RaftServerService.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "addPeer" -> {
                        Closure done = (Closure) arguments[1];
                        Status status = statuses.poll();
                        if (status == null) {
                            change.complete(done);
                        } else {
                            done.run(status);
                        }
                        yield null;
                    }
                    case "handleRequestVoteRequest" -> {
                        ended.complete((RequestVoteRequest) arguments[0]);
                        yield null;
                    }
                    case "getGroupId" -> "queue";
                    case "getNodeId" -> new NodeId("queue", LEADER);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        new Addition(
                        node,
                        MemberAddress.parse(added),
                        Message.of(Kind.JOIN, "id"),
                        new Addition.Settings(
                                links,
                                () -> 7,
                                this::confirmAbsence,
                                this::announce,
                                proposal,
                                limit,
                                threads,
                                threads),
                        outcome::complete)
                .begin();
    }

    @Test
    void begin_memberGetsNoEntries_isToldAtTheLimitAndLeadershipEnds() throws Exception {
        server.start();
        add(SHORT);
        Closure done = Group.get(change);
        Message told = Group.get(outcome);
        assertThat(told.kind()).isEqualTo(Kind.NOT_DONE);
        assertThat(told.text()).contains(added, "did not get the entries", Reasons.shown(SHORT));
        RequestVoteRequest request = Group.get(ended);
        assertThat(request.getTerm()).isEqualTo(8);
        assertThat(request.getLastLogIndex()).isZero();
        done.run(new Status(RaftError.EPERM, "Leader stepped down.")); // told already
    }

    @Test
    void begin_changeWaitsForAnEntry_oneIsProposed() throws Exception {
        server.start();
        proposal = () -> {
            var unused = change.thenAccept(done -> done.run(Status.OK()));
        };
        add(LONG);
        assertThat(Group.get(outcome).kind()).isEqualTo(Kind.DONE);
        assertThat(ended).isNotDone();
    }

    @Test
    void begin_memberCatchesUpAtTheSecondAttempt_isDone() throws Exception {
        server.start();
        statuses = new ArrayDeque<>(List.of(new Status(RaftError.ECATCHUP, "not yet"), Status.OK()));
        add(LONG);
        assertThat(Group.get(outcome).kind()).isEqualTo(Kind.DONE);
        assertThat(ended).isNotDone();
    }

    @Test
    void begin_memberRefuses_isToldWithoutAChange() throws Exception {
        server.start();
        answer = Message.of(Kind.NOT_DONE, "of another group");
        add(LONG);
        Message told = Group.get(outcome);
        assertThat(told.kind()).isEqualTo(Kind.NOT_DONE);
        assertThat(told.text()).contains(added, "of another group");
        assertThat(change).isNotDone();
    }

    @Test
    void begin_memberDoesNotRun_isToldWithoutAChange() throws Exception {
        add(LONG);
        Message told = Group.get(outcome);
        assertThat(told.kind()).isEqualTo(Kind.NOT_DONE);
        assertThat(told.text()).contains(added, "the leader cannot ask it", "no connection");
        assertThat(change).isNotDone();
    }

    @Test
    void begin_absenceIsConfirmedAtTheSecondAttempt_memberIsAskedThen() throws Exception {
        absences.add(Message.of(Kind.NOT_YET, "not yet removed"));
        answer = Message.of(Kind.NOT_DONE, "was asked");
        server.start();
        add(LONG);
        assertThat(Group.get(outcome).text()).contains("was asked");
        assertThat(absences).isEmpty();
    }

    @Test
    void begin_idIsCommittedAtTheSecondAttempt_membersAreChangedThen() throws Exception {
        announcements.add(Message.of(Kind.UNKNOWN, "no majority"));
        statuses.add(Status.OK());
        server.start();
        add(LONG);
        assertThat(Group.get(outcome).kind()).isEqualTo(Kind.DONE);
        assertThat(announcements).isEmpty();
    }

    @Test
    void begin_memberTellsNoId_isToldWithoutAChange() throws Exception {
        answer = Message.of(Kind.DONE, "");
        server.start();
        add(LONG);
        assertThat(Group.get(outcome).text()).contains(added, "does not tell its id");
        assertThat(change).isNotDone();
    }

    @Test
    void begin_leadershipHasMoved_isToldSoForAnotherAttempt() throws Exception {
        absences.add(Message.notLeading(LEADER));
        server.start();
        add(LONG);
        Message told = Group.get(outcome);
        assertThat(told.kind()).isEqualTo(Kind.NOT_LEADING);
        assertThat(told.leader()).isEqualTo(LEADER);
        assertThat(change).isNotDone();
    }

    @Test
    void begin_leaderIsClosed_isToldSo() throws Exception {
        threads.shutdownNow();
        add(LONG);
        assertThat(Group.get(outcome).text()).contains(added, "closed");
    }
}

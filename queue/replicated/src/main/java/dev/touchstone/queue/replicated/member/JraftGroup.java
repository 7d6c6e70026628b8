package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.NodeManager;
import com.alipay.sofa.jraft.RaftServiceFactory;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.util.RpcFactoryHelper;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.replicated.link.FutureReply;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.MemberNodeOptions;
import dev.touchstone.queue.replicated.link.MemberServer;
import dev.touchstone.queue.replicated.link.MemberStatus;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.link.TlsContexts;
import dev.touchstone.queue.replicated.storage.StorageFactory;
import dev.touchstone.queue.replicated.storage.StorageOptions;
import dev.touchstone.queue.replication.CallerStack;
import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.ReplicatedMachine;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A member of a group: a node of jraft, with a server and connections of its own. Thread-safe. */
public final class JraftGroup implements ReplicationGroup {
    /*
     * Who calls:   any thread; close() also a thread of its own after the member has failed.
     * Invariants:  each sender is told exactly once: what jraft or bolt lose is ended by the timer or by close().
     * Ordering:    server, id, log and vote of an empty folder, question to the others (empty folder), node; close() ends them the other way round.
     * Failure:     the machine is told by ended() and the member closes itself; it refuses entries from then on.
     */
    private static final System.Logger LOG = System.getLogger(JraftGroup.class.getName());
    private static final String GROUP = "queue";
    private static final int THREADS = 16;
    private static final int BARRIER_MILLIS = 10_000;
    private static final long BARRIER_RETRY_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long BARRIER_PAUSE_MILLIS = 20;
    private static final int ANNOUNCE_MILLIS = 2_000;
    private static final long ANNOUNCE_NANOS = TimeUnit.MILLISECONDS.toNanos(ANNOUNCE_MILLIS);
    private static final long TICK_MILLIS = 250;
    /** Longest wait for the end of a node that has not started: jraft waits for good for a log that it could not open. */
    private static final int JOIN_UNSTARTED_MILLIS = 1_000;

    private static final byte[] NO_CONTEXT = {};

    private final String member;
    private final PeerId peer;
    private final GroupOptions options;
    private final List<PeerId> members;
    private final MemberNodeOptions settings;
    private final KnownMembers known = new KnownMembers();
    private final PendingRequests pending = new PendingRequests();
    private final Verification verification;
    private final MachineAdapter adapter;
    private final StorageFactory storages;
    private final ThreadPoolExecutor executor;
    private final ScheduledThreadPoolExecutor timer;
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final MemberFolder folder;
    private final Identity identity;
    private final boolean wasCandidate;
    private final Links links;
    private final Admission admission;
    private final AdmissionAnswers answers;
    private final MemberServer server;
    private final Node node;
    private final Administration administration;
    private final Standing standing;
    private final CommitNotices notices;
    private final Proposals proposals;
    private volatile boolean isStarted;
    private boolean hasToldRefusal; // the timer's
    private long announcedNanos = System.nanoTime() - ANNOUNCE_NANOS; // the timer's

    private JraftGroup(
            GroupOptions options,
            List<PeerId> members,
            StorageOptions storage,
            FileIo io,
            ReplicatedMachine machine,
            MemberFolder folder,
            @Nullable TlsContexts tls) {
        this.options = options;
        this.members = members;
        peer = MemberAddress.parse(options.member());
        this.folder = folder;
        identity = folder.identity();
        wasCandidate = folder.isCandidate();
        member = options.member();
        node = RaftServiceFactory.createRaftNode(GROUP, peer);
        verification = new Verification(member, options.folder());
        adapter = new MachineAdapter(machine, known, peer, options.electionTimeout(), verification, this::closeLater);
        storages = new StorageFactory(storage, io, adapter, identity.text());
        verification.attach(storages);
        settings = NodeSettings.of(options, adapter, storages, tls, folder::group);
        ThreadFactory threads = task -> daemon(task, "queue-replicated-" + member);
        executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        executor.allowCoreThreadTimeOut(true);
        timer = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "queue-replicated-timer-" + member));
        links = new Links(executor, tls, folder::group);
        admission = new Admission(links, identity);
        answers = new AdmissionAnswers(member, options.members(), folder, known, adapter);
        server = new MemberServer(
                peer,
                MemberAddress.parseListen(options.listen()),
                executor,
                this::handle,
                adapter::hear,
                folder::group,
                tls);
        Runnable proposal = () -> announceHere(identity, answer -> {}); // known already: changes nothing
        administration = new Administration(
                node,
                new Candidacy(folder, known, node, server::admit),
                new Addition.Settings(
                        links,
                        adapter::leadingTerm,
                        this::confirmAbsence,
                        this::announceHere,
                        proposal,
                        Addition.LIMIT,
                        executor,
                        timer));
        standing = new Standing(peer, members, adapter, known, links);
        notices = new CommitNotices(GROUP, folder::group, peer, node, adapter, links, executor, timer);
        adapter.attach(node, storages::failure, notices::applied);
        proposals = new Proposals(member, node, machine, adapter, links, pending, notices, this::isClosed);
    }

    /** Starts a member; see {@link dev.touchstone.queue.replication.ReplicationEngine#start}. */
    public static JraftGroup start(GroupOptions options, StorageOptions storage, FileIo io, ReplicatedMachine machine)
            throws IOException {
        List<PeerId> members = MemberAddress.parseAll(options.members(), options.member());
        PeerId unused = MemberAddress.parseListen(options.listen()); // before the folder is taken
        NodeSettings.check(options);
        GroupOptions.Tls files = options.tls();
        TlsContexts tls = files == null ? null : TlsContexts.of(files);
        try {
            JraftGroup group =
                    new JraftGroup(options, members, storage, io, machine, MemberFolder.open(options, io), tls);
            group.openOrClose();
            return group;
        } catch (CorruptLogException e) {
            throw new CorruptLogException(
                    "member " + options.member() + " cannot start in folder " + options.folder(),
                    e,
                    "remove the member, empty its folder, start it without members and add it");
        }
    }

    private void openOrClose() throws IOException {
        try {
            open();
        } catch (Throwable e) {
            closeParts();
            throw e;
        }
    }

    private void open() throws IOException {
        server.start();
        folder.take();
        if (wasCandidate) {
            storages.make(NodeSettings.log(options), NodeSettings.vote(options), NodeSettings.snapshots(options));
        } else {
            storages.require(NodeSettings.log(options));
        }
        if (wasCandidate && !members.isEmpty()) {
            String group = admission.await(members);
            folder.admit(group, admission.hasEntries() ? List.of() : options.members());
        }
        settings.setInitialConf(new Configuration(MemberAddress.parseAll(folder.founders(), member)));
        if (!folder.isCandidate()) {
            server.admit();
        }
        NodeManager.getInstance().addAddress(peer.getEndpoint());
        if (!isInitialised()) {
            Throwable failure = adapter.failure();
            if (failure instanceof CorruptLogException damage) {
                throw damage;
            }
            throw new IOException(
                    "member " + member + " cannot start in folder " + options.folder() + ": "
                            + (failure == null
                                    ? "jraft has logged the reason (SLF4J, com.alipay.sofa.jraft)"
                                    : failure),
                    failure);
        }
        if (options.tls() != null && !settings.hasClient()) {
            throw new IOException(
                    "member " + member + " would not speak TLS: another RaftRpcFactory comes before ours, "
                            + RpcFactoryHelper.rpcFactory().getClass().getName());
        }
        isStarted = true;
        var unused = timer.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private boolean isInitialised() {
        try {
            return node.init(settings);
        } catch (UncheckedIOException e) { // a vote that cannot be stored: the storages' failure
            return false;
        }
    }

    @Override
    public void propose(byte[] entry, Consumer<@Nullable Throwable> done) {
        proposals.propose(entry, done);
    }

    /** Handles a message of another member; must not block. */
    private void handle(Message message, Consumer<Message> reply) {
        switch (message.kind()) {
            case PROPOSE -> proposals.proposeOther(message.body(), reply);
            case ANNOUNCE -> announceOther(Identity.parse(message.text()), reply);
            case IDENTIFY -> identify(message.text(), reply);
            case MEMBERS, ADD, REMOVE, TRANSFER, JOIN -> administration.handle(message, reply);
            case STATUS -> reply.accept(Message.of(Kind.DONE, status().text()));
            case EXPECT -> reply.accept(verification.expect(message.text()));
            case VERIFY -> proposals.proposeOwn(EntryFormat.verification(message.text()), reply);
            case REPORT -> reply.accept(verification.report(message.text()));
            case COMMITTED -> {
                notices.take(message);
                reply.accept(Message.of(Kind.DONE, ""));
            }
            default -> reply.accept(Message.of(Kind.NOT_DONE, "not a request: " + message));
        }
    }

    private MemberStatus status() {
        if (!isStarted) {
            List<String> waitsFor = admission.waitsFor();
            String role = waitsFor.isEmpty() ? "starting" : "starting (waits for " + String.join(", ", waitsFor) + ")";
            return new MemberStatus(member, role, null, 0, 0, 0, 0);
        }
        return new MemberStatus(
                member,
                isAdded()
                        ? node.getNodeState()
                                .name()
                                .substring("STATE_".length())
                                .toLowerCase(Locale.ROOT)
                        : "not added",
                adapter.leader(),
                adapter.knownTerm(),
                node.getLastLogIndex(),
                node.getLastCommittedIndex(),
                node.getLastAppliedLogIndex());
    }

    /** Returns whether this member has begun a group, or a leader has sent it entries. */
    private boolean isAdded() {
        return !folder.isCandidate()
                && (node.getLastLogIndex() > 0 || !folder.founders().isEmpty());
    }

    /** Ends what has waited too long, and makes this member's id known to the group until it is. */
    private void tick() {
        try {
            standing.look();
            tellRefusal();
            pending.expire(
                    System.nanoTime(),
                    () -> new IOException("no outcome in time: member=" + member + " leader=" + adapter.leader()));
            boolean isKnown = identity.id().equals(known.id(member));
            if (!isKnown && !adapter.isRemoved() && System.nanoTime() - announcedNanos >= ANNOUNCE_NANOS) {
                announce();
            }
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the timer of member " + member + " failed", e);
        }
    }

    /** Tells once that this member refuses the requests of a group. */
    private void tellRefusal() {
        if (!hasToldRefusal && server.hasRefused()) {
            hasToldRefusal = true;
            LOG.log(Level.WARNING, refusal());
        }
    }

    /** Makes this member's id known; whether that has worked is seen by what was applied. */
    private void announce() {
        PeerId leader = adapter.leaderPeer();
        if (leader == null) {
            return;
        }
        announcedNanos = System.nanoTime();
        if (leader.equals(peer)) {
            announceHere(identity, answer -> {});
        } else {
            Message message = Message.of(Kind.ANNOUNCE, identity.text());
            links.send(leader, message, ANNOUNCE_MILLIS, new FutureReply(new CompletableFuture<>()));
        }
    }

    private void announceHere(Identity announced, Consumer<Message> reply) {
        proposals.proposeOwn(EntryFormat.announcement(announced), reply);
    }

    /** Makes the id of another member known; not in the place of one that the group knows, which a removal has it forget. */
    private void announceOther(Identity announced, Consumer<Message> reply) {
        Message refusal = answers.refusal(announced);
        if (refusal == null) {
            announceHere(announced, reply);
        } else {
            reply.accept(refusal);
        }
    }

    /** Finds out whether the group is without a member: its configuration here, once an entry behind that is committed in the same term. */
    private void confirmAbsence(PeerId other, Consumer<Message> told) {
        long term = adapter.leadingTerm();
        List<PeerId> present;
        try {
            present = node.listPeers();
        } catch (IllegalStateException e) { // the leadership has moved
            told.accept(Message.notLeading(node.getLeaderId()));
            return;
        }
        if (present.contains(other)) {
            told.accept(Message.of(Kind.NOT_DONE, "it is a member already: members=" + present));
            return;
        }
        announceHere(identity, committed -> {
            boolean isConfirmed = committed.kind() == Kind.DONE && term != 0 && adapter.leadingTerm() == term;
            told.accept(
                    isConfirmed
                            ? committed
                            : Message.of(Kind.NOT_YET, "no majority confirms that it is none: " + committed.text()));
        });
    }

    /** Answers whether the group knows a member by another id, once this member can say it. */
    private void identify(String question, Consumer<Message> reply) {
        Identity asking = Identity.parse(question.split("\n", 2)[0]);
        executor.execute(() -> {
            if (!isStarted && !wasCandidate) {
                reply.accept(Message.of(Kind.NOT_YET, "member " + member + " is starting"));
            } else if (!isStarted || node.getLastLogIndex() == 0) {
                reply.accept(answers.withoutEntries(question, asking));
            } else { // an earlier state may not have the id yet
                barrier(failure -> executor.execute(() -> reply.accept(answers.withEntries(asking, failure))));
            }
        });
    }

    @Override
    public void barrier(Consumer<@Nullable Throwable> done) {
        CallerStack.require();
        Pending request = pending.add(
                done,
                status -> new IOException("member " + member + " cannot wait for what was committed: leader="
                        + adapter.leader() + ": " + Outcomes.describe(status)),
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2L * BARRIER_MILLIS));
        if (isClosed()) {
            request.tell(new IOException("member " + member + ": " + Outcomes.ended(adapter.failure())));
            return;
        }
        readIndex(request, System.nanoTime());
    }

    /** Asks the leader for its commit index, again for a while: an election or a pause of a member makes a single question fail. */
    private void readIndex(Pending request, long firstNanos) {
        try {
            node.readIndex(NO_CONTEXT, new ReadIndexClosure(BARRIER_MILLIS) {
                @Override
                public void run(Status status, long index, byte[] context) {
                    if (status.isOk() || System.nanoTime() - firstNanos > BARRIER_RETRY_NANOS) {
                        request.run(status);
                    } else {
                        readIndexLater(request, firstNanos, status);
                    }
                }
            });
        } catch (IllegalStateException e) {
            request.tell(new IOException("member " + member + ": " + Outcomes.ended(adapter.failure()), e));
        }
    }

    private void readIndexLater(Pending request, long firstNanos, Status status) {
        try {
            var unused =
                    timer.schedule(() -> readIndex(request, firstNanos), BARRIER_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) { // closed
            request.run(status);
        }
    }

    @Override
    public void snapshot() {
        if (!isClosed()) {
            node.snapshot(status -> {
                boolean isUnderWay = status.getRaftError() == RaftError.EBUSY;
                if (!status.isOk() && !isUnderWay) {
                    LOG.log(Level.WARNING, "member " + member + " took no snapshot: " + Outcomes.describe(status));
                }
            });
        }
    }

    @Override
    public boolean leads() {
        return adapter.leadingTerm() != 0;
    }

    @Override
    public @Nullable String leader() {
        return adapter.leader();
    }

    @Override
    public long term() {
        return adapter.knownTerm();
    }

    @Override
    public String hindrance() {
        if (folder.isCandidate() && server.hasRefused()) {
            return refusal();
        }
        return isAdded()
                ? standing.hindrance()
                : "this member, " + member + ", belongs to no group yet: it has to be added at a member of one";
    }

    private String refusal() {
        return !folder.isCandidate()
                ? "this member, " + member
                        + ", refuses requests of members of another group, which counts on it: remove it at one of them. If it"
                        + " shall be a member of that group, empty its folder then, start it without members and add it"
                : "calls cannot be done: this member, " + member
                        + ", has an empty folder, and is in a group that counts on the one it had before:"
                        + " remove it at another member, then add it";
    }

    /** Returns whether the group knows the id of a member, as far as this member has applied its entries. */
    public boolean knows(String address) {
        return known.id(address) != null;
    }

    private LeaderRequests toLeader() {
        CallerStack.require();
        return new LeaderRequests(
                member,
                adapter,
                links,
                administration,
                options.electionTimeout().multipliedBy(2),
                isClosing::get);
    }

    @Override
    public List<String> members() throws IOException {
        return toLeader().members();
    }

    @Override
    public void transfer(@Nullable String to, Duration timeout) throws IOException {
        toLeader().transfer(to, timeout);
    }

    @Override
    public void add(String added) throws IOException {
        toLeader().add(added);
    }

    @Override
    public void remove(String removed) throws IOException {
        toLeader().remove(removed);
    }

    private boolean isClosed() {
        return isClosing.get() || adapter.isEnded();
    }

    private void closeLater() {
        daemon(this::close, "queue-replicated-close-" + member).start();
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Ends the member; returns when its machine has been told. By the applying thread, which it would wait for, it is ended later. */
    @Override
    public void close() {
        if (adapter.isApplyingThread()) {
            closeLater();
        } else {
            closeParts();
        }
    }

    private synchronized void closeParts() {
        if (!isClosing.compareAndSet(false, true)) {
            return;
        }
        boolean wasInterrupted = Thread.interrupted();
        timer.shutdownNow();
        node.shutdown();
        wasInterrupted |= join();
        storages.close();
        NodeManager.getInstance().removeAddress(peer.getEndpoint());
        settings.nodeEnded();
        if (isStarted) {
            adapter.end(null);
        }
        pending.failAll(() -> Outcomes.endedBefore(member, adapter.failure()));
        links.close();
        server.close();
        executor.shutdown();
        try {
            folder.close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the lock of folder " + options.folder() + " could not be given back", e);
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the node has ended; returns whether the thread was interrupted meanwhile. */
    private boolean join() {
        Thread joining = daemon(this::joinNode, "queue-replicated-join-" + member);
        joining.start();
        boolean wasInterrupted = false;
        long start = System.nanoTime();
        long leftMillis = isStarted ? 0 : JOIN_UNSTARTED_MILLIS; // 0: without limit
        while (joining.isAlive() && leftMillis >= 0) {
            try {
                joining.join(leftMillis);
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
            if (!isStarted) {
                leftMillis = JOIN_UNSTARTED_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                leftMillis = leftMillis == 0 ? -1 : leftMillis;
            }
        }
        return wasInterrupted;
    }

    private void joinNode() {
        try {
            node.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does
        }
    }
}

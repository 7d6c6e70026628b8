package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.core.State;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.entity.LeaderChangeContext;
import com.alipay.sofa.jraft.entity.LocalFileMetaOutter.LocalFileMeta;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.error.RaftException;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import com.google.protobuf.ByteString;
import dev.touchstone.queue.replicated.link.LeaderNews;
import dev.touchstone.queue.replicated.storage.Progress;
import dev.touchstone.queue.replicated.storage.SmallFile;
import dev.touchstone.queue.replication.ReplicatedMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stands between jraft, which calls it, and the machine of the user. */
final class MachineAdapter extends StateMachineAdapter implements Progress {
    /*
     * Who calls:   on*() jraft's applying thread, one for each node; a snapshot is written by a thread of its own; others read the
     *              volatile fields.
     * Invariants:  leads(term) is told when jraft has applied the entry that begins the term, hence all before it. ended() is told once;
     *              after it no method of the machine is called.
     * Leader:      while this member follows, the leader is that of the last heartbeat, if it is recent, as what jraft tells may be behind many
     *              entries; else the one that jraft has told of.
     * Ordering:    jraft tells the end of a leadership through a queue, behind what was committed before, and its beginning in line with the
     *              entries. A leadership that is over when its first entry is applied begins without being told: its end, which was told
     *              before, has nothing to end either.
     * Failure:     whatever apply or load throws ends the member: jraft applies nothing more and the owner closes it. A snapshot that
     *              cannot be written is given up.
     */
    private static final System.Logger LOG = System.getLogger(MachineAdapter.class.getName());

    private final ReplicatedMachine machine;
    private final KnownMembers known;
    private final PeerId own;
    private final String member;
    private final long heardForNanos;
    private final Verification verification;
    private final Runnable failed;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable Node node;
    private volatile Supplier<@Nullable IOException> storageFailure = () -> null;
    private volatile Runnable appliedAsLeader = () -> {};
    private volatile @Nullable Thread applying;
    private volatile @Nullable Throwable failure;
    private volatile long leadingTerm; // 0: does not lead
    private volatile long knownTerm;
    private volatile @Nullable PeerId leader;
    private volatile @Nullable Heard heard; // written under this
    private volatile long appliedIndex;
    private volatile @Nullable CommitNotice committed; // the last entry of the own term that was applied here
    private volatile @Nullable Set<String> configuration; // the last that was committed; null until there is a change

    /** The last message of a leader, and when it came. */
    private record Heard(PeerId leader, LeaderNews news, long nanos) {}

    /**
     * Creates an adapter.
     *
     * @param heardFor time for which a message of a leader says who leads
     * @param failed told once when the member has ended by a failure; must not block
     */
    MachineAdapter(
            ReplicatedMachine machine,
            KnownMembers known,
            PeerId own,
            Duration heardFor,
            Verification verification,
            Runnable failed) {
        this.machine = machine;
        this.known = known;
        this.own = own;
        member = own.toString();
        this.heardForNanos = heardFor.toNanos();
        this.verification = verification;
        this.failed = failed;
    }

    /**
     * Sets the node, before it starts.
     *
     * @param failureOfStorage returns why the log's storage has failed, which jraft does not tell; null if it has not
     * @param appliedWhileLeading told when this member has applied entries of its own term; must not block
     */
    void attach(Node started, Supplier<@Nullable IOException> failureOfStorage, Runnable appliedWhileLeading) {
        node = started;
        storageFailure = failureOfStorage;
        appliedAsLeader = appliedWhileLeading;
    }

    /** Returns the number of this member's leadership, 0 if it does not lead. */
    long leadingTerm() {
        Node current = node;
        return current != null && current.isLeader(false) ? leadingTerm : 0;
    }

    /** Takes what a message of a leader says. Messages of a leader whose term is over are passed. */
    synchronized void hear(LeaderNews news) {
        Heard before = heard;
        if (before == null || news.term() > before.news.term()) {
            PeerId from = new PeerId();
            if (from.parse(news.leader())) {
                heard = new Heard(from, news, System.nanoTime());
            }
        } else if (news.term() == before.news.term()) {
            heard = new Heard(before.leader, news, System.nanoTime());
        }
    }

    /** {@return the index up to which the group has committed entries, as far as a leader has told this member; 0 if none has} */
    @Override
    public long committedIndex() {
        Heard last = heard;
        return last == null ? 0 : last.news.committedIndex();
    }

    @Override
    public long appliedIndex() {
        return appliedIndex;
    }

    /** Returns the last entry of its own term that this member has applied while it leads; null if there is none. */
    @Nullable
    CommitNotice committed() {
        CommitNotice last = committed;
        return last != null && last.term() == leadingTerm() ? last : null;
    }

    long knownTerm() {
        Heard last = heard;
        return last == null ? knownTerm : Math.max(knownTerm, last.news.term());
    }

    /** Returns the leader, or null if none is known. */
    @Nullable
    PeerId leaderPeer() {
        Heard last = heard;
        if (last != null
                && last.news.term() >= knownTerm
                && System.nanoTime() - last.nanos < heardForNanos
                && isFollowing()) {
            return last.leader;
        }
        PeerId told = leader;
        return own.equals(told) && leadingTerm() == 0 ? null : told; // its end may not have been told yet
    }

    private boolean isFollowing() {
        Node current = node;
        return current != null && current.getNodeState() == State.STATE_FOLLOWER && !ended.get();
    }

    /** Returns the leader's address, or null if none is known. */
    @Nullable
    String leader() {
        PeerId peer = leaderPeer();
        return peer == null ? null : peer.toString();
    }

    /** Returns what the member has failed with, or null. */
    @Nullable
    Throwable failure() {
        Throwable told = failure;
        return told == null ? storageFailure.get() : told;
    }

    boolean isEnded() {
        return ended.get();
    }

    /** Returns the addresses of the members as they were committed last; null before this member has applied an entry that names them. */
    @Nullable
    Set<String> members() {
        return configuration;
    }

    /** Returns whether the last change of the members was the removal of this one. */
    boolean isRemoved() {
        Set<String> members = configuration;
        return members != null && !members.contains(member);
    }

    boolean isApplyingThread() {
        return Thread.currentThread().equals(applying);
    }

    @Override
    public void onApply(Iterator entries) {
        applying = Thread.currentThread();
        boolean isOwnTerm = false;
        while (entries.hasNext()) {
            try {
                apply(entries.getIndex(), entries.getData());
            } catch (Throwable e) { // an Error too: the entry may be applied in part
                failure = e;
                entries.setErrorAndRollback(
                        1, new Status(RaftError.ESTATEMACHINE, "%s", "index=" + entries.getIndex() + ": " + e));
                return;
            }
            appliedIndex = entries.getIndex();
            isOwnTerm = entries.getTerm() == leadingTerm;
            if (isOwnTerm) {
                committed = new CommitNotice(own, entries.getTerm(), entries.getIndex());
            }
            Closure done = entries.done();
            if (done != null) {
                done.run(Status.OK());
            }
            entries.next();
        }
        if (isOwnTerm) {
            appliedAsLeader.run();
        }
    }

    private void apply(long index, ByteBuffer data) throws IOException {
        switch (EntryFormat.kind(data)) {
            case EntryFormat.MACHINE -> {
                if (ended.get()) {
                    throw new IOException("the member has ended");
                }
                machine.apply(index, EntryFormat.body(data));
            }
            case EntryFormat.ANNOUNCEMENT -> known.put(Identity.parse(EntryFormat.text(data)));
            case EntryFormat.VERIFICATION -> verification.begin(index, EntryFormat.text(data), machine);
            default ->
                throw new IOException(
                        "unknown kind of entry: kind=" + EntryFormat.kind(data) + " bytes=" + data.remaining());
        }
    }

    @Override
    public void onLeaderStart(long term) {
        applying = Thread.currentThread();
        Node current = node;
        if (ended.get()
                || current == null
                || !current.isLeader(true)) { // under the node's lock: jraft may tell it before it sets its state
            return; // over again: see Ordering
        }
        if (leadingTerm != 0) {
            follow();
        }
        knownTerm = term;
        leader = own;
        leadingTerm = term;
        guarded(() -> machine.leads(term));
    }

    @Override
    public void onLeaderStop(Status status) {
        applying = Thread.currentThread();
        if (leadingTerm != 0 && !ended.get()) {
            leader = null;
            follow();
        }
    }

    private void follow() {
        leadingTerm = 0;
        guarded(machine::follows);
    }

    @Override
    public void onStartFollowing(LeaderChangeContext context) {
        knownTerm = Math.max(knownTerm, context.getTerm());
        leader = context.getLeaderId().copy();
    }

    @Override
    public void onStopFollowing(LeaderChangeContext context) {
        leader = null;
    }

    @Override
    public void onConfigurationCommitted(Configuration changed) {
        Set<String> members = new TreeSet<>();
        for (PeerId peer : changed.getPeers()) {
            members.add(peer.toString());
        }
        configuration = members;
        known.retain(members);
    }

    @Override
    public void onSnapshotSave(SnapshotWriter writer, Closure done) {
        if (ended.get()) {
            done.run(new Status(RaftError.ECANCELED, "the member has ended"));
            return;
        }
        if (!verification.beginCopy()) {
            done.run(new Status(RaftError.EBUSY, "the member is being verified"));
            return;
        }
        try {
            String ids = known.encode();
            ReplicatedMachine.Snapshot snapshot = machine.save();
            Thread thread = new Thread(() -> write(snapshot, ids, writer, done), "queue-replicated-snapshot-" + member);
            thread.setDaemon(true);
            thread.start();
        } catch (Throwable e) { // jraft waits for the closure, also after an Error
            verification.endCopy();
            giveUp(done, e);
        }
    }

    private void write(ReplicatedMachine.Snapshot snapshot, String ids, SnapshotWriter writer, Closure done) {
        Path folder = Path.of(writer.getPath());
        try {
            Path own = Files.createDirectory(folder.resolve(SnapshotFiles.MACHINE));
            snapshot.write(own);
            SmallFile.write(SnapshotFiles.IO, folder.resolve(KnownMembers.FILE), ids);
            SnapshotFiles.force(folder);
            for (Path file : SnapshotFiles.list(own)) {
                add(writer, folder, file);
            }
            add(writer, folder, folder.resolve(KnownMembers.FILE));
        } catch (Throwable e) { // jraft waits for the closure, also after an Error
            giveUp(done, e);
            return;
        } finally {
            verification.endCopy();
        }
        done.run(Status.OK());
    }

    private static void add(SnapshotWriter writer, Path folder, Path file) throws IOException {
        String name = SnapshotFiles.name(folder, file);
        LocalFileMeta meta = LocalFileMeta.newBuilder()
                .setUserMeta(ByteString.copyFromUtf8("bytes=" + Files.size(file)))
                .build();
        if (!writer.addFile(name, meta)) {
            throw new IOException("jraft does not take the file into the snapshot: " + name);
        }
    }

    /** Ends a snapshot without one. The status is none of EIO, with which jraft would end the member. */
    private void giveUp(Closure done, Throwable e) {
        LOG.log(System.Logger.Level.WARNING, "the snapshot of member " + member + " is given up", e);
        done.run(new Status(RaftError.ECANCELED, "%s", "the snapshot is given up: " + e));
    }

    @Override
    public boolean onSnapshotLoad(SnapshotReader reader) {
        applying = Thread.currentThread();
        if (ended.get()) {
            return false;
        }
        try {
            Path folder = Path.of(reader.getPath());
            SnapshotFiles.force(folder);
            known.load(SnapshotFiles.IO, folder.resolve(KnownMembers.FILE));
            machine.load(folder.resolve(SnapshotFiles.MACHINE));
            appliedIndex = reader.load().getLastIncludedIndex();
            return true;
        } catch (Throwable e) { // an Error too: the state may be half of each
            failure = e;
            return false;
        }
    }

    @Override
    public void onError(RaftException e) {
        applying = Thread.currentThread();
        if (failure == null) {
            IOException cause = storageFailure.get();
            failure = cause == null ? e : cause;
        }
        LOG.log(System.Logger.Level.ERROR, "member " + member + " has failed and ends", failure);
        end(failure);
        failed.run();
    }

    @Override
    public void onShutdown() {
        end(failure);
    }

    /** Tells the machine that the member has ended, unless it was told. */
    void end(@Nullable Throwable cause) {
        if (ended.compareAndSet(false, true)) {
            leadingTerm = 0;
            leader = null;
            guarded(() -> machine.ended(cause));
        }
    }

    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (Throwable e) { // also an Error: the applying thread would apply entries again after it
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the machine of member " + member + " failed in a call that must not fail",
                    e);
        }
    }
}

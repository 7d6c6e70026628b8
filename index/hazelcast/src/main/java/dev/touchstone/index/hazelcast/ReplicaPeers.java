package dev.touchstone.index.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IExecutorService;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.spi.exception.TargetNotMemberException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The other members' replicas, as one member asks them. Used by one thread at a time. */
final class ReplicaPeers {
    private static final long STATUS_MILLIS = 2000;

    private final HazelcastInstance here;
    private final String name;
    private final long timeoutMillis;
    private final int maxRecent;
    private final IExecutorService executor;

    /**
     * A snapshot that was loaded.
     *
     * @param position place in the log to which it belongs
     * @param lineage cluster and term of the prices
     * @param recent last entries that counted
     */
    record Loaded(LogPosition position, Replica.Lineage lineage, RecentEntries recent) {}

    ReplicaPeers(HazelcastInstance here, ReplicaOptions options) {
        this.here = here;
        name = options.name();
        timeoutMillis = options.timeout().toMillis();
        maxRecent = options.logEntries();
        executor = here.getExecutorService(name + ".replicas");
    }

    /**
     * The answers of all members.
     *
     * @param byMember status of the replica of each member that has one, the oldest member first
     * @param silence failure of a member that did not answer, though it is one; null if all have answered
     */
    record Statuses(
            Map<Member, ReplicaRequests.Status> byMember,
            @Nullable IOException silence) {
        /** Throws the failure of a member that did not answer. */
        void requireAll() throws IOException {
            if (silence != null) {
                throw silence;
            }
        }
    }

    /** Asks all members for the status of their replicas. */
    Statuses statuses() throws IOException, InterruptedException {
        Map<Member, Future<byte @Nullable []>> asked = new LinkedHashMap<>();
        for (Member member : here.getCluster().getMembers()) {
            asked.put(member, submit(member, ReplicaRequests.Kind.STATUS, new byte[0]));
        }
        Map<Member, ReplicaRequests.Status> statuses = new LinkedHashMap<>();
        IOException silence = null;
        for (Map.Entry<Member, Future<byte @Nullable []>> each : asked.entrySet()) {
            try {
                byte[] answer = answer(each.getKey(), each.getValue(), Math.min(timeoutMillis, STATUS_MILLIS));
                if (answer != null) {
                    statuses.put(each.getKey(), ReplicaRequests.Status.read(input(answer)));
                }
            } catch (IOException e) {
                silence = e;
            }
        }
        return new Statuses(statuses, silence);
    }

    /** Returns the lowest sequence that a live replica has applied, of those that answer; -1 if there is none. */
    long applied() throws InterruptedException {
        try {
            return statuses().byMember().values().stream()
                    .filter(status -> status.state() == ReplicaStatus.State.LIVE)
                    .mapToLong(ReplicaRequests.Status::sequence)
                    .min()
                    .orElse(-1);
        } catch (IOException e) {
            return -1;
        }
    }

    /** Has the replica of a member end to be live if its prices are earlier ones than those of a term and version. */
    void overtake(Member member, long term, long version) throws IOException, InterruptedException {
        byte[] unused = ask(member, ReplicaRequests.Kind.OVERTAKE, out -> {
            out.writeLong(term);
            out.writeLong(version);
        });
    }

    /** Has the replica of a member lead an epoch. */
    void lead(Member member, LogPosition begin, Replica.Lineage lineage) throws IOException, InterruptedException {
        byte[] unused = ask(member, ReplicaRequests.Kind.LEAD, out -> {
            ReplicaRequests.writePosition(begin, out);
            ReplicaRequests.writeLineage(lineage, out);
        });
    }

    /** Loads the snapshot of the replica of a member, whose bytes are written to a stream. */
    Loaded load(Member member, OutputStream target) throws IOException, InterruptedException {
        UUID self = here.getCluster().getLocalMember().getUuid();
        try {
            DataInputStream opened =
                    input(ask(member, ReplicaRequests.Kind.OPEN, out -> ReplicaRequests.writeUuid(self, out)));
            long length = opened.readLong();
            LogPosition position = ReplicaRequests.readPosition(opened);
            Replica.Lineage lineage = ReplicaRequests.readLineage(opened);
            RecentEntries recent = RecentEntries.read(opened, maxRecent);
            long at = 0;
            while (at < length) {
                long offset = at;
                byte[] part = ask(member, ReplicaRequests.Kind.READ, out -> {
                    ReplicaRequests.writeUuid(self, out);
                    out.writeLong(offset);
                });
                if (part.length == 0) {
                    throw new IOException("snapshot became shorter: member=" + member + " offset=" + offset);
                }
                target.write(part);
                at += part.length;
            }
            return new Loaded(position, lineage, recent);
        } finally {
            close(member, self);
        }
    }

    private void close(Member member, UUID self) throws InterruptedException {
        try {
            byte[] unused = ask(member, ReplicaRequests.Kind.CLOSE, out -> ReplicaRequests.writeUuid(self, out));
        } catch (IOException e) {
            // the member closes it when this one leaves or asks anew
        }
    }

    private byte[] ask(Member member, ReplicaRequests.Kind request, ReplicaRequests.Part arguments)
            throws IOException, InterruptedException {
        byte[] answer = answer(member, submit(member, request, ReplicaRequests.bytes(arguments)), timeoutMillis);
        if (answer == null) {
            throw new IOException("member has left, or has no replica: member=" + member);
        }
        return answer;
    }

    @SuppressWarnings("NullAway") // a task answers with null where there is no replica
    private Future<byte @Nullable []> submit(Member member, ReplicaRequests.Kind request, byte[] arguments) {
        return executor.submitToMember(new ReplicaTask(name, request, arguments), member);
    }

    /** Returns an answer; null if the member has left, or has no replica. */
    private static byte @Nullable [] answer(Member member, Future<byte @Nullable []> future, long millis)
            throws IOException, InterruptedException {
        try {
            return future.get(millis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof MemberLeftException || e.getCause() instanceof TargetNotMemberException) {
                return null;
            }
            throw new IOException("member cannot answer: member=" + member + ": " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IOException("member does not answer: member=" + member + " millis=" + millis, e);
        }
    }

    private static DataInputStream input(byte[] answer) {
        return new DataInputStream(new ByteArrayInputStream(answer));
    }
}

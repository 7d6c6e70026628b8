package dev.touchstone.builds.master.client;

import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.master.job.Job;
import dev.touchstone.builds.master.journal.Submitter;
import dev.touchstone.builds.master.rpc.GuestSession;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.v1.Wire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * A connection of a client, and what it is to be told at the end of the turn. The dispatcher's. What it costs while the client does not read is a
 * number for each job, not a message: a result or a list is made when it is sent.
 */
public final class ClientSession extends GuestSession {
    /*
     * Who calls:  the dispatcher; threads of the transport, which open streams, use what `GuestSession` has, and the final fields.
     * Ordering:   a client is told that a job was accepted before it is told its result. Results and lists are made when the stream has room.
     */
    private static final int MAX_WAITING = 256;
    private static final int MAX_ROWS = 16 << 10;
    private static final long MEMORY_OF_A_BYTE = 4; // of messages, most of which are small numbers

    final Caller caller;
    final Submitter submitter;
    final Outlet<Wire.ToClient> outlet;
    private final ArrayDeque<Wire.ToClient> waiting = new ArrayDeque<>();
    private final ArrayDeque<Supplier<Wire.ToClient.Builder>> lists = new ArrayDeque<>();
    private LongArrayList results = new LongArrayList(); // jobs whose results, or absence, are to be told
    private int told; // of these
    /** Jobs of others whose results it waits for. */
    final Set<Long> watched = new HashSet<>();

    private final LongArrayList acceptedNumbers = new LongArrayList();
    private final LongArrayList acceptedJobs = new LongArrayList();
    private final LongArrayList doneNumbers = new LongArrayList();
    private final LongArrayList doneJobs = new LongArrayList();
    private String doneAgent = "";

    ClientSession(long id, Caller caller, long client, Outlet<Wire.ToClient> outlet) {
        super(id);
        this.caller = caller;
        this.submitter = new Submitter(caller.name(), client);
        this.outlet = outlet;
    }

    @Override
    public String name() {
        return caller.name();
    }

    @Override
    protected boolean isOf(Caller other) {
        return caller.equals(other);
    }

    void accepted(Job job) {
        if (acceptedNumbers.size() >= MAX_ROWS) {
            endAccepted();
        }
        acceptedNumbers.add(job.requestNumber);
        acceptedJobs.add(job.number);
    }

    void done(Job job) {
        if (!doneAgent.equals(job.agent) || doneNumbers.size() >= MAX_ROWS) {
            endDone();
            doneAgent = job.agent;
        }
        doneNumbers.add(job.requestNumber);
        doneJobs.add(job.number);
    }

    /** Has the client told how a job ended, or that there is none with this number. */
    void result(long job) {
        results.add(job);
    }

    void tell(Wire.ToClient.Builder message) {
        waiting.add(message.build());
    }

    /** Has the client told something long, which is made when the stream has room for it. */
    void tellLater(Supplier<Wire.ToClient.Builder> list) {
        lists.add(list);
    }

    /** Returns about how many bytes what is to be told takes in memory. */
    long owedBytes() {
        long bytes = (long) Long.BYTES * results.capacity();
        for (Wire.ToClient message : waiting) {
            bytes += MEMORY_OF_A_BYTE * message.getSerializedSize();
        }
        return bytes;
    }

    /** Returns the sessions that are owed most, without which all are owed at most so many bytes. */
    static List<ClientSession> owedTooMuch(Collection<ClientSession> sessions, long mostBytes) {
        List<ClientSession> kept = new ArrayList<>(sessions);
        kept.sort(Comparator.comparingLong(ClientSession::owedBytes));
        long bytes = 0;
        int end = 0;
        while (end < kept.size() && (bytes += kept.get(end).owedBytes()) <= mostBytes) {
            end++;
        }
        return kept.subList(end, kept.size());
    }

    /** Forgets what is to be told. */
    void forget() {
        results = new LongArrayList();
        told = 0;
        waiting.clear();
        lists.clear();
    }

    private void endAccepted() {
        if (!acceptedNumbers.isEmpty()) {
            Wire.Accepted.Builder accepted = Wire.Accepted.newBuilder();
            acceptedNumbers.forEach(accepted::addNumbers);
            acceptedJobs.forEach(accepted::addJobs);
            tell(Wire.ToClient.newBuilder().setAccepted(accepted));
            acceptedNumbers.clear();
            acceptedJobs.clear();
        }
    }

    private void endDone() {
        if (!doneNumbers.isEmpty()) {
            endAccepted();
            Wire.Done.Builder done = Wire.Done.newBuilder().setAgent(doneAgent);
            doneNumbers.forEach(done::addNumbers);
            doneJobs.forEach(done::addJobs);
            tell(Wire.ToClient.newBuilder().setDone(done));
            doneNumbers.clear();
            doneJobs.clear();
        }
    }

    /**
     * Sends what there is; false where the connection takes no more now.
     *
     * @param resultOf makes the message of a job that has ended
     */
    boolean flush(LongFunction<Wire.ToClient.Builder> resultOf) {
        if (!outlet.trySendAll(waiting)) {
            return false;
        }
        endAccepted();
        endDone();
        while (outlet.trySendAll(waiting)) {
            if (!lists.isEmpty()) {
                if (!outlet.hasRoom()) {
                    return false;
                }
                tell(lists.remove().get());
                continue;
            }
            if (results.isEmpty()) {
                return true;
            }
            int end = Math.min(results.size(), told + MAX_WAITING);
            while (told < end) {
                tell(resultOf.apply(results.get(told++)));
            }
            if (2 * told >= results.size()) {
                results.removeFirst(told);
                told = 0;
                results = results.isEmpty() ? new LongArrayList() : results; // which may have become large
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return "client=" + Long.toHexString(submitter.client()) + " token=" + caller;
    }
}

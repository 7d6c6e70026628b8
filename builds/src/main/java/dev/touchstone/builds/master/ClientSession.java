package dev.touchstone.builds.master;

import dev.touchstone.builds.wire.Column;
import dev.touchstone.builds.wire.ToClient;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.util.ArrayDeque;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a client, and what it is to be told at the end of the turn. The dispatcher's. What it costs while the client does not read is a
 * number for each job, not a message: a result is made when it is sent.
 */
final class ClientSession {
    private static final int MAX_WAITING = 256;
    private static final int MAX_ROWS = 16 << 10;

    final long id;
    final long client;
    final Pid pid;
    final Ref monitor;

    int parkedReads; // questions for bytes of logs that do not exist yet; used by the view service only

    private final ArrayDeque<Term> waiting = new ArrayDeque<>();
    private final ArrayDeque<Long> results = new ArrayDeque<>();
    private Column acceptedNumbers = new Column();
    private Column acceptedJobs = new Column();
    private Column doneNumbers = new Column();
    private Column doneJobs = new Column();
    private String doneAgent = "";

    ClientSession(long id, long client, Pid pid, Ref monitor) {
        this.id = id;
        this.client = client;
        this.pid = pid;
        this.monitor = monitor;
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

    void result(Job job) {
        results.add(job.number);
    }

    void tell(ToClient message) {
        waiting.add(message.toTerm());
    }

    private void endAccepted() {
        if (!acceptedNumbers.isEmpty()) {
            tell(new ToClient.Accepted(acceptedNumbers, acceptedJobs));
            acceptedNumbers = new Column();
            acceptedJobs = new Column();
        }
    }

    private void endDone() {
        if (!doneNumbers.isEmpty()) {
            endAccepted();
            tell(new ToClient.Done(doneAgent, doneNumbers, doneJobs));
            doneNumbers = new Column();
            doneJobs = new Column();
        }
    }

    /**
     * Sends what there is; false where the connection takes no more now.
     *
     * @param resultOf the message of a job that has ended, or null if it is not known any more
     */
    boolean flush(Mailbox from, LongFunction<@Nullable ToClient> resultOf) {
        if (!AgentSession.sendAll(from, pid, waiting)) {
            return false;
        }
        endAccepted();
        endDone();
        while (AgentSession.sendAll(from, pid, waiting)) {
            if (results.isEmpty()) {
                return true;
            }
            for (int i = 0; i < MAX_WAITING && !results.isEmpty(); i++) {
                ToClient result = resultOf.apply(results.remove());
                if (result != null) {
                    tell(result);
                }
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return "client=" + Long.toHexString(client);
    }
}

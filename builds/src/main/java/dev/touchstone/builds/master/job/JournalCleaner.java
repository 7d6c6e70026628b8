package dev.touchstone.builds.master.job;

import dev.touchstone.builds.master.journal.Event;
import dev.touchstone.builds.master.journal.Journal;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.RequestMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the journal short: goes through it from the oldest event on, appends again what still matters, and removes the rest when that is on the
 * device. A journal is at most about as long as twice what matters and a constant; and a restart reads no more. The dispatcher's.
 */
public final class JournalCleaner {
    private static final int EVENTS_PER_STEP = 512;
    private static final long CARRIED_BYTES_PER_STEP = 1 << 20;

    private final Jobs jobs;
    private final Journal journal;
    private final long present;
    private final long leastBytes;
    private @Nullable Iterator<byte[]> reader;
    private long at; // sequence of what the reader gives next
    private long end; // of this pass
    private long carriedBytes; // in this pass
    private boolean storing;

    /**
     * Creates a cleaner.
     *
     * @param life the master's present one
     * @param leastBytes appended between two passes, at least
     */
    public JournalCleaner(Jobs jobs, Journal journal, long life, long leastBytes) {
        this.present = life;
        this.jobs = jobs;
        this.journal = journal;
        this.leastBytes = leastBytes;
    }

    /** Begins a pass where one is due, or goes on with one. */
    public void step() {
        if (storing) {
            return;
        }
        if (reader == null && journal.appendedBytes() >= Math.max(leastBytes, 2 * carriedBytes)) {
            reader = journal.iterator();
            at = journal.oldest();
            end = journal.nextSequence();
            carriedBytes = 0;
            journal.cleaned();
        }
        if (reader != null) {
            advance(reader);
        }
    }

    private void advance(Iterator<byte[]> from) {
        List<Event> carried = new ArrayList<>();
        List<Job> moved = new ArrayList<>();
        long bytes = 0;
        int read = 0;
        while (at < end && read < EVENTS_PER_STEP && bytes < CARRIED_BYTES_PER_STEP && from.hasNext()) {
            bytes += carry(Event.decode(ByteBuffer.wrap(from.next())), at, carried, moved);
            at++;
            read++;
        }
        boolean done = at >= end || !from.hasNext();
        int removed = read;
        if (done) {
            reader = null;
        }
        carriedBytes += bytes;
        if (carried.isEmpty()) {
            journal.remove(removed);
            return;
        }
        storing = true;
        journal.append(new Event.Batch(carried), (sequence, failure) -> {
            storing = false;
            if (failure == null) {
                moved.forEach(job -> job.sequence = sequence);
                journal.remove(removed);
            } else {
                reader = null; // another pass begins where this one did
            }
        });
    }

    /** Appends what still matters of an event; returns how many bytes that is, about. */
    private long carry(Event event, long sequence, List<Event> carried, List<Job> moved) {
        if (event instanceof Event.Batch batch) {
            long bytes = 0;
            for (Event part : batch.events()) {
                bytes += carry(part, sequence, carried, moved);
            }
            return bytes;
        }
        if (event instanceof Event.Life life) {
            if (life.number() == present) {
                carried.add(new Event.Life(present, life.prefix(), jobs.nextNumber()));
            }
            return 0;
        }
        return event instanceof Event.Accepted accepted ? carry(accepted, sequence, carried, moved) : 0;
    }

    private long carry(Event.Accepted accepted, long sequence, List<Event> carried, List<Job> moved) {
        LongArrayList numbers = new LongArrayList();
        LongArrayList requestNumbers = new LongArrayList();
        LongArrayList which = new LongArrayList();
        List<RequestMessage> requests = new ArrayList<>();
        int[] places = new int[accepted.requests().size()]; // in `requests`, plus one
        List<byte[]> sealed = new ArrayList<>();
        List<Event> states = new ArrayList<>();
        long bytes = 0;
        for (int row = 0; row < accepted.jobs().size(); row++) {
            Job job = jobs.find(accepted.jobs().get(row));
            if (job == null || job.sequence != sequence) {
                continue;
            }
            int request = (int) accepted.which().get(row);
            if (places[request] == 0) {
                requests.add(accepted.requests().get(request));
                if (accepted.isSealed()) {
                    sealed.add(accepted.sealed().get(request));
                }
                places[request] = requests.size();
                bytes += accepted.requests().get(request).weight();
            }
            numbers.add(job.number);
            requestNumbers.add(job.requestNumber);
            which.add(places[request] - 1);
            moved.add(job);
            states.addAll(stateOf(job));
            bytes += 100;
        }
        if (!numbers.isEmpty()) {
            carried.add(new Event.Accepted(
                    accepted.submitter(), accepted.millis(), requests, numbers, requestNumbers, which, sealed));
            carried.addAll(states);
        }
        return bytes;
    }

    /** Returns the events of a job since it was accepted, in order. */
    private static List<Event> stateOf(Job job) {
        List<Event> events = new ArrayList<>();
        if (job.retryOf > 0) {
            events.add(new Event.Retried(job.number, job.retryOf));
        }
        if (job.isOver()) {
            if (job.state == Job.State.ENDED || job.ending != null) {
                events.add(CompletionTracker.ended(job));
            }
        } else if (job.isLeased()) {
            events.add(new Event.Leased(
                    job.agent,
                    job.agentLife,
                    LongArrayList.of(job.number),
                    LongArrayList.of(job.attempt),
                    LongArrayList.of(job.epoch)));
        } else if (job.attempt > 0) {
            events.add(new Event.Requeued(job.number, job.attempt));
        }
        if (job.outputPending) {
            events.add(new Event.Output(job.number, true));
        }
        if (job.cancelReason != null && !job.isOver()) {
            events.add(new Event.CancelAsked(job.number, job.cancelReason));
        }
        return events;
    }
}

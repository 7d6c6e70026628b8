package dev.touchstone.builds.master.journal;

import com.google.protobuf.UnsafeByteOperations;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.LongArrayList;
import dev.touchstone.builds.wire.RequestMessage;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A record of the journal: a term in the external format. Played in their order, the events make the state; an event of a job that is not known
 * (its earlier events were cleaned away) changes nothing. Immutable.
 */
public sealed interface Event {
    /** Returns the event as a term. */
    Term toTerm();

    /** Returns the bytes of a record. */
    default byte[] encode() {
        return TermWriter.encode(toTerm());
    }

    /**
     * The master has started.
     *
     * @param prefix what the ids of its jobs begin with, from the first life on
     */
    record Life(long number, String prefix, long nextJob) implements Event {
        private static final Atom TAG = Atom.of("life");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(number), Words.text(prefix), Words.number(nextJob));
        }
    }

    /**
     * Requests have become jobs.
     *
     * @param which index in {@code requests} for each job
     * @param sealed for each request its encrypted secrets, whose values are empty in the request then; empty list if nothing is encrypted
     */
    record Accepted(
            Submitter submitter,
            long millis,
            List<RequestMessage> requests,
            LongArrayList jobs,
            LongArrayList numbers,
            LongArrayList which,
            List<byte[]> sealed)
            implements Event {
        private static final Atom TAG = Atom.of("requested");

        /** Creates an event whose secrets, if there are any, are in clear. */
        public Accepted(
                Submitter submitter,
                long millis,
                List<RequestMessage> requests,
                LongArrayList jobs,
                LongArrayList numbers,
                LongArrayList which) {
            this(submitter, millis, requests, jobs, numbers, which, List.of());
        }

        /** Returns whether the secrets are encrypted. */
        public boolean isSealed() {
            return !sealed.isEmpty();
        }

        /** Returns whether some request has secrets. */
        public boolean hasSecrets() {
            for (RequestMessage message : requests) {
                if (!message.request().secretNames().isEmpty()) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public Term toTerm() {
            return Words.message(
                    TAG,
                    submitter.toTerm(),
                    Words.number(millis),
                    Words.binaries(requests, message -> message.bytes().toByteArray()),
                    Words.numbers(jobs),
                    Words.numbers(numbers),
                    Words.numbers(which),
                    Words.binaries(sealed, bytes -> bytes));
        }
    }

    /**
     * Jobs were given to an agent.
     *
     * @param life the agent's, in which it was given them
     */
    record Leased(String agent, long life, LongArrayList jobs, LongArrayList attempts, LongArrayList epochs)
            implements Event {
        private static final Atom TAG = Atom.of("leased");

        @Override
        public Term toTerm() {
            return Words.message(
                    TAG,
                    Words.text(agent),
                    Words.number(life),
                    Words.numbers(jobs),
                    Words.numbers(attempts),
                    Words.numbers(epochs));
        }
    }

    /**
     * A job was taken back from its agent.
     *
     * @param attempt how many count
     */
    record Requeued(long job, int attempt) implements Event {
        private static final Atom TAG = Atom.of("requeued");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(job), Words.number(attempt));
        }
    }

    /** Somebody wants a job cancelled. */
    record CancelAsked(long job, String reason) implements Event {
        private static final Atom TAG = Atom.of("cancel_asked");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(job), Words.text(reason));
        }
    }

    /** A job was made with the request of another. */
    record Retried(long job, long of) implements Event {
        private static final Atom TAG = Atom.of("retried");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(job), Words.number(of));
        }
    }

    /** A job has ended. */
    record Ended(long job, long millis, Ending ending) implements Event {
        private static final Atom TAG = Atom.of("ended");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(job), Words.number(millis), EndingTerms.toTerm(ending));
        }
    }

    /** Noops have succeeded. */
    record Done(String agent, long millis, LongArrayList jobs) implements Event {
        private static final Atom TAG = Atom.of("done");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.text(agent), Words.number(millis), Words.numbers(jobs));
        }
    }

    /** A job has ended, and its output is not yet where it is to be, or is by now. */
    record Output(long job, boolean pending) implements Event {
        private static final Atom TAG = Atom.of("output");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(job), Words.flag(pending));
        }
    }

    /** Several events in one record: all of them are there after a crash, or none. */
    record Batch(List<Event> events) implements Event {
        private static final Atom TAG = Atom.of("batch");

        @Override
        public Term toTerm() {
            Term[] terms = events.stream().map(Event::toTerm).toArray(Term[]::new);
            return Words.message(TAG, ErlList.wrap(terms, ErlList.EMPTY));
        }
    }

    /**
     * Returns the event of a record, and decodes its requests, too.
     *
     * @throws RuntimeException if it is none
     */
    static Event decodeWhole(ByteBuffer payload) {
        Event event = decode(payload);
        decodeRequests(event);
        return event;
    }

    private static void decodeRequests(Event event) {
        if (event instanceof Batch batch) {
            batch.events().forEach(Event::decodeRequests);
        } else if (event instanceof Accepted accepted) {
            accepted.requests().forEach(RequestMessage::request);
        }
    }

    /**
     * Returns the event of a record; its requests are decoded when they are looked at.
     *
     * @throws RuntimeException if it is none
     */
    static Event decode(ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        return parse(TermReader.decode(bytes));
    }

    private static Accepted accepted(Fields fields) {
        Submitter submitter = Submitter.fromTerm(fields.term());
        long millis = fields.natural();
        List<RequestMessage> requests = new ArrayList<>();
        for (byte[] bytes : fields.binaries(Integer.MAX_VALUE)) {
            requests.add(RequestMessage.of(UnsafeByteOperations.unsafeWrap(bytes))); // nobody else has the array
        }
        return accepted(fields, submitter, millis, requests, true);
    }

    /** Returns the event as it was written before 0.1.0, where requests were terms. */
    private static Accepted acceptedTerms(Fields fields, boolean isSealed) {
        Submitter submitter = Submitter.fromTerm(fields.term());
        long millis = fields.natural();
        List<RequestMessage> requests = RequestTerms.fromTerms(fields.list(Integer.MAX_VALUE)).stream()
                .map(RequestMessage::of)
                .toList();
        return accepted(fields, submitter, millis, requests, isSealed);
    }

    private static Accepted accepted(
            Fields fields, Submitter submitter, long millis, List<RequestMessage> requests, boolean maySeal) {
        LongArrayList jobs = fields.column(0);
        LongArrayList numbers = fields.column(jobs, 0, Long.MAX_VALUE);
        LongArrayList which = fields.column(jobs, 0, requests.size() - 1L);
        List<byte[]> sealed = maySeal ? fields.binaries(requests.size()) : List.of();
        if (!sealed.isEmpty() && sealed.size() != requests.size()) {
            throw new IllegalArgumentException(
                    "accepted: expected secrets of requests=" + requests.size() + " got=" + sealed.size());
        }
        return new Accepted(submitter, millis, requests, jobs, numbers, which, sealed);
    }

    private static Event parse(Term term) {
        String tag = Fields.tag(term);
        Tuple tuple = (Tuple) term;
        switch (tag) {
            case "life" -> {
                Fields fields = Fields.of(tuple, 4);
                return new Life(fields.natural(), fields.text(), fields.natural());
            }
            case "requested" -> {
                return accepted(Fields.of(tuple, 8));
            }
            case "accepted" -> {
                return acceptedTerms(Fields.of(tuple, 7), false);
            }
            case "accepted_sealed" -> {
                return acceptedTerms(Fields.of(tuple, 8), true);
            }
            case "leased" -> {
                Fields fields = Fields.of(tuple, 6);
                String agent = fields.text();
                long life = fields.natural();
                LongArrayList jobs = fields.column(0);
                LongArrayList attempts = fields.column(jobs, 0, Integer.MAX_VALUE);
                return new Leased(agent, life, jobs, attempts, fields.column(jobs, 0, Long.MAX_VALUE));
            }
            case "requeued" -> {
                Fields fields = Fields.of(tuple, 3);
                return new Requeued(fields.natural(), fields.count(Integer.MAX_VALUE));
            }
            case "cancel_asked" -> {
                Fields fields = Fields.of(tuple, 3);
                return new CancelAsked(fields.natural(), fields.text());
            }
            case "retried" -> {
                Fields fields = Fields.of(tuple, 3);
                return new Retried(fields.natural(), fields.natural());
            }
            case "ended" -> {
                Fields fields = Fields.of(tuple, 4);
                return new Ended(fields.natural(), fields.natural(), EndingTerms.fromTerm(fields.term()));
            }
            case "done" -> {
                Fields fields = Fields.of(tuple, 4);
                return new Done(fields.text(), fields.natural(), fields.column(0));
            }
            case "output" -> {
                Fields fields = Fields.of(tuple, 3);
                return new Output(fields.natural(), fields.flag());
            }
            case "batch" -> {
                ErlList terms = Fields.of(tuple, 2).list(Integer.MAX_VALUE);
                List<Event> events = new ArrayList<>(terms.size());
                for (int i = 0; i < terms.size(); i++) {
                    events.add(parse(terms.get(i)));
                }
                return new Batch(events);
            }
            default -> throw Fields.unknown(term);
        }
    }
}

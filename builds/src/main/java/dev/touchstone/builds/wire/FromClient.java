package dev.touchstone.builds.wire;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.List;

/** What a client tells the master. Each message but the first names the session that the master opened for it. */
public sealed interface FromClient {
    /** Most bytes that are read of a log at once. */
    int MAX_READ = 256 << 10;

    /** The message as a term. */
    Term toTerm();

    /**
     * A client comes, or comes again.
     *
     * @param client stays the same when the client connects again
     */
    record Hello(long version, Pid pid, long client, String name) implements FromClient {
        static final Atom TAG = Atom.of("client_hello");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(version), pid, Words.number(client), Words.text(name));
        }
    }

    /**
     * Several requests.
     *
     * @param again whether some of them may have been submitted before
     * @param requests the different ones among them
     * @param numbers the client's number of each
     * @param which of the different ones each is
     */
    record Submit(long session, boolean again, List<BuildRequest> requests, Column numbers, Column which)
            implements FromClient {
        static final Atom TAG = Atom.of("submit");

        @Override
        public Term toTerm() {
            return Words.message(
                    TAG,
                    Words.number(session),
                    Words.flag(again),
                    Requests.toTerms(requests),
                    Words.numbers(numbers),
                    Words.numbers(which));
        }
    }

    /**
     * Asks for a job's end.
     *
     * @param ask the client's number of this question
     */
    record Cancel(long session, long ask, long job, String reason) implements FromClient {
        static final Atom TAG = Atom.of("cancel");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(session), Words.number(ask), Words.number(job), Words.text(reason));
        }
    }

    /** Asks for the results of jobs, when there are any. */
    record Watch(long session, Column jobs) implements FromClient {
        static final Atom TAG = Atom.of("watch");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(session), Words.numbers(jobs));
        }
    }

    /** Asks for the bytes of a log from an offset on, when there are any. */
    record Read(long session, long ask, long job, long offset, int most) implements FromClient {
        static final Atom TAG = Atom.of("read");

        @Override
        public Term toTerm() {
            return Words.message(
                    TAG,
                    Words.number(session),
                    Words.number(ask),
                    Words.number(job),
                    Words.number(offset),
                    Words.number(most));
        }
    }

    /** Asks where a job is. */
    record Ask(long session, long ask, long job) implements FromClient {
        static final Atom TAG = Atom.of("ask");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(session), Words.number(ask), Words.number(job));
        }
    }

    /** Whether a message is one of these, or none at all. */
    static boolean isOne(Term term) {
        return switch (Fields.tag(term)) {
            case "client_hello", "submit", "cancel", "watch", "read", "ask" -> true;
            default -> false;
        };
    }

    /**
     * The message that a term is.
     *
     * @throws WireException if it is none
     */
    static FromClient parse(Term term) {
        String tag = Fields.tag(term);
        Tuple tuple = (Tuple) term;
        return switch (tag) {
            case "client_hello" -> {
                Fields fields = Versions.hello(tuple, 5);
                yield new Hello(Versions.CURRENT, fields.pid(), fields.natural(), fields.text(256));
            }
            case "submit" -> submit(Fields.of(tuple, 6));
            case "cancel" -> {
                Fields fields = Fields.of(tuple, 5);
                yield new Cancel(fields.natural(), fields.natural(), fields.natural(), fields.text(1024));
            }
            case "watch" -> {
                Fields fields = Fields.of(tuple, 3);
                yield new Watch(fields.natural(), fields.column(0));
            }
            case "read" -> {
                Fields fields = Fields.of(tuple, 6);
                yield new Read(fields.natural(), fields.natural(), fields.natural(), fields.natural(), (int)
                        fields.number(1, MAX_READ));
            }
            case "ask" -> {
                Fields fields = Fields.of(tuple, 4);
                yield new Ask(fields.natural(), fields.natural(), fields.natural());
            }
            default -> throw Fields.unknown(term);
        };
    }

    private static Submit submit(Fields fields) {
        long session = fields.natural();
        boolean again = fields.flag();
        ErlList terms = fields.list(Fields.MAX_ROWS);
        List<BuildRequest> requests = Requests.fromTerms(terms);
        Column numbers = fields.column(0);
        return new Submit(session, again, requests, numbers, fields.column(numbers, 0, requests.size() - 1L));
    }
}

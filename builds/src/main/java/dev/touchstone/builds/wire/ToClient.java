package dev.touchstone.builds.wire;

import dev.touchstone.builds.BuildStatus;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.Arrays;
import java.util.List;

/** What the master tells a client. */
public sealed interface ToClient {
    /** The message as a term. */
    Term toTerm();

    /**
     * The client is known to the master now.
     *
     * @param master what the ids of this master's jobs begin with
     * @param control where all messages but questions for logs go from now on
     * @param views where those go
     */
    record Welcome(long version, long session, String master, Pid control, Pid views) implements ToClient {
        static final Atom TAG = Atom.of("client_welcome");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(version), Words.number(session), Words.text(master), control, views);
        }
    }

    /** The end of a session, or none was opened. */
    record Refused(int code, String reason) implements ToClient {
        @Override
        public Term toTerm() {
            return Words.message(Refusals.TAG, Words.number(code), Words.text(reason));
        }
    }

    /** Requests that have become jobs, for good if they are durable. */
    record Accepted(Column numbers, Column jobs) implements ToClient {
        static final Atom TAG = Atom.of("accepted");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.numbers(numbers), Words.numbers(jobs));
        }
    }

    /** Requests that have not. */
    record Rejected(Column numbers, int code, String reason) implements ToClient {
        static final Atom TAG = Atom.of("rejected");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.numbers(numbers), Words.number(code), Words.text(reason));
        }
    }

    /** Requests that were nothing to do, and of which nothing is kept: all succeeded at the first attempt. */
    record Done(String agent, Column numbers, Column jobs) implements ToClient {
        static final Atom TAG = Atom.of("done");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.text(agent), Words.numbers(numbers), Words.numbers(jobs));
        }
    }

    /** How a job ended. */
    record Result(long job, Ending ending) implements ToClient {
        static final Atom TAG = Atom.of("result");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(job), ending.toTerm());
        }
    }

    /** A watched job that the master does not know. */
    record Unknown(long job) implements ToClient {
        static final Atom TAG = Atom.of("unknown");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(job));
        }
    }

    /**
     * Bytes of a log.
     *
     * @param last whether none will come behind them
     */
    record Chunk(long ask, long offset, Binary bytes, boolean last) implements ToClient {
        static final Atom TAG = Atom.of("chunk");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(ask), Words.number(offset), bytes, Words.flag(last));
        }
    }

    /** A question that could not be answered. */
    record Failed(long ask, int code, String reason) implements ToClient {
        static final Atom TAG = Atom.of("failed");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(ask), Words.number(code), Words.text(reason));
        }
    }

    /** Whether a job could be cancelled. */
    record Cancelled(long ask, boolean was) implements ToClient {
        static final Atom TAG = Atom.of("cancelled");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(ask), Words.flag(was));
        }
    }

    /**
     * Where a job is.
     *
     * @param ending how it ended, if it has: one or none
     */
    record Status(
            long ask,
            BuildStatus.Phase phase,
            String reason,
            String agent,
            int attempt,
            long acceptedMillis,
            long logBytes,
            String output,
            List<Ending> ending)
            implements ToClient {
        static final Atom TAG = Atom.of("status");
        private static final BuildStatus.Phase[] PHASES = BuildStatus.Phase.values();

        @Override
        public Term toTerm() {
            return Words.message(
                    TAG,
                    Words.number(ask),
                    Words.number(Arrays.asList(PHASES).indexOf(phase)),
                    Words.text(reason),
                    Words.text(agent),
                    Words.number(attempt),
                    Words.number(acceptedMillis),
                    Words.number(logBytes),
                    Words.text(output),
                    ErlList.wrap(ending.stream().map(Ending::toTerm).toArray(Term[]::new), ErlList.EMPTY));
        }

        static Status read(Fields fields) {
            return new Status(
                    fields.natural(),
                    PHASES[fields.count(PHASES.length - 1)],
                    fields.text(),
                    fields.text(),
                    fields.count(Integer.MAX_VALUE),
                    fields.natural(),
                    fields.natural(),
                    fields.text(),
                    fields.list(1).asList().stream().map(Ending::read).toList());
        }
    }

    /**
     * The message that a term is.
     *
     * @throws WireException if it is none
     */
    static ToClient parse(Term term) {
        String tag = Fields.tag(term);
        Tuple tuple = (Tuple) term;
        return switch (tag) {
            case "client_welcome" -> {
                Fields fields = Versions.hello(tuple, 6);
                yield new Welcome(Versions.CURRENT, fields.natural(), fields.text(64), fields.pid(), fields.pid());
            }
            case "refused" -> {
                Fields fields = Fields.of(tuple, 3);
                yield new Refused(fields.count(255), fields.text());
            }
            case "rejected" -> {
                Fields fields = Fields.of(tuple, 4);
                yield new Rejected(fields.column(0), fields.count(255), fields.text());
            }
            case "result" -> {
                Fields fields = Fields.of(tuple, 3);
                yield new Result(fields.natural(), Ending.read(fields.term()));
            }
            case "unknown" -> new Unknown(Fields.of(tuple, 2).natural());
            case "chunk" -> {
                Fields fields = Fields.of(tuple, 5);
                yield new Chunk(fields.natural(), fields.natural(), fields.bytes(FromClient.MAX_READ), fields.flag());
            }
            case "failed" -> {
                Fields fields = Fields.of(tuple, 4);
                yield new Failed(fields.natural(), fields.count(255), fields.text());
            }
            case "cancelled" -> {
                Fields fields = Fields.of(tuple, 3);
                yield new Cancelled(fields.natural(), fields.flag());
            }
            case "status" -> Status.read(Fields.of(tuple, 10));
            default -> columns(tag, tuple);
        };
    }

    private static ToClient columns(String tag, Tuple tuple) {
        if (tag.equals("accepted")) {
            Fields fields = Fields.of(tuple, 3);
            Column numbers = fields.column(0);
            return new Accepted(numbers, fields.column(numbers, 0, Long.MAX_VALUE));
        }
        if (tag.equals("done")) {
            Fields fields = Fields.of(tuple, 4);
            String agent = fields.text();
            Column numbers = fields.column(0);
            return new Done(agent, numbers, fields.column(numbers, 0, Long.MAX_VALUE));
        }
        throw Fields.unknown(tuple);
    }
}

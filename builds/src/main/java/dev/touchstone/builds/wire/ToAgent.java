package dev.touchstone.builds.wire;

import dev.touchstone.builds.BuildRequest;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.List;

/** What the master tells an agent. */
public sealed interface ToAgent {
    /** Bytes of a log that may be on their way to the master. */
    long WINDOW = 512 << 10;

    /** The message as a term. */
    Term toTerm();

    /**
     * The agent is one of the master's now.
     *
     * @param master what the ids of this master's jobs begin with
     * @param control where all messages but logs go from now on
     * @param logs where logs go
     */
    record Welcome(long version, long session, String master, Pid control, Pid logs) implements ToAgent {
        static final Atom TAG = Atom.of("agent_welcome");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(version), Words.number(session), Words.text(master), control, logs);
        }
    }

    /** The end of a session, or none was opened. */
    record Refused(int code, String reason) implements ToAgent {
        @Override
        public Term toTerm() {
            return Words.message(Refusals.TAG, Words.number(code), Words.text(reason));
        }
    }

    /**
     * Attempts to begin.
     *
     * @param requests the different ones among theirs
     * @param which of the different ones each has
     * @param newest number of the newest job that the master had been given when it said this: the agent knows from then on that all up to it were
     */
    record Assign(List<BuildRequest> requests, Column jobs, Column attempts, Column epochs, Column which, long newest)
            implements ToAgent {
        static final Atom TAG = Atom.of("assign");

        @Override
        public Term toTerm() {
            return Words.message(
                    TAG,
                    Requests.toTerms(requests),
                    Words.numbers(jobs),
                    Words.numbers(attempts),
                    Words.numbers(epochs),
                    Words.numbers(which),
                    Words.number(newest));
        }
    }

    /** An attempt is to be ended. */
    record Cancel(long job, int attempt, long epoch, String reason) implements ToAgent {
        static final Atom TAG = Atom.of("cancel");

        @Override
        public Term toTerm() {
            return Words.message(
                    TAG, Words.number(job), Words.number(attempt), Words.number(epoch), Words.text(reason));
        }
    }

    /** The master has the log's bytes up to an offset: it is to be sent from there on, with a whole window. */
    record Resume(long job, int attempt, long epoch, long offset) implements ToAgent {
        static final Atom TAG = Atom.of("resume");

        @Override
        public Term toTerm() {
            return Words.message(
                    TAG, Words.number(job), Words.number(attempt), Words.number(epoch), Words.number(offset));
        }
    }

    /** Logs may be sent up to these offsets. */
    record Credit(Column jobs, Column epochs, Column offsets) implements ToAgent {
        static final Atom TAG = Atom.of("credit");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.numbers(jobs), Words.numbers(epochs), Words.numbers(offsets));
        }
    }

    /** The master has all of these attempts. */
    record Forget(Column jobs, Column attempts, Column epochs) implements ToAgent {
        static final Atom TAG = Atom.of("forget");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.numbers(jobs), Words.numbers(attempts), Words.numbers(epochs));
        }
    }

    /** An attempt that the agent has is none of its any more: to be ended if it runs, and forgotten. */
    record Drop(String job, int attempt, long epoch, String reason) implements ToAgent {
        static final Atom TAG = Atom.of("drop");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.text(job), Words.number(attempt), Words.number(epoch), Words.text(reason));
        }
    }

    /**
     * The message that a term is.
     *
     * @throws WireException if it is none
     */
    static ToAgent parse(Term term) {
        String tag = Fields.tag(term);
        Tuple tuple = (Tuple) term;
        return switch (tag) {
            case "agent_welcome" -> {
                Fields fields = Versions.hello(tuple, 6);
                yield new Welcome(Versions.CURRENT, fields.natural(), fields.text(64), fields.pid(), fields.pid());
            }
            case "refused" -> {
                Fields fields = Fields.of(tuple, 3);
                yield new Refused(fields.count(255), fields.text());
            }
            case "cancel" -> {
                Fields fields = Fields.of(tuple, 5);
                yield new Cancel(
                        fields.natural(), fields.count(Integer.MAX_VALUE), fields.natural(), fields.text(1024));
            }
            case "resume" -> {
                Fields fields = Fields.of(tuple, 5);
                yield new Resume(fields.natural(), fields.count(Integer.MAX_VALUE), fields.natural(), fields.natural());
            }
            case "drop" -> {
                Fields fields = Fields.of(tuple, 5);
                yield new Drop(fields.text(256), fields.count(Integer.MAX_VALUE), fields.natural(), fields.text(1024));
            }
            default -> columns(tag, tuple);
        };
    }

    private static ToAgent columns(String tag, Tuple tuple) {
        switch (tag) {
            case "assign" -> {
                Fields fields = Fields.of(tuple, 7);
                List<BuildRequest> requests = Requests.fromTerms(fields.list(Fields.MAX_ROWS));
                Column jobs = fields.column(0);
                return new Assign(
                        requests,
                        jobs,
                        fields.column(jobs, 1, Integer.MAX_VALUE),
                        fields.column(jobs, 0, Long.MAX_VALUE),
                        fields.column(jobs, 0, requests.size() - 1L),
                        fields.natural());
            }
            case "credit" -> {
                Fields fields = Fields.of(tuple, 4);
                Column jobs = fields.column(0);
                return new Credit(jobs, fields.column(jobs, 0, Long.MAX_VALUE), fields.column(jobs, 0, Long.MAX_VALUE));
            }
            case "forget" -> {
                Fields fields = Fields.of(tuple, 4);
                Column jobs = fields.column(0);
                return new Forget(
                        jobs, fields.column(jobs, 1, Integer.MAX_VALUE), fields.column(jobs, 0, Long.MAX_VALUE));
            }
            default -> throw Fields.unknown(tuple);
        }
    }
}

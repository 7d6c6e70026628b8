package dev.touchstone.builds.wire;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.ArrayList;
import java.util.List;

/** What an agent tells the master. Each message but the first names the session that the master opened for it. */
public sealed interface FromAgent {
    /** Most bytes of a log in one message. */
    int MAX_LOG = 64 << 10;

    /** Most labels, and most runners. */
    int MAX_NAMES = 256;

    /** The message as a term. */
    Term toTerm();

    /**
     * An agent comes, or comes again.
     *
     * @param identity unique among the agents of a master, and the same when the agent starts again
     * @param life another number each time the agent's process starts
     * @param held jobs that the agent has, running or ended, of this life or an earlier one
     */
    record Hello(
            long version,
            Pid pid,
            String identity,
            long life,
            List<String> labels,
            List<String> runners,
            int executors,
            List<Held> held)
            implements FromAgent {
        static final Atom TAG = Atom.of("agent_hello");

        @Override
        public Term toTerm() {
            Term[] jobs = held.stream().map(Held::toTerm).toArray(Term[]::new);
            return Words.message(
                    TAG,
                    Words.number(version),
                    pid,
                    Words.text(identity),
                    Words.number(life),
                    Words.texts(labels),
                    Words.texts(runners),
                    Words.number(executors),
                    ErlList.wrap(jobs, ErlList.EMPTY));
        }

        static Hello read(Fields fields) {
            Pid pid = fields.pid();
            String identity = fields.text(64);
            long life = fields.natural();
            List<String> labels = List.of(fields.texts(MAX_NAMES, 64));
            List<String> runners = List.of(fields.texts(MAX_NAMES, 64));
            int executors = (int) fields.number(1, 10_000);
            ErlList jobs = fields.list(Fields.MAX_ROWS);
            List<Held> held = new ArrayList<>(jobs.size());
            for (int i = 0; i < jobs.size(); i++) {
                held.add(Held.read(jobs.get(i)));
            }
            return new Hello(Versions.CURRENT, pid, identity, life, labels, runners, executors, held);
        }
    }

    /**
     * A job that an agent has.
     *
     * @param job its id, which may be another master's
     * @param alive whether it runs, or its outcome is known
     */
    record Held(String job, int attempt, long epoch, boolean alive) {
        Term toTerm() {
            return Tuple.of(Words.text(job), Words.number(attempt), Words.number(epoch), Words.flag(alive));
        }

        static Held read(Term term) {
            Fields fields = Fields.untagged("held job", term, 4);
            return new Held(fields.text(256), fields.count(Integer.MAX_VALUE), fields.natural(), fields.flag());
        }
    }

    /** What an attempt does now: one word. */
    record Stage(long session, long job, int attempt, long epoch, String stage) implements FromAgent {
        static final Atom TAG = Atom.of("stage");

        @Override
        public Term toTerm() {
            return Words.message(
                    TAG,
                    Words.number(session),
                    Words.number(job),
                    Words.number(attempt),
                    Words.number(epoch),
                    Words.text(stage));
        }
    }

    /** Attempts that were nothing to do, and that succeeded. */
    record Noops(long session, Column jobs, Column epochs) implements FromAgent {
        static final Atom TAG = Atom.of("noops");

        @Override
        public Term toTerm() {
            return Words.message(TAG, Words.number(session), Words.numbers(jobs), Words.numbers(epochs));
        }
    }

    /** How an attempt ended; the log follows, or is there. The ending's attempts and agent say nothing yet. */
    record Finished(long session, long job, int attempt, long epoch, Ending ending) implements FromAgent {
        static final Atom TAG = Atom.of("finished");

        @Override
        public Term toTerm() {
            return Words.message(
                    TAG,
                    Words.number(session),
                    Words.number(job),
                    Words.number(attempt),
                    Words.number(epoch),
                    ending.toTerm());
        }
    }

    /** Bytes of a log; goes to the master's mailbox for logs. */
    record Log(long session, long job, int attempt, long epoch, long offset, Binary bytes) implements FromAgent {
        static final Atom TAG = Atom.of("log");

        @Override
        public Term toTerm() {
            return Words.message(
                    TAG,
                    Words.number(session),
                    Words.number(job),
                    Words.number(attempt),
                    Words.number(epoch),
                    Words.number(offset),
                    bytes);
        }
    }

    /**
     * The message that a term is.
     *
     * @throws WireException if it is none
     */
    static FromAgent parse(Term term) {
        String tag = Fields.tag(term);
        Tuple tuple = (Tuple) term;
        return switch (tag) {
            case "agent_hello" -> Hello.read(Versions.hello(tuple, 9));
            case "stage" -> {
                Fields fields = Fields.of(tuple, 6);
                yield new Stage(
                        fields.natural(),
                        fields.natural(),
                        fields.count(Integer.MAX_VALUE),
                        fields.natural(),
                        fields.text(64));
            }
            case "noops" -> {
                Fields fields = Fields.of(tuple, 4);
                long session = fields.natural();
                Column jobs = fields.column(0);
                yield new Noops(session, jobs, fields.column(jobs, 0, Long.MAX_VALUE));
            }
            case "finished" -> {
                Fields fields = Fields.of(tuple, 6);
                yield new Finished(
                        fields.natural(),
                        fields.natural(),
                        fields.count(Integer.MAX_VALUE),
                        fields.natural(),
                        Ending.read(fields.term()));
            }
            case "log" -> {
                Fields fields = Fields.of(tuple, 7);
                yield new Log(
                        fields.natural(),
                        fields.natural(),
                        fields.count(Integer.MAX_VALUE),
                        fields.natural(),
                        fields.natural(),
                        fields.bytes(MAX_LOG));
            }
            default -> throw Fields.unknown(term);
        };
    }
}

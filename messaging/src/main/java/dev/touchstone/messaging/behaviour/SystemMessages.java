package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The answers to requests of Erlang's module {@code sys} to one server. Confined to the server's thread. */
final class SystemMessages {
    static final Atom TERMINATE = Atom.of("terminate");

    private static final Atom DATA = Atom.of("data");
    private static final Atom GEN_SERVER = Atom.of("gen_server");
    private static final Atom GET_STATE = Atom.of("get_state");
    private static final Atom GET_STATUS = Atom.of("get_status");
    private static final Atom HEADER = Atom.of("header");
    private static final Atom INITIAL_CALL = Atom.of("$initial_call");
    private static final Atom ANCESTORS = Atom.of("$ancestors");
    private static final Atom MODULE = Atom.of("module");
    private static final Atom REPLACE_STATE = Atom.of("replace_state");
    private static final Atom RESUME = Atom.of("resume");
    private static final Atom RUNNING = Atom.of("running");
    private static final Atom STATUS = Atom.of("status");
    private static final Atom SUSPEND = Atom.of("suspend");
    private static final Atom SUSPENDED = Atom.of("suspended");
    private static final Atom SYSTEM_LIMIT = Atom.of("system_limit");
    private static final Atom UNKNOWN = Atom.of("unknown_system_msg");
    private static final Atom UNSUPPORTED = Atom.of("unsupported");

    private final GenServer server;
    private final Mailbox mailbox;
    private final @Nullable Pid parent;
    private boolean suspended;

    SystemMessages(GenServer server, Mailbox mailbox, @Nullable Pid parent) {
        this.server = server;
        this.mailbox = mailbox;
        this.parent = parent;
    }

    boolean isSuspended() {
        return suspended;
    }

    /** Answers a request; returns the reason to end with, or null to go on. */
    @Nullable
    Term handle(Term caller, Term request) {
        From from = From.of(mailbox, caller, server.waitsToReply());
        if (request.equals(GET_STATE) || request.equals(GET_STATUS)) {
            replyShown(from, request);
        } else if (request.equals(SUSPEND) || request.equals(RESUME)) {
            suspended = request.equals(SUSPEND);
            from.reply(Atom.OK);
        } else if (request instanceof Tuple tuple && tuple.is(TERMINATE, 2)) {
            from.reply(Atom.OK);
            return tuple.get(1);
        } else {
            from.reply(Tuple.of(Atom.ERROR, refusal(request)));
        }
        return null;
    }

    private void replyShown(From from, Term request) {
        Term shown = shown(request);
        try {
            from.reply(shown);
        } catch (IllegalArgumentException tooLarge) { // for any frame
            from.reply(failed(request, SYSTEM_LIMIT));
        }
    }

    /** Returns the state or the status; an error where the server's code fails, since a look at the state must not end the server. */
    private Term shown(Term request) {
        try {
            Term shown = request.equals(GET_STATE) ? server.state() : status();
            return Objects.requireNonNull(shown, "state() has returned null");
        } catch (RuntimeException | StackOverflowError e) {
            return failed(request, Binary.of(e.toString()));
        }
    }

    private static Term failed(Term request, Term cause) {
        return Tuple.of(Atom.ERROR, Tuple.of(request, cause));
    }

    private Term refusal(Term request) {
        if (request instanceof Tuple tuple && tuple.is(REPLACE_STATE, 2)) {
            String cause = "the state of a server in Java cannot be replaced by a fun of Erlang";
            return Tuple.of(UNSUPPORTED, REPLACE_STATE, ErlList.string(cause));
        }
        return Tuple.of(UNKNOWN, request);
    }

    private Term status() {
        Atom type = Atom.of(server.getClass().getName());
        Pid above = parent == null
                ? mailbox.pid()
                : parent; // a server that was started alone is its own parent, as OTP has it
        Term dictionary = ErlList.of(
                Tuple.of(INITIAL_CALL, Tuple.of(type, Atom.of("init"), Int.of(1))),
                Tuple.of(ANCESTORS, parent == null ? ErlList.EMPTY : ErlList.of(parent)));
        Atom state = suspended ? SUSPENDED : RUNNING;
        String shown = mailbox.name().orElse(mailbox.pid().toString());
        Term details = ErlList.of(
                Tuple.of(HEADER, ErlList.string("Status for generic server " + shown)),
                Tuple.of(
                        DATA,
                        ErlList.of(
                                Tuple.of(ErlList.string("Status"), state),
                                Tuple.of(ErlList.string("Parent"), above),
                                Tuple.of(ErlList.string("Logged events"), ErlList.EMPTY))),
                Tuple.of(DATA, ErlList.of(Tuple.of(ErlList.string("State"), server.state()))));
        return Tuple.of(
                STATUS,
                mailbox.pid(),
                Tuple.of(MODULE, GEN_SERVER),
                ErlList.of(dictionary, state, above, ErlList.EMPTY, details));
    }
}

package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;

/**
 * Writes the frames of one connection, each a control tuple and for some operations a message behind it. Not thread-safe.
 *
 * @see FrameFormat
 */
public final class FrameWriter {
    private final boolean hasHeader;
    private TermWriter out = new TermWriter(16);

    /** @param hasHeader whether each frame begins with a distribution header, of which ours refers to no atoms */
    FrameWriter(boolean hasHeader) {
        this.hasHeader = hasHeader;
    }

    /** Writes to {@code target} from now on. */
    FrameWriter to(TermWriter target) {
        out = target;
        return this;
    }

    private static final Atom UNUSED = Atom.of("");

    public void send(Pid to, Term message) {
        begin(3, Control.SEND);
        out.writeAtom(UNUSED);
        out.writePid(to);
        message(message);
    }

    public void regSend(Pid from, Atom name, Term message) {
        begin(4, Control.REG_SEND);
        out.writePid(from);
        out.writeAtom(UNUSED);
        out.writeAtom(name);
        message(message);
    }

    public void aliasSend(Pid from, Ref alias, Term message) {
        begin(3, Control.ALIAS_SEND);
        out.writePid(from);
        out.writeRef(alias);
        message(message);
    }

    public void link(Pid from, Pid to) {
        begin(3, Control.LINK);
        out.writePid(from);
        out.writePid(to);
    }

    /** {@link Control#UNLINK_ID} or its acknowledgement. */
    public void unlink(int operation, long id, Pid from, Pid to) {
        begin(4, operation);
        out.writeInt(id);
        out.writePid(from);
        out.writePid(to);
    }

    /** {@link Control#PAYLOAD_EXIT} or {@link Control#PAYLOAD_EXIT2}. */
    public void exit(int operation, Pid from, Pid to, Term reason) {
        begin(3, operation);
        out.writePid(from);
        out.writePid(to);
        message(reason);
    }

    /**
     * {@link Control#MONITOR_P} or {@link Control#DEMONITOR_P}.
     *
     * @param watched a pid, or an atom, the name of a process
     */
    public void monitor(int operation, Pid from, Term watched, Ref monitor) {
        begin(4, operation);
        out.writePid(from);
        out.write(watched);
        out.writeRef(monitor);
    }

    public void down(Term watched, Pid to, Ref monitor, Term reason) {
        begin(4, Control.PAYLOAD_MONITOR_P_EXIT);
        out.write(watched);
        out.writePid(to);
        out.writeRef(monitor);
        message(reason);
    }

    /**
     * Asks for a process that calls a function.
     *
     * @param options of the process, whose group leader is {@code from}
     */
    public void spawnRequest(Ref request, Pid from, Term function, Term options, Term arguments) {
        begin(6, Control.SPAWN_REQUEST);
        out.writeRef(request);
        out.writePid(from);
        out.writePid(from);
        out.write(function);
        out.write(options);
        message(arguments);
    }

    /**
     * Answers such a request.
     *
     * @param result a pid, or an atom that says why there is none
     */
    public void spawnReply(Ref request, Pid to, int flags, Term result) {
        begin(5, Control.SPAWN_REPLY);
        out.writeRef(request);
        out.writePid(to);
        out.writeInt(flags);
        out.write(result);
    }

    private void begin(int arity, int operation) {
        if (hasHeader) {
            FrameFormat.writeHeader(out);
        } else {
            out.putByte(FrameFormat.PASS_THROUGH);
            out.writeVersion();
        }
        out.writeTupleHeader(arity);
        out.writeInt(operation);
    }

    private void message(Term message) {
        if (!hasHeader) {
            out.writeVersion();
        }
        out.write(message);
    }
}

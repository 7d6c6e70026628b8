package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.handshake.Capability;
import dev.touchstone.messaging.handshake.Control;
import dev.touchstone.messaging.handshake.PeerCapabilities;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;

/**
 * A writer of the frames of one connection, each a control tuple and for some operations a message behind it. Not thread-safe.
 *
 * @see FrameFormat
 */
public final class FrameWriter {
    private final PeerCapabilities peer;
    private final boolean hasHeader;
    private final boolean hasExitPayload;
    private final boolean hasUnlinkId;
    private TermWriter out = new TermWriter(16);
    private int payloadOffset;

    /**
     * Creates a writer for one connection.
     *
     * @param peer decides the form of each frame; where it has the distribution header, ours refers to no atoms
     */
    FrameWriter(PeerCapabilities peer) {
        this.peer = peer;
        this.hasHeader = peer.has(Capability.DIST_HDR_ATOM_CACHE);
        this.hasExitPayload = peer.has(Capability.EXIT_PAYLOAD);
        this.hasUnlinkId = peer.has(Capability.UNLINK_ID);
    }

    /** Sets the buffer that is written to from now on. */
    FrameWriter to(TermWriter target) {
        out = target;
        return this;
    }

    private static final Atom UNUSED = Atom.of("");

    /**
     * Writes a message to a process.
     *
     * @param to the receiver
     * @param message the message
     */
    public void send(Pid to, Term message) {
        begin(3, Control.SEND);
        out.writeAtom(UNUSED);
        out.writePid(to);
        message(message);
    }

    /**
     * Writes a message to a registered name of the peer.
     *
     * @param from the sender
     * @param name the receiver's name
     * @param message the message
     */
    public void regSend(Pid from, Atom name, Term message) {
        begin(4, Control.REG_SEND);
        out.writePid(from);
        out.writeAtom(UNUSED);
        out.writeAtom(name);
        message(message);
    }

    /**
     * Writes a message that is encoded already.
     *
     * @param to the receiver
     * @param encoded the message's term, without a version byte, in the first {@code length} bytes
     * @param length bytes of the term
     */
    public void sendEncoded(Pid to, byte[] encoded, int length) {
        begin(3, Control.SEND);
        out.writeAtom(UNUSED);
        out.writePid(to);
        encoded(encoded, length);
    }

    /**
     * Writes a message to a name that is encoded already.
     *
     * @param from the sender
     * @param name the receiver's name
     * @param encoded the message's term, without a version byte, in the first {@code length} bytes
     * @param length bytes of the term
     */
    public void regSendEncoded(Pid from, Atom name, byte[] encoded, int length) {
        begin(4, Control.REG_SEND);
        out.writePid(from);
        out.writeAtom(UNUSED);
        out.writeAtom(name);
        encoded(encoded, length);
    }

    /**
     * Writes a message to a process alias.
     *
     * @param from the sender
     * @param alias the alias, which the receiver's node resolves
     * @param message the message
     * @throws IllegalStateException if the peer has not announced {@link Capability#ALIAS}
     */
    public void aliasSend(Pid from, Ref alias, Term message) {
        require(Capability.ALIAS);
        begin(3, Control.ALIAS_SEND);
        out.writePid(from);
        out.writeRef(alias);
        message(message);
    }

    /**
     * Writes the request for a link.
     *
     * @param from the process that asks
     * @param to the process to link to
     */
    public void link(Pid from, Pid to) {
        begin(3, Control.LINK);
        out.writePid(from);
        out.writePid(to);
    }

    /**
     * Writes the end of a link. A peer of the old link protocol is not told the id, and acknowledges nothing.
     *
     * @param id 1 or greater, another for each unlink of the pair that is not acknowledged yet
     * @param from the process that ends the link
     * @param to the linked process
     */
    public void unlink(long id, Pid from, Pid to) {
        begin(hasUnlinkId ? 4 : 3, hasUnlinkId ? Control.UNLINK_ID : Control.UNLINK);
        if (hasUnlinkId) {
            out.writeInt(id);
        }
        out.writePid(from);
        out.writePid(to);
    }

    /**
     * Writes the acknowledgement of an unlink.
     *
     * @param id the id that the unlink had
     * @param from the process that was unlinked
     * @param to the process that has unlinked
     * @throws IllegalStateException if the peer has not announced {@link Capability#UNLINK_ID}
     */
    public void unlinkAck(Term id, Pid from, Pid to) {
        require(Capability.UNLINK_ID);
        begin(4, Control.UNLINK_ID_ACK);
        out.write(id);
        out.writePid(from);
        out.writePid(to);
    }

    /**
     * Writes the exit signal of a link whose one end has ended.
     *
     * @param from the process that has ended
     * @param to the linked process
     * @param reason why it has ended
     */
    public void exit(Pid from, Pid to, Term reason) {
        exit(hasExitPayload ? Control.PAYLOAD_EXIT : Control.EXIT, from, to, reason);
    }

    /**
     * Writes an exit signal that a process sends to another.
     *
     * @param from the sender
     * @param to the receiver
     * @param reason the reason that the receiver is to end with
     */
    public void exit2(Pid from, Pid to, Term reason) {
        exit(hasExitPayload ? Control.PAYLOAD_EXIT2 : Control.EXIT2, from, to, reason);
    }

    private void exit(int operation, Pid from, Pid to, Term reason) {
        begin(hasExitPayload ? 3 : 4, operation);
        out.writePid(from);
        out.writePid(to);
        reason(reason);
    }

    /**
     * Writes the request for a monitor.
     *
     * @param from the process that monitors
     * @param watched a pid, or the atom that a process is registered under
     * @param monitor the monitor's reference
     * @throws IllegalStateException if the peer has not announced that it can be asked for such a monitor
     */
    public void monitor(Pid from, Term watched, Ref monitor) {
        monitor(Control.MONITOR_P, from, watched, monitor);
    }

    /**
     * Writes the end of a monitor.
     *
     * @param from the process that has monitored
     * @param watched the pid or name that {@link #monitor} was called with
     * @param monitor the monitor's reference
     * @throws IllegalStateException if the peer has not announced that it can be asked for such a monitor
     */
    public void demonitor(Pid from, Term watched, Ref monitor) {
        monitor(Control.DEMONITOR_P, from, watched, monitor);
    }

    private void monitor(int operation, Pid from, Term watched, Ref monitor) {
        requireMonitor(watched);
        begin(4, operation);
        out.writePid(from);
        out.write(watched);
        out.writeRef(monitor);
    }

    /**
     * Writes that a monitored process has ended.
     *
     * @param watched the process as the watcher has named it: a pid, or an atom
     * @param to the watcher
     * @param monitor the monitor's reference
     * @param reason why the process has ended
     * @throws IllegalStateException if the peer has not announced that it can ask for such a monitor
     */
    public void down(Term watched, Pid to, Ref monitor, Term reason) {
        requireMonitor(watched);
        begin(hasExitPayload ? 4 : 5, hasExitPayload ? Control.PAYLOAD_MONITOR_P_EXIT : Control.MONITOR_P_EXIT);
        out.write(watched);
        out.writePid(to);
        out.writeRef(monitor);
        reason(reason);
    }

    /**
     * Writes the request for a process that calls a function.
     *
     * @param request the request's reference, and that of the monitor which {@code options} may ask for
     * @param from the process that asks; also the group leader of the process
     * @param function module, function and arity
     * @param options a list of options for the process
     * @param arguments a list of arguments
     * @throws IllegalStateException if the peer has not announced {@link Capability#SPAWN}
     */
    public void spawnRequest(Ref request, Pid from, Term function, Term options, Term arguments) {
        require(Capability.SPAWN);
        begin(6, Control.SPAWN_REQUEST);
        out.writeRef(request);
        out.writePid(from);
        out.writePid(from);
        out.write(function);
        out.write(options);
        message(arguments);
    }

    /**
     * Writes the answer to such a request.
     *
     * @param request the request's reference
     * @param to the process that asked
     * @param flags 2 if the process is monitored, 0 if not
     * @param result a pid, or an atom that says why there is none
     * @throws IllegalStateException if the peer has not announced {@link Capability#SPAWN}
     */
    public void spawnReply(Ref request, Pid to, int flags, Term result) {
        require(Capability.SPAWN);
        begin(5, Control.SPAWN_REPLY);
        out.writeRef(request);
        out.writePid(to);
        out.writeInt(flags);
        out.write(result);
    }

    private void require(Capability capability) {
        if (!peer.has(capability)) {
            throw new IllegalStateException("peer has not announced capability=" + capability + " common=" + peer);
        }
    }

    private void requireMonitor(Term process) {
        if (!peer.canMonitor(process)) {
            throw new IllegalStateException("peer has not announced monitors: process=" + process + " common=" + peer);
        }
    }

    /** Returns where the message behind the control tuple of the last frame begins in the buffer; the largest integer for none. */
    int payloadOffset() {
        return payloadOffset;
    }

    private void begin(int arity, int operation) {
        payloadOffset = Integer.MAX_VALUE;
        if (hasHeader) {
            FrameFormat.writeHeader(out);
        } else {
            out.putByte(FrameFormat.PASS_THROUGH);
            out.writeVersion();
        }
        out.writeTupleHeader(arity);
        out.writeInt(operation);
    }

    /** Writes the reason of an exit: behind the control tuple, or as its last element. */
    private void reason(Term reason) {
        if (hasExitPayload) {
            message(reason);
        } else {
            out.write(reason);
        }
    }

    private void encoded(byte[] message, int length) {
        if (!hasHeader) {
            out.writeVersion();
        }
        out.putBytes(message, 0, length);
    }

    private void message(Term message) {
        payloadOffset = out.position();
        if (!hasHeader) {
            out.writeVersion();
        }
        out.write(message);
    }
}

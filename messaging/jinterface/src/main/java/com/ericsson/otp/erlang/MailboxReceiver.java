package com.ericsson.otp.erlang;

import dev.touchstone.messaging.spi.MailboxAccess;
import dev.touchstone.messaging.spi.Receiver;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;

/** The part of a mailbox that messages come to. It does not know the {@link OtpMbox}, so that one which nobody uses can be closed. */
final class MailboxReceiver implements Receiver {
    private volatile MailboxAccess box; // null until the mailbox is open; nobody knows its pid before
    private volatile OtpErlangPid self;

    void open(MailboxAccess opened) {
        self = new OtpErlangPid(opened.pid());
        box = opened;
    }

    MailboxAccess box() {
        return box;
    }

    OtpErlangPid self() {
        return self;
    }

    /** Adds an {@link OtpMsg}, or the message alone where it was sent to the pid; its sender waits where the mailbox is full. */
    void put(Object message, int bytes) {
        MailboxAccess open = box;
        if (open != null) {
            open.put(message, bytes);
        }
    }

    /** Takes the oldest object of a mailbox's queue, or returns null where none comes in time. Interrupts are kept for later. */
    static Object take(MailboxAccess box, long nanos) {
        long begin = nanos == Long.MAX_VALUE ? 0 : System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    long left = nanos == Long.MAX_VALUE ? nanos : nanos - (System.nanoTime() - begin);
                    return box.take(Math.max(0, interrupted ? left : nanos));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void message(String peer, Pid from, Term to, byte[] message) {
        put(message(self, from, to, message), message.length);
    }

    static OtpMsg message(OtpErlangPid self, Pid from, Term to, byte[] message) {
        OtpInputStream in = new OtpInputStream(message);
        if (to instanceof Atom name) {
            return new OtpMsg(from == null ? null : new OtpErlangPid(from), name.name(), in);
        }
        return new OtpMsg(to instanceof Pid pid && !pid.equals(self.ours()) ? new OtpErlangPid(pid) : self, in);
    }

    @Override
    public void exit(Pid from, Term reason, boolean linked) {
        int tag = linked ? OtpMsg.exitTag : OtpMsg.exit2Tag;
        MailboxAccess open = box;
        if (open != null) {
            open.signal(new OtpMsg(tag, new OtpErlangPid(from), self, Terms.fromOurs(reason)));
        }
    }
}

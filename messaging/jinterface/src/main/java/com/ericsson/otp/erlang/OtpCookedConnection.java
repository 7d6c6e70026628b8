package com.ericsson.otp.erlang;

import java.io.IOException;

/** The type of connections of an {@link OtpNode}. There is no way to one: the messaging node brings messages to mailboxes itself. */
public class OtpCookedConnection extends AbstractConnection {
    /** The node at this end. */
    protected OtpNode self;

    /** Links, which the messaging node keeps. */
    protected Links links;

    OtpCookedConnection(OtpNode self, OtpPeer peer) throws IOException, OtpAuthException {
        super(self, peer);
        this.self = self;
        links = new Links();
    }

    @Override
    public void deliver(Exception exception) {
        self.attemptFailed(peer.node(), exception);
    }

    /** Brings a message to the mailbox that it is for, if that is there. */
    @Override
    public void deliver(OtpMsg message) {
        String name = message.getRecipientName();
        MailboxReceiver to = name == null ? self.find(message.getRecipientPid()) : self.find(name);
        if (to != null) {
            to.put(message, 0);
        }
    }

    @Override
    public void close() {
        super.close();
    }

    /**
     * Does nothing; close a connection.
     *
     * @deprecated not called
     */
    @Deprecated
    @Override
    @SuppressWarnings({"removal", "Finalize"})
    protected void finalize() {}
}

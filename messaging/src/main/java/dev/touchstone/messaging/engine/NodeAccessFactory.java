package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.handshake.HandshakeException;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.spi.ConnectionWatcher;
import dev.touchstone.messaging.spi.MailboxAccess;
import dev.touchstone.messaging.spi.NodeAccess;
import dev.touchstone.messaging.spi.Receiver;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives front ends access to a node. */
final class NodeAccessFactory {
    private NodeAccessFactory() {}

    static NodeAccess access(LocalNode node) {
        return new NodeView(node);
    }

    private record NodeView(LocalNode node) implements NodeAccess {
        @Override
        public MailboxAccess mailbox(Receiver receiver) {
            return new MailboxView(node, node.add(receiver));
        }

        @Override
        public @Nullable Receiver find(Pid pid) {
            LocalMailbox mailbox = node.mailboxes().find(pid);
            return mailbox == null ? null : mailbox.inbox().receiver();
        }

        @Override
        public @Nullable Receiver find(Atom name) {
            LocalMailbox mailbox = node.mailboxes().find(name);
            return mailbox == null ? null : mailbox.inbox().receiver();
        }

        @Override
        public void others(Receiver receiver) {
            node.router().others(receiver);
        }

        @Override
        public void connections(ConnectionWatcher watcher) {
            node.peers().watch(watcher);
        }

        @Override
        public void cookie(Cookie cookie) {
            node.peers().cookie(cookie);
        }

        @Override
        public void connect(NodeName peer) throws IOException {
            node.connect(peer);
        }

        @Override
        public boolean isWrongCookie(Throwable failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof HandshakeException.WrongCookie) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void disconnect(NodeName peer) {
            boolean unused = node.peers().disconnect(peer);
        }

        @Override
        public boolean isConnected(NodeName peer) {
            return node.peers().find(peer.atom()) != null;
        }

        @Override
        public Pid newPid() {
            return node.newPid();
        }

        @Override
        public Ref newRef() {
            return node.newRef();
        }
    }

    private record MailboxView(LocalNode node, LocalMailbox mailbox) implements MailboxAccess {
        @Override
        public Pid pid() {
            return mailbox.pid();
        }

        @Override
        public void put(Object item, int bytes) {
            boolean unused = mailbox.inbox().accept(item, bytes);
        }

        @Override
        public void signal(Object item) {
            mailbox.inbox().put(item);
        }

        @Override
        public long count() {
            return Math.max(0, mailbox.inbox().waiting());
        }

        @Override
        public @Nullable Object take(long nanos) throws InterruptedException {
            return mailbox.inbox().takeItem(nanos);
        }

        @Override
        public void send(Pid to, byte[] message, int length) throws IOException {
            Router.send(
                    mailbox.pid(),
                    mailbox.inbox(),
                    connection(to.node()),
                    true,
                    out -> out.sendEncoded(to, message, length));
        }

        @Override
        public void send(Atom to, Atom at, byte[] message, int length) throws IOException {
            Pid from = mailbox.pid();
            Router.send(
                    from, mailbox.inbox(), connection(at), true, out -> out.regSendEncoded(from, to, message, length));
        }

        private Connection connection(Atom at) throws IOException {
            return node.peers().connectOrFail(at);
        }

        @Override
        public boolean register(Atom name) {
            return node.mailboxes().register(name, mailbox);
        }

        @Override
        public void unregister(Atom name) {
            node.mailboxes().unregister(name, mailbox);
        }

        @Override
        public void link(Pid other) {
            node.signals().link(mailbox, other);
        }

        @Override
        public void unlink(Pid other) {
            node.signals().unlink(mailbox, other);
        }

        @Override
        public List<Pid> links() {
            return node.signals().links(mailbox);
        }

        @Override
        public void exit(Pid to, Term reason) {
            node.signals().exit(mailbox, to, reason);
        }

        @Override
        public void close(Term reason) {
            mailbox.close(reason);
        }
    }
}

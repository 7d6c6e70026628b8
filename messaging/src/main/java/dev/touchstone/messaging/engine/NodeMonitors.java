package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.NodeType;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.stats.EndKind;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The mailboxes that are told of every node that connects or disconnects. Guarded by {@link SignalDispatcher}. */
final class NodeMonitors {
    private final Set<Subscription> subscriptions = new LinkedHashSet<>();
    private final Set<NodeName> up = new HashSet<>();

    /**
     * A request to be told.
     *
     * @param type nodes that it is for, told with a list of properties; null for all nodes, told without one
     */
    private record Subscription(
            LocalMailbox mailbox, @Nullable NodeType type) {
        boolean includes(boolean hidden) {
            return type == null || type == NodeType.ALL || hidden == (type == NodeType.HIDDEN);
        }
    }

    void set(LocalMailbox mailbox, @Nullable NodeType type, boolean on) {
        Subscription subscription = new Subscription(mailbox, type);
        boolean unused = on ? subscriptions.add(subscription) : subscriptions.remove(subscription);
    }

    void remove(LocalMailbox mailbox) {
        subscriptions.removeIf(subscription -> subscription.mailbox() == mailbox);
    }

    void nodeUp(NodeName peer, boolean hidden) {
        if (up.add(peer)) {
            tell(WellKnownAtoms.NODEUP, peer, hidden, ErlList.EMPTY);
        }
    }

    /** Tells of the end of a connection that {@link #nodeUp} has told of; nothing otherwise. */
    void nodeDown(NodeName peer, boolean hidden, EndKind kind) {
        if (up.remove(peer)) {
            Term reason = Tuple.of(WellKnownAtoms.NODEDOWN_REASON, reason(kind));
            tell(WellKnownAtoms.NODEDOWN, peer, hidden, ErlList.of(reason));
        }
    }

    private void tell(Atom event, NodeName peer, boolean hidden, ErlList properties) {
        Term type = Tuple.of(WellKnownAtoms.NODE_TYPE, hidden ? WellKnownAtoms.HIDDEN : WellKnownAtoms.VISIBLE);
        for (Subscription subscription : subscriptions) {
            if (subscription.type() == null) {
                subscription.mailbox().deliver(Tuple.of(event, peer.atom()));
            } else if (subscription.includes(hidden)) {
                ErlList all = ErlList.improper(properties.asList(), ErlList.of(type));
                subscription.mailbox().deliver(Tuple.of(event, peer.atom(), all));
            }
        }
    }

    /** Returns the reason that Erlang's nodes give for such an end. */
    private static Atom reason(EndKind kind) {
        return switch (kind) {
            case CLOSED_HERE -> WellKnownAtoms.DISCONNECT;
            case SILENT -> WellKnownAtoms.NET_TICK_TIMEOUT;
            case CLOSED_BY_PEER, NOT_READING, INVALID_INPUT, REPLACED, BROKEN, FAULT ->
                WellKnownAtoms.CONNECTION_CLOSED;
        };
    }
}

package dev.touchstone.messaging.dist;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order in which a leader reads connections, and how long it may. */
final class ReadTurns {
    /*
     * Who calls:      the leader; isWanted, roomMade and hasBlocked: any thread.
     * Invariants:     a connection that is open is in one of three states: queued, since it used up its turn; blocked, since a mailbox is
     *                 full; or selected. All that are queued have a turn before one of them has a second. The lease is looked at
     *                 between two connections: whoever leads next goes on where this one stopped.
     * Ordering:       handed from leader to leader through ReceiveLeader.leader. `wanted` is set after the room was made, and cleared
     *                 before the mailboxes are looked at.
     * Failure:        a connection that fails ends itself, and then has nothing to read.
     */
    private final Deque<Connection> queue = new ArrayDeque<>();
    private final List<Connection> blocked = new ArrayList<>();
    private ReceiveLeader.@Nullable Wait holder;
    private long until;
    private @Nullable Connection reading;
    private volatile boolean wanted; // a look at the blocked connections
    private volatile boolean anyBlocked;

    /** Begins a lease: it lasts until a wait is over, or a point in time. */
    void begin(ReceiveLeader.Wait wait, long untilNanos) {
        holder = wait;
        until = untilNanos;
        reading = null;
    }

    private boolean isOver() {
        return holder == null || holder.isOver() || until - System.nanoTime() <= 0;
    }

    /** Returns whether there is something to read that no selection tells of. */
    boolean isPending() {
        return wanted || !queue.isEmpty();
    }

    /** Gives a turn to each connection that is queued now, and to one even if the lease is over; returns the number of bytes that came. */
    int readQueued() {
        if (wanted) {
            unblock();
        }
        int bytes = 0;
        int left = queue.size();
        while (left-- > 0) {
            Connection connection = queue.remove();
            connection.queued = false;
            bytes += read(connection);
            if (isOver()) {
                break;
            }
        }
        return bytes;
    }

    /** Gives a turn to each of these that is not queued; returns the number of bytes that came. */
    int readAll(Connection[] connections) {
        int bytes = 0;
        for (Connection connection : connections) {
            if (!connection.queued) {
                bytes += read(connection);
            }
        }
        return bytes;
    }

    /** Gives a turn to a connection that was selected, or queues it where the lease is over. */
    void readSelected(Connection connection) {
        if (connection.queued) {
            return;
        }
        if (isOver()) {
            enqueue(connection);
        } else {
            int unused = read(connection);
        }
    }

    private int read(Connection connection) {
        boolean wasBlocked = connection.isBlocked();
        reading = connection;
        int bytes = connection.read();
        reading = null;
        if (connection.isBlocked()) {
            if (!wasBlocked) {
                connection.stopSelecting();
                blocked.add(connection);
                anyBlocked = true;
            }
        } else if (connection.isUnfinished()) {
            enqueue(connection);
        }
        return bytes;
    }

    private void enqueue(Connection connection) {
        connection.queued = true;
        queue.add(connection);
    }

    /** Stops the connection that is being read until a mailbox has room; returns false where none is. */
    boolean blockReading(ReceiveLeader.Wait mailbox) {
        Connection connection = reading;
        if (connection == null) {
            return false;
        }
        connection.block(mailbox);
        return true;
    }

    /** Returns the length of the frame that is being handled; 0 where none is. */
    int frameBytes() {
        Connection connection = reading;
        return connection == null ? 0 : connection.frameBytes();
    }

    private void unblock() {
        wanted = false;
        for (Iterator<Connection> waiting = blocked.iterator(); waiting.hasNext(); ) {
            Connection connection = waiting.next();
            if (connection.unblock()) {
                waiting.remove();
                enqueue(connection);
            }
        }
        anyBlocked = !blocked.isEmpty();
    }

    /** Asks for a look at the blocked connections. */
    void roomMade() {
        wanted = true;
    }

    /** Returns whether a connection waits for a mailbox. */
    boolean hasBlocked() {
        return anyBlocked;
    }
}

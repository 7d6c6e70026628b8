package dev.touchstone.queue.replication;

import java.io.IOException;

/**
 * A consensus library that brings the entries of a replicated queue to all its members in one order. Found by {@link
 * java.util.ServiceLoader}; the artefact {@code queue-replicated} has one. Thread-safe.
 */
public interface ReplicationEngine {

    /**
     * Starts a member. On return it takes part in elections, and {@code machine} is given entries as they are committed.
     *
     * @param options what the member is and where it stores
     * @param machine receiver of the entries
     * @return the running member, to be closed by the caller
     * @throws UnknownMemberException if the folder is empty and the other members know one that was not
     * @throws IOException if the folder cannot be used or the address not be bound
     */
    ReplicationGroup start(GroupOptions options, ReplicatedMachine machine) throws IOException;
}

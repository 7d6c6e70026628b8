package dev.touchstone.benchmarks.messaging.peer;

import java.util.Optional;

/**
 * The number of nodes and the content of messages that a subject of echoes is opened for.
 *
 * @param clients mailboxes that send and wait, all on one node
 * @param servers nodes with a server each; client number i sends to server number i modulo this
 * @param body term that a client sends beside its pid, and gets back; empty where it sends its pid alone and gets five bytes
 */
public record EchoShape(int clients, int servers, Optional<TermRecipe> body) {

    /** Checks that a subject which echoes pids between two nodes only can do what is asked for. */
    void requirePlain(String subject) {
        if (servers != 1 || body.isPresent()) {
            throw new UnsupportedOperationException(
                    subject + " has one server and echoes pids: expected servers=1 without a body, got " + this);
        }
    }
}

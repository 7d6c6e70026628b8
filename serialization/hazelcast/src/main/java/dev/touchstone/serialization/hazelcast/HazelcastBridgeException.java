package dev.touchstone.serialization.hazelcast;

/** This Hazelcast cannot be used by the bridge: it is neither a member nor a client of a version that is known. */
public final class HazelcastBridgeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    HazelcastBridgeException(String message) {
        super(message);
    }

    HazelcastBridgeException(String message, Throwable cause) {
        super(message, cause);
    }
}

package dev.touchstone.index.server.http;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The states of a connection.
 *
 * <pre>
 * state       the server waits for                    what arrives       time, and what follows it
 * HEAD        the head of a request                   is processed       request: 408, CLOSING; idle without a byte: CLOSED
 * BODY        the rest of the body                    is processed       request: 408, CLOSING
 * DISCARDING  the rest of the body, to refuse it      is processed       request: 408, CLOSING
 * HANDLING    a worker: the answer or its first part  waits              deadline of the pool: 503 from here or from the worker; a full pool: 429 after a pause
 * SENDING     the client, to read the answer          waits              request: CLOSED
 * PAUSED      the client, to read what was made       waits              request: CLOSED
 * MAKING      a worker: the next part                 waits              deadline of the pool: CLOSED from here or from the worker
 * CLOSING     the client, to close                    is dropped         linger: CLOSED
 * CLOSED      nothing                                 is dropped         none
 * </pre>
 *
 * In each state, a client that reads nothing for the time of a request is CLOSED. Stopping the server moves HEAD without a byte to CLOSING, and makes
 * the answer of every other state the last one.
 */
enum ConnectionState {
    HEAD,
    BODY,
    DISCARDING,
    HANDLING,
    SENDING,
    PAUSED,
    MAKING,
    CLOSING,
    CLOSED;

    private static final Map<ConnectionState, Set<ConnectionState>> NEXT = new EnumMap<>(Map.of(
            HEAD, EnumSet.of(BODY, DISCARDING, CLOSING, CLOSED),
            BODY, EnumSet.of(HEAD, HANDLING, SENDING, CLOSING, CLOSED),
            DISCARDING, EnumSet.of(HEAD, CLOSING, CLOSED),
            HANDLING, EnumSet.of(HEAD, SENDING, PAUSED, CLOSING, CLOSED),
            SENDING, EnumSet.of(HEAD, CLOSING, CLOSED),
            PAUSED, EnumSet.of(HEAD, MAKING, CLOSING, CLOSED),
            MAKING, EnumSet.of(PAUSED, CLOSED),
            CLOSING, EnumSet.of(CLOSED),
            CLOSED, EnumSet.noneOf(ConnectionState.class)));

    /** Returns the states that may follow. */
    Set<ConnectionState> next() {
        return Objects.requireNonNull(NEXT.get(this), "next");
    }

    /** Returns whether messages of the client are processed at once. */
    boolean isReading() {
        return this == HEAD || this == BODY || this == DISCARDING;
    }

    /** Returns whether a worker makes the answer or a part of it, or is waited for. */
    boolean isWorking() {
        return this == HANDLING || this == MAKING;
    }
}

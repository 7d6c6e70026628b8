package dev.touchstone.messaging.stats;

import java.time.Instant;

/**
 * The end of a connection.
 *
 * @param connection figures of the connection at its end
 * @param at time of the end
 * @param kind kind of cause
 * @param cause cause in words, at most {@value #MAX_CAUSE} characters and without control characters
 */
public record ConnectionEnd(ConnectionStats connection, Instant at, EndKind kind, String cause) {
    /** Most characters of a cause; the rest is cut off. */
    public static final int MAX_CAUSE = 500;

    /**
     * Describes an end.
     *
     * @param connection figures of the connection at its end
     * @param at time of the end
     * @param kind kind of cause
     * @param failure cause, whose message and those of its own causes are kept
     * @return the end with the cause in words
     */
    public static ConnectionEnd of(ConnectionStats connection, Instant at, EndKind kind, Throwable failure) {
        return new ConnectionEnd(connection, at, kind, words(failure));
    }

    /**
     * Returns the message of a failure and those of its causes.
     *
     * @param failure failure whose messages may hold what a peer sent
     * @return one line of at most {@value #MAX_CAUSE} characters
     */
    public static String words(Throwable failure) {
        StringBuilder words = new StringBuilder();
        String last = "";
        for (Throwable next = failure; next != null && words.length() < MAX_CAUSE; next = next.getCause()) {
            String message = next.getMessage() == null ? next.getClass().getSimpleName() : next.getMessage();
            if (!last.contains(message)) { // an outer message often quotes the inner one
                words.append(words.isEmpty() ? "" : " cause=").append(message);
            }
            last = message;
        }
        words.setLength(Math.min(words.length(), MAX_CAUSE));
        for (int i = 0; i < words.length(); i++) {
            if (Character.isISOControl(words.charAt(i))) {
                words.setCharAt(i, '?');
            }
        }
        return words.toString();
    }
}

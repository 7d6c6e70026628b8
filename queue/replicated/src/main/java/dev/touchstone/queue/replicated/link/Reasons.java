package dev.touchstone.queue.replicated.link;

import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;

/** Texts for messages, from failures and from what others send. */
public final class Reasons {
    private static final int MAX_CHARS = 200;

    private Reasons() {}

    /** Returns the message of the first cause, which alone says more than that there is no connection; names the host if it is unknown. */
    static String of(Throwable failure, String host) {
        Throwable first = first(failure);
        if (first instanceof UnresolvedAddressException || first instanceof UnknownHostException) {
            return "unknown host: host=" + host;
        }
        return first.getMessage() == null ? first.toString() : first.getMessage();
    }

    /** Returns the first cause of a failure. */
    static Throwable first(Throwable failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return first;
    }

    /** Returns a text that others have sent as a part of a message: at most {@value #MAX_CHARS} chars, those that are not printable ASCII as {@code ?}. */
    public static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.chars().limit(MAX_CHARS).forEach(c -> shown.append(c >= ' ' && c <= '~' ? (char) c : '?'));
        return text.length() <= MAX_CHARS
                ? shown.toString()
                : shown.append("... (").append(text.length()).append(" chars)").toString();
    }

    /** Returns a duration as a part of a message: in seconds, or in milliseconds where it is none of whole seconds. */
    public static String shown(Duration duration) {
        long seconds = duration.toSeconds();
        return duration.equals(Duration.ofSeconds(seconds)) ? seconds + " s" : duration.toMillis() + " ms";
    }
}

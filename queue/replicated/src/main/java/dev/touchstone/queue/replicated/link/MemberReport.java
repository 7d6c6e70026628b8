package dev.touchstone.queue.replicated.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a member's verification.
 *
 * @param member address of the member
 * @param index index of the entry after which the state was copied; 0 if it was not
 * @param digest SHA-256 of the state as a snapshot holds it, hexadecimal; the same at all members that are well; empty if the state was not read
 * @param firstEntry index of the first entry of the member's log that was read
 * @param lastEntry index of the last one
 * @param damage what is damaged of the state and of the log; null if nothing is
 * @param failure why the member could not look at all of it; null if it has
 */
public record MemberReport(
        String member,
        long index,
        String digest,
        long firstEntry,
        long lastEntry,
        @Nullable String damage,
        @Nullable String failure) {

    /** Returns the report of a member that could not look. */
    public static MemberReport failed(String member, String reason) {
        return new MemberReport(member, 0, "", 0, 0, null, reason);
    }

    /** Returns the report as the text of a message. */
    public String text() {
        return "index=" + index + "\ndigest=" + digest + "\nfirst=" + firstEntry + "\nlast=" + lastEntry + "\ndamage="
                + encoded(damage) + "\nfailure=" + encoded(failure);
    }

    /** Returns whether the state was read, and so can be compared. */
    public boolean isStateRead() {
        return !digest.isEmpty();
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @throws IOException if it is no report
     */
    public static MemberReport read(String member, String text) throws IOException {
        Map<String, String> values = NamedValues.read(text);
        try {
            return new MemberReport(
                    member,
                    Long.parseLong(values.getOrDefault("index", "")),
                    values.getOrDefault("digest", ""),
                    Long.parseLong(values.getOrDefault("first", "")),
                    Long.parseLong(values.getOrDefault("last", "")),
                    decoded(values, "damage"),
                    decoded(values, "failure"));
        } catch (IllegalArgumentException e) {
            throw new IOException("not a report: member=" + member + " text=" + text, e);
        }
    }

    /** Returns a text, which may have several lines, as the value of one line. */
    private static String encoded(@Nullable String text) {
        return text == null ? "" : Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static @Nullable String decoded(Map<String, String> values, String name) {
        String text = new String(Base64.getDecoder().decode(values.getOrDefault(name, "")), UTF_8);
        return text.isEmpty() ? null : text;
    }
}

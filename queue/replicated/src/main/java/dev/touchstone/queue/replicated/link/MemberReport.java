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
 * @param index index of the entry after which the state was looked at; 0 if it was not
 * @param digest SHA-256 of the state as a snapshot holds it, hexadecimal; the same at all members that are well; empty if there is none
 * @param firstEntry index of the first entry of the member's log that was read
 * @param lastEntry index of the last one
 * @param failure what is damaged, or why the member could not look; null if all is well
 */
public record MemberReport(
        String member,
        long index,
        String digest,
        long firstEntry,
        long lastEntry,
        @Nullable String failure) {

    /** Returns the report of a member that could not look. */
    public static MemberReport failed(String member, String reason) {
        return new MemberReport(member, 0, "", 0, 0, reason);
    }

    /** Returns the report as the text of a message. */
    public String text() {
        String encoded = failure == null ? "" : Base64.getEncoder().encodeToString(failure.getBytes(UTF_8));
        return "index=" + index + "\ndigest=" + digest + "\nfirst=" + firstEntry + "\nlast=" + lastEntry + "\nfailure="
                + encoded;
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @throws IOException if it is no report
     */
    public static MemberReport read(String member, String text) throws IOException {
        Map<String, String> values = NamedValues.read(text);
        try {
            String failure = new String(Base64.getDecoder().decode(values.getOrDefault("failure", "")), UTF_8);
            return new MemberReport(
                    member,
                    Long.parseLong(values.getOrDefault("index", "")),
                    values.getOrDefault("digest", ""),
                    Long.parseLong(values.getOrDefault("first", "")),
                    Long.parseLong(values.getOrDefault("last", "")),
                    failure.isEmpty() ? null : failure);
        } catch (IllegalArgumentException e) {
            throw new IOException("not a report: member=" + member + " text=" + text, e);
        }
    }
}

package dev.touchstone.queue.replicated.link;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a member, as it tells it itself.
 *
 * @param member address of the member
 * @param role its part: {@code leader}, {@code follower}, {@code candidate}, or another state of the engine in lower case; {@code starting} and whom
 *     it waits for, before the engine runs; {@code not added}, if its folder is new and no leader has begun to add it
 * @param leader address of the leader as far as it knows, or null
 * @param term number of the leadership as far as it knows
 * @param lastIndex index of the last entry that it has stored
 * @param committedIndex index up to which it knows that a majority has stored the entries
 * @param appliedIndex index of the last entry that it has applied
 */
public record MemberStatus(
        String member,
        String role,
        @Nullable String leader,
        long term,
        long lastIndex,
        long committedIndex,
        long appliedIndex) {

    /** Returns the status as the text of a message. */
    public String text() {
        return "role=" + role + "\nleader=" + (leader == null ? "" : leader) + "\nterm=" + term + "\nlast=" + lastIndex
                + "\ncommitted=" + committedIndex + "\napplied=" + appliedIndex;
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @throws IOException if it is no status
     */
    public static MemberStatus read(String member, String text) throws IOException {
        Map<String, String> values = NamedValues.read(text);
        try {
            String leader = values.getOrDefault("leader", "");
            return new MemberStatus(
                    member,
                    values.getOrDefault("role", "unknown"),
                    leader.isEmpty() ? null : leader,
                    number(values, "term"),
                    number(values, "last"),
                    number(values, "committed"),
                    number(values, "applied"));
        } catch (NumberFormatException e) {
            throw new IOException("not a status: member=" + member + " text=" + Reasons.shown(text), e);
        }
    }

    private static long number(Map<String, String> values, String name) {
        return Long.parseLong(values.getOrDefault(name, ""));
    }
}

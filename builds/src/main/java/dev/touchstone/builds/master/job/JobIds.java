package dev.touchstone.builds.master.job;

/**
 * Ids of jobs, {@code prefix-number}: those of a master whose folder was made anew are others.
 *
 * @param prefix the master's, made with its folder
 */
public record JobIds(String prefix) {
    /** A number that no job has. */
    static final long NONE = -1;

    private static final int MAX_DIGITS = 18;

    public String text(long number) {
        return prefix + '-' + number;
    }

    /** Returns the number of the job with an id; {@link #NONE} where it is none of this master's. */
    public long number(String id) {
        int dash = id.lastIndexOf('-');
        String digits = id.substring(dash + 1);
        boolean ours = dash >= 0
                && id.substring(0, dash).equals(prefix)
                && !digits.isEmpty()
                && digits.length() <= MAX_DIGITS
                && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return ours ? Long.parseLong(digits) : NONE;
    }
}

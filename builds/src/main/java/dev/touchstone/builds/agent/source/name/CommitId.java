package dev.touchstone.builds.agent.source.name;

import java.util.regex.Pattern;

/** The whole SHA-1 of a commit, in lower case. */
public record CommitId(String hex) {
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{40}");

    /**
     * Reads an id.
     *
     * @throws SourceRefusedException if it is not 40 hexadecimal digits
     */
    public static CommitId parse(String hex) {
        if (!HEX.matcher(hex).matches()) {
            throw new SourceRefusedException("commit", hex, "is not 40 hexadecimal digits in lower case");
        }
        return new CommitId(hex);
    }

    @Override
    public String toString() {
        return hex;
    }
}

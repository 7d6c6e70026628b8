package dev.touchstone.builds.agent.source.name;

import java.util.regex.Pattern;

/** A repository, branch, commit or script has a name that is not let near git or the file system. */
public final class SourceRefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    private static final Pattern UNPRINTABLE = Pattern.compile("[^\\x20-\\x7e]");
    private static final int MAX_SHOWN = 80;

    /**
     * Makes the exception for a value, whose printable beginning is shown.
     *
     * @param what kind of name
     * @param reason continues the sentence after the value
     */
    public SourceRefusedException(String what, String value, String reason) {
        super(what + "=" + shown(value) + " " + reason);
    }

    private static String shown(String value) {
        String cut = value.length() > MAX_SHOWN ? value.substring(0, MAX_SHOWN) + "..." : value;
        return '"' + UNPRINTABLE.matcher(cut).replaceAll("?") + '"';
    }
}

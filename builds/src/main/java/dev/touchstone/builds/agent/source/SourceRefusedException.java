package dev.touchstone.builds.agent.source;

import java.util.regex.Pattern;

/** A repository, branch, commit or script has a name that is not let near git or the file system. */
public final class SourceRefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    private static final Pattern UNPRINTABLE = Pattern.compile("[^\\x20-\\x7e]");
    private static final int MAX_SHOWN = 80;

    SourceRefusedException(String what, String value, String reason) {
        super(what + "=" + shown(value) + " " + reason);
    }

    private static String shown(String value) {
        String cut = value.length() > MAX_SHOWN ? value.substring(0, MAX_SHOWN) + "..." : value;
        return '"' + UNPRINTABLE.matcher(cut).replaceAll("?") + '"';
    }
}

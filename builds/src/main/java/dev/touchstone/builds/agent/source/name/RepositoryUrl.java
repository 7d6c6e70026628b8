package dev.touchstone.builds.agent.source.name;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Address of a repository: one of the allowed schemes, and nothing in it that git would take for an option or a command.
 *
 * @param text as git is given it
 * @param scheme in lower case
 */
public record RepositoryUrl(String text, String scheme) {
    /** Schemes that are allowed unless an agent is told otherwise; each also with the original's {@code git+} before it. */
    public static final Set<String> DEFAULT_SCHEMES = Set.of("file", "https", "ssh");

    private static final int MAX_CHARS = 2_000;
    private static final Pattern TEXT = Pattern.compile("(git\\+)?([A-Za-z][A-Za-z0-9]*)://([\\x21-\\x7e]*)");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*)|\\[[0-9A-Fa-f:.]+\\]");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");

    /**
     * Reads a repository's URL.
     *
     * @throws SourceRefusedException if it is not one that this agent takes
     */
    public static RepositoryUrl parse(String text, Set<String> schemes) {
        var matcher = TEXT.matcher(text.length() > MAX_CHARS ? "" : text);
        if (!matcher.matches()) {
            throw refused(text, "is not scheme://host/path in at most " + MAX_CHARS + " printable ASCII characters");
        }
        String scheme = matcher.group(2).toLowerCase(Locale.ROOT);
        if (!schemes.contains(scheme)) {
            throw refused(
                    text, "has a scheme other than " + schemes.stream().sorted().toList());
        }
        URI uri;
        try {
            uri = new URI(scheme + "://" + matcher.group(3));
        } catch (URISyntaxException e) {
            throw refused(text, "is not a URL: " + e.getReason() + " at index=" + e.getIndex());
        }
        checkAuthority(text, uri, scheme);
        checkPath(text, uri);
        return new RepositoryUrl(uri.toString(), scheme);
    }

    /** Returns the name of the repository's folders. */
    public String folder() {
        return Names.folder(text);
    }

    /** Returns whether the repository is a folder of this machine. */
    public boolean isLocal() {
        return scheme.equals("file");
    }

    @Override
    public String toString() {
        return text;
    }

    private static void checkAuthority(String text, URI uri, String scheme) {
        String host = Optional.ofNullable(uri.getHost()).orElse("");
        boolean local = scheme.equals("file");
        if (local ? uri.getRawAuthority() != null : !HOST.matcher(host).matches()) {
            throw refused(text, local ? "names a host for a file" : "has no plain host name");
        }
        String user = uri.getRawUserInfo();
        if (user != null && !USER.matcher(user).matches()) {
            throw refused(
                    text.replace(user, "***"),
                    "has more than a plain user name before the host; a password does not belong there");
        }
    }

    private static void checkPath(String text, URI uri) {
        String path = Optional.ofNullable(uri.getPath()).orElse("");
        if (path.length() < 2 || path.chars().anyMatch(c -> c < 0x20 || c == 0x7f)) {
            throw refused(text, "has no path");
        }
        for (String segment : path.split("/", -1)) {
            if (segment.equals("..") || segment.startsWith("-")) {
                throw refused(text, "has a path with a step of " + (segment.equals("..") ? "'..'" : "'-'"));
            }
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw refused(text, "has a query or a fragment; the branch is told apart from it");
        }
    }

    private static SourceRefusedException refused(String text, String reason) {
        return new SourceRefusedException("repository", text, reason);
    }
}

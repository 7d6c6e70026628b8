package dev.touchstone.index.server.access;

import dev.touchstone.index.server.api.Route.Role;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The bearer tokens that a service accepts, each with roles. Immutable. Only digests of the tokens are kept, and they are never printed.
 *
 * <p>A file has a token on each line: its roles, separated by commas, and the token, separated by spaces. Empty lines and lines that begin with {@code
 * #} are skipped.
 */
public final class Tokens {
    /** No tokens, so that requests need none. */
    public static final Tokens NONE = new Tokens(List.of());

    private static final int MIN_CHARACTERS = 16;
    private static final int MAX_CHARACTERS = 512;
    private static final int MAX_TOKENS = 64; // each request is compared with all of them
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*"); // what RFC 6750 allows
    private static final Pattern SPACES = Pattern.compile("\\s+");

    private final List<Entry> entries;

    /** A token and its roles. */
    static final class Entry {
        private final byte[] digest;
        private final Set<Role> roles;

        private Entry(byte[] digest, Set<Role> roles) {
            this.digest = digest;
            this.roles = roles;
        }
    }

    private Tokens(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /**
     * Reads the tokens of a file.
     *
     * @param file path of the file
     * @return tokens, at least one
     * @throws AccessException if the file is missing, is accessible by others than its owner, has no token, or has a line that is none; the message names
     *     the file and the line
     */
    public static Tokens fromFile(Path file) throws AccessException {
        List<Entry> entries = new ArrayList<>();
        int line = 0;
        for (String text : new String(SecretFile.read(file, "tokens"), StandardCharsets.UTF_8)
                .lines()
                .toList()) {
            line++;
            if (text.isBlank() || text.startsWith("#")) {
                continue;
            }
            String place = "tokens=" + file + " line=" + line;
            Entry entry = entry(text.strip(), place);
            if (entries.stream().anyMatch(each -> MessageDigest.isEqual(each.digest, entry.digest))) {
                throw new AccessException("token stands in the file twice: " + place + "; give each user a token");
            }
            entries.add(entry);
            if (entries.size() > MAX_TOKENS) {
                throw new AccessException("too many tokens: " + place + " max=" + MAX_TOKENS);
            }
        }
        if (entries.isEmpty()) {
            throw new AccessException(
                    "file has no tokens: tokens=" + file + "; expected lines such as: search,update TOKEN");
        }
        return new Tokens(entries);
    }

    private static Entry entry(String text, String place) throws AccessException {
        String[] words = SPACES.split(text, -1);
        if (words.length != 2) {
            throw new AccessException("not a line of roles and a token: " + place + " words=" + words.length
                    + "; expected a line such as: search,update TOKEN");
        }
        String token = words[1];
        if (token.length() < MIN_CHARACTERS
                || token.length() > MAX_CHARACTERS
                || !TOKEN.matcher(token).matches()) {
            throw new AccessException(
                    "token cannot be used: " + place + " characters=" + token.length() + "; expected " + MIN_CHARACTERS
                            + ".." + MAX_CHARACTERS + " letters, digits or any of . _ ~ + / -, then any number of =");
        }
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String name : words[0].split(",", -1)) {
            roles.add(role(name, place));
        }
        return new Entry(digest(token), roles);
    }

    private static Role role(String name, String place) throws AccessException {
        for (Role role : Role.values()) {
            if (role != Role.ANYONE && role.name().toLowerCase(Locale.ROOT).equals(name)) {
                return role;
            }
        }
        // the name is not shown, for it may be a token in the wrong place
        throw new AccessException("no such role: " + place + "; expected search, update or admin, separated by commas");
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JVM has it
        }
    }

    /**
     * Returns whether there are no tokens, so that requests need none.
     *
     * @return true for {@link #NONE} only
     */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Returns the roles of a token; none if the token is not known. Takes the same time for every token of one length. */
    Set<Role> roles(String token) {
        Entry entry = known(token);
        return entry == null ? Set.of() : entry.roles;
    }

    /** Returns what is kept of a token, or null if the token is not known. Takes the same time for every token of one length. */
    @Nullable
    Entry known(String token) {
        byte[] digest = digest(token);
        Entry found = null;
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(entry.digest, digest)) {
                found = entry;
            }
        }
        return found;
    }

    /** Returns the number of tokens, and nothing else about them. */
    @Override
    public String toString() {
        return "Tokens[" + entries.size() + " hidden]";
    }
}

package dev.touchstone.builds.access;

import dev.touchstone.builds.Token;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The callers that a file of tokens lists: a line for each, of name, roles and the SHA-256 digest of its token, which is the only trace of the token.
 * Immutable.
 */
public final class TokenTable {
    /** A table of nobody. */
    public static final TokenTable EMPTY = new TokenTable(Map.of());

    private static final int MAX_BYTES = 1 << 20;
    private static final String HEADER = "# name roles sha256-of-token\n";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern SPACES = Pattern.compile("[ \t]+");

    private final Map<String, Caller> byDigest;

    private TokenTable(Map<String, Caller> byDigest) {
        this.byDigest = byDigest;
    }

    /**
     * Reads a file of tokens.
     *
     * @param file UTF-8, with a line {@code name roles digest} for each token, roles separated by commas, empty lines and lines that begin with
     *     {@code #}; not null
     * @return the table
     * @throws FileSystemException if a line is none of these, or a name or a digest stands twice; the message names the line
     * @throws IOException if the file cannot be read or has more than 1 MiB
     */
    public static TokenTable load(Path file) throws IOException {
        return parse(file, read(file));
    }

    /** Returns the bytes of a file of tokens, as {@link #load} reads them. */
    static byte[] read(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new FileSystemException(file.toString(), null, "file of tokens has more bytes than " + MAX_BYTES);
        }
        return bytes;
    }

    /** Returns the table of these bytes of a file. */
    static TokenTable parse(Path file, byte[] bytes) throws IOException {
        Map<String, Caller> byDigest = new LinkedHashMap<>();
        Set<String> names = new HashSet<>();
        int number = 0;
        for (String line : text(file, bytes).split("\n", -1)) {
            number++;
            String content = line.strip();
            if (!content.isEmpty() && content.charAt(0) != '#') {
                try {
                    add(byDigest, names, caller(content));
                } catch (IllegalArgumentException e) {
                    throw new FileSystemException(file.toString(), null, "line " + number + ": " + e.getMessage());
                }
            }
        }
        return new TokenTable(byDigest);
    }

    private static String text(Path file, byte[] bytes) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new FileSystemException(file.toString(), null, "is not UTF-8");
        }
    }

    private static Caller caller(String line) {
        String[] parts = SPACES.split(line, -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("expected name, roles and digest; words=" + parts.length);
        }
        if (!DIGEST.matcher(parts[2]).matches()) {
            // it may be a token that somebody took for its digest
            throw new IllegalArgumentException("digest is not 64 hexadecimal digits in lower case: name=" + parts[0]
                    + " characters=" + parts[2].length());
        }
        return new Caller(name(parts[0]), roles(parts[1]), parts[2]);
    }

    /**
     * Returns a name, if it can be one: an agent's is its identity.
     *
     * @throws IllegalArgumentException if it is not 1 to 64 letters and digits of ASCII, or {@code . _ -} behind the first
     */
    private static String name(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "name is not 1 to 64 of A-Z a-z 0-9 . _ -, a letter or digit first: name=" + text);
        }
        return text;
    }

    /**
     * Returns the roles of a text.
     *
     * @param text words separated by commas, for example {@code submit,read}
     * @throws IllegalArgumentException if a word is no role
     */
    public static Set<Role> roles(String text) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String word : text.split(",", -1)) {
            roles.add(Role.of(word)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "no such role: role=" + word + " roles=" + words(EnumSet.allOf(Role.class)))));
        }
        return roles;
    }

    private static String words(Collection<Role> roles) {
        return roles.stream().sorted().map(Role::word).collect(Collectors.joining(","));
    }

    private static void add(Map<String, Caller> byDigest, Set<String> names, Caller caller) {
        if (!names.add(caller.name())) {
            throw new IllegalArgumentException("name has a token already: name=" + caller.name());
        }
        if (byDigest.putIfAbsent(caller.sha256(), caller) != null) {
            throw new IllegalArgumentException("token has a name already: name=" + caller.name());
        }
    }

    /** Returns the digest of a token, as files have it. */
    static String digest(Token token) {
        return HexFormat.of().formatHex(token.digest());
    }

    /** Returns who shows a token of this digest, or null if there is nobody. */
    @Nullable
    Caller find(String sha256) {
        return byDigest.get(sha256);
    }

    /** Returns all callers, in the order of the file. */
    public List<Caller> callers() {
        return List.copyOf(byDigest.values());
    }

    /**
     * Returns a table with one caller more.
     *
     * @throws IllegalArgumentException if the name cannot be one, or name or token are in the table
     */
    public TokenTable with(String name, Set<Role> roles, Token token) {
        Map<String, Caller> more = new LinkedHashMap<>(byDigest);
        Set<String> names = new HashSet<>();
        more.values().forEach(caller -> names.add(caller.name()));
        add(more, names, new Caller(name(name), roles, digest(token)));
        return new TokenTable(more);
    }

    /**
     * Returns a table without the caller of a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public TokenTable without(String name) {
        Map<String, Caller> fewer = new LinkedHashMap<>(byDigest);
        if (!fewer.values().removeIf(caller -> caller.name().equals(name))) {
            throw new IllegalArgumentException("no such name: name=" + name);
        }
        return new TokenTable(fewer);
    }

    /**
     * Writes the table, in one step: a reader has the earlier file or this one. Comments of an earlier file are gone.
     *
     * @param file path of the file, of mode 0600 afterwards; not null
     * @throws IOException if it cannot be written
     */
    public void save(Path file) throws IOException {
        StringBuilder text = new StringBuilder(HEADER);
        for (Caller caller : byDigest.values()) {
            text.append(caller.name())
                    .append(' ')
                    .append(words(caller.roles()))
                    .append(' ')
                    .append(caller.sha256())
                    .append('\n');
        }
        OwnerOnly.replace(file, StandardCharsets.UTF_8.encode(text.toString()));
    }
}

package dev.touchstone.messaging;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The secret that the nodes of a cluster share. Immutable; never printed. */
public final class Cookie {
    /** Characters that a cookie has at most: it is an atom in Erlang. */
    public static final int MAX_CHARACTERS = 255;

    private static final String FILE = ".erlang.cookie";
    private static final int MAX_FILE_BYTES = 4096;
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final byte[] latin1;

    private Cookie(byte[] latin1) {
        this.latin1 = latin1;
    }

    /**
     * The cookie of these characters, each at most U+00FF. An empty one is refused where nodes prove to each other that they know it,
     * unless that is asked for.
     *
     * @throws IllegalArgumentException if it is too long or has other characters; its text is not in the message
     */
    public static Cookie of(String text) {
        if (text.length() > MAX_CHARACTERS) {
            throw new IllegalArgumentException(
                    "cookie is too long: characters=" + text.length() + " most=" + MAX_CHARACTERS);
        }
        if (text.chars().anyMatch(c -> c > 0xff)) {
            throw new IllegalArgumentException("cookie has a character above U+00FF");
        }
        return new Cookie(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The cookie that Erlang keeps in the home folder of the user, {@code ~/.erlang.cookie}. */
    public static Cookie fromHome() throws IOException {
        return fromFile(Path.of(Objects.requireNonNull(System.getProperty("user.home"), "user.home"), FILE));
    }

    /**
     * The cookie in the first line of a file, as Erlang reads it.
     *
     * @throws IOException if it cannot be read, holds no cookie, or others than its owner may read it
     */
    public static Cookie fromFile(Path file) throws IOException {
        checkOwners(file);
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_FILE_BYTES);
        }
        String line = new String(bytes, StandardCharsets.ISO_8859_1)
                .lines()
                .findFirst()
                .orElse("")
                .strip();
        if (line.isEmpty() || line.length() > MAX_CHARACTERS || line.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IOException("no cookie in file: file=" + file + " characters=" + line.length());
        }
        return of(line);
    }

    /** Whether there is nothing to know. */
    public boolean isEmpty() {
        return latin1.length == 0;
    }

    /** Adds the cookie's bytes to what {@code digest} has seen. */
    public void updateDigest(MessageDigest digest) {
        digest.update(latin1);
    }

    /** Takes the same time for every cookie of one length. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Cookie that && MessageDigest.isEqual(latin1, that.latin1);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(latin1);
    }

    /** {@code Cookie[hidden]}, whatever it is. */
    @Override
    public String toString() {
        return "Cookie[hidden]";
    }

    private static void checkOwners(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class, new LinkOption[0]);
        if (view != null && !OWNERS.containsAll(view.readAttributes().permissions())) {
            throw new IOException("cookie file must be accessible by its owner only: file=" + file + " permissions="
                    + view.readAttributes().permissions());
        }
    }
}

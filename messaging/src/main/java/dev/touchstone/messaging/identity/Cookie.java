package dev.touchstone.messaging.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The secret that the nodes of a cluster share. Immutable; never printed. */
public final class Cookie {
    /** Longest cookie, in characters: a cookie is an atom in Erlang. */
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
     * Returns the cookie of a text. An empty cookie proves nothing, so no handshake is made with it.
     *
     * @param text at most 255 characters, each at most U+00FF
     * @return the cookie
     * @throws IllegalArgumentException if the text is too long or has other characters; the text is not in the message
     */
    public static Cookie of(String text) {
        if (text.length() > MAX_CHARACTERS) {
            throw new IllegalArgumentException(
                    "cookie is too long: characters=" + text.length() + " max=" + MAX_CHARACTERS);
        }
        if (text.chars().anyMatch(c -> c > 0xff)) {
            throw new IllegalArgumentException("cookie has a character above U+00FF");
        }
        return new Cookie(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /**
     * Reads the cookie that Erlang keeps in the home folder of the user, {@code ~/.erlang.cookie}.
     *
     * @return the cookie, never empty
     * @throws IOException for the reasons of {@link #fromFile}
     */
    public static Cookie fromHome() throws IOException {
        return fromFile(Path.of(Objects.requireNonNull(System.getProperty("user.home"), "user.home"), FILE));
    }

    /**
     * Reads the cookie in the first line of a file, as Erlang does.
     *
     * @param file path of the file; not null
     * @return the cookie, never empty
     * @throws IOException if the file is missing, cannot be read, holds no cookie, or is accessible by others than its owner; the message
     *     says which, and names the file
     */
    public static Cookie fromFile(Path file) throws IOException {
        String line = new String(bytes(file), StandardCharsets.ISO_8859_1)
                .lines()
                .findFirst()
                .orElse("")
                .strip();
        if (line.isEmpty() || line.length() > MAX_CHARACTERS || line.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IOException("no cookie in the first line of the cookie file: file=" + file + " characters="
                    + line.length() + "; expected 1.." + MAX_CHARACTERS + " printable ASCII characters");
        }
        return of(line);
    }

    /**
     * Returns whether the cookie has no characters, so that it proves nothing.
     *
     * @return true if it has none
     */
    public boolean isEmpty() {
        return latin1.length == 0;
    }

    /**
     * Adds the cookie's bytes, in Latin-1, to a digest.
     *
     * @param digest the digest to update
     */
    public void updateDigest(MessageDigest digest) {
        digest.update(latin1);
    }

    /** Compares two cookies, in the same time for every cookie of one length. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Cookie that && MessageDigest.isEqual(latin1, that.latin1);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(latin1);
    }

    /** Returns {@code Cookie[hidden]} for every cookie. */
    @Override
    public String toString() {
        return "Cookie[hidden]";
    }

    private static byte[] bytes(Path file) throws IOException {
        Set<PosixFilePermission> permissions;
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            permissions = permissions(file);
            bytes = in.readNBytes(MAX_FILE_BYTES);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "no such cookie file: file=" + file + "; write the cluster's cookie to it, or check the path", e);
        } catch (AccessDeniedException e) {
            throw new IOException("cookie file cannot be read: file=" + file + " cause=permission denied", e);
        } catch (IOException e) {
            throw new IOException("cookie file cannot be read: file=" + file + " cause=" + e.getMessage(), e);
        }
        if (!OWNERS.containsAll(permissions)) {
            throw new IOException("cookie file must be accessible by its owner only: file=" + file + " permissions="
                    + PosixFilePermissions.toString(permissions) + "; change them with chmod 600");
        }
        return bytes;
    }

    /** Returns the permissions of a file; none where the file system has no such permissions. */
    private static Set<PosixFilePermission> permissions(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class, new LinkOption[0]);
        return view == null ? Set.of() : view.readAttributes().permissions();
    }
}

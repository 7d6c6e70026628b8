package dev.touchstone.builds;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A secret by which who connects to a master is known. Immutable; never printed. */
public final class Token {
    /** The most characters of a token. */
    public static final int MAX_CHARACTERS = 255;

    private static final int MAX_FILE_BYTES = 4096;
    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private final String text;

    private Token(String text) {
        this.text = text;
    }

    /**
     * Returns the token of a text.
     *
     * @param text 1 to 255 printable characters of ASCII; not null
     * @return the token
     * @throws IllegalArgumentException if it is empty, too long or has other characters; the text is not in the message
     */
    public static Token of(String text) {
        boolean isGood = !text.isEmpty()
                && text.length() <= MAX_CHARACTERS
                && text.chars().allMatch(c -> c >= ' ' && c <= '~');
        if (!isGood) {
            throw new IllegalArgumentException(
                    "token is not 1 to " + MAX_CHARACTERS + " printable ASCII characters: characters=" + text.length());
        }
        return new Token(text);
    }

    /**
     * Reads the token in the first line of a file.
     *
     * @param file path of the file; not null
     * @return the token
     * @throws IOException if the file is missing, cannot be read, holds no token, or is accessible by others than its owner; the message says
     *     which, and names the file
     */
    public static Token fromFile(Path file) throws IOException {
        String line = new String(bytes(file), StandardCharsets.ISO_8859_1)
                .lines()
                .findFirst()
                .orElse("")
                .strip();
        try {
            return of(line);
        } catch (IllegalArgumentException e) {
            throw new IOException("no token in the first line of the file: file=" + file + "; " + e.getMessage(), e);
        }
    }

    private static byte[] bytes(Path file) throws IOException {
        byte[] bytes;
        Set<PosixFilePermission> permissions;
        try (var in = Files.newInputStream(file)) {
            var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
            permissions = view == null ? Set.of() : view.readAttributes().permissions();
            bytes = in.readNBytes(MAX_FILE_BYTES);
        } catch (NoSuchFileException e) {
            throw new IOException("no such token file: file=" + file + "; check the path", e);
        } catch (AccessDeniedException e) {
            throw new IOException("token file cannot be read: file=" + file + " cause=permission denied", e);
        } catch (IOException e) {
            throw new IOException("token file cannot be read: file=" + file + " cause=" + e.getMessage(), e);
        }
        if (!OWNERS.containsAll(permissions)) {
            throw new IOException("token file must be accessible by its owner only: file=" + file + " permissions="
                    + PosixFilePermissions.toString(permissions) + "; change them with chmod 600");
        }
        return bytes;
    }

    /**
     * Returns the text that a connection shows to the other end.
     *
     * @return the secret, not to be printed
     */
    public String text() {
        return text;
    }

    /**
     * Returns the SHA-256 digest of the token's bytes.
     *
     * @return 32 bytes that are the caller's
     */
    public byte[] digest() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each Java has SHA-256", e);
        }
    }

    /** Compares two tokens, in the same time for every token. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Token that && MessageDigest.isEqual(digest(), that.digest());
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Returns {@code Token[hidden]} for every token. */
    @Override
    public String toString() {
        return "Token[hidden]";
    }
}

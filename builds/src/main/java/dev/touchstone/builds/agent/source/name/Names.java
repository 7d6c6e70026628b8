package dev.touchstone.builds.agent.source.name;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of folders for things whose own names may hold anything: some readable characters, and a digest that makes them one of a kind. */
public final class Names {
    private static final int DIGEST_BYTES = 10;
    private static final int MAX_READABLE = 30;

    private Names() {}

    /** Returns at most 51 characters, each a lower-case letter, a digit, an underscore or a dash; equal for equal names only. */
    public static String folder(String name) {
        StringBuilder folder = new StringBuilder();
        String end = name.substring(Math.max(0, name.length() - MAX_READABLE));
        for (int i = 0; i < end.length(); i++) {
            char c = end.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            folder.append(plain ? c : '_');
        }
        return folder.append('-').append(digest(name)).toString();
    }

    private static String digest(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}

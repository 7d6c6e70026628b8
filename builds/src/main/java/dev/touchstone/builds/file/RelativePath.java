package dev.touchstone.builds.file;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Checks of paths that others have chosen: what passes stays below the folder that it is resolved against. Stateless. */
public final class RelativePath {
    /** Maximum length of a path in bytes of UTF-8. */
    public static final int MAX_BYTES = 4096;

    private RelativePath() {}

    /**
     * Checks a path of plain steps with slashes between them.
     *
     * @param what name of the path, for the message; not null
     * @param text the path; not null
     * @return the path
     * @throws IllegalArgumentException if it is empty, absolute, too long or not text, or if a step is empty, {@code .} or {@code ..}
     */
    public static String check(String what, String text) {
        if (text.isEmpty() || text.startsWith("/") || text.indexOf('\0') >= 0) {
            throw refused(what, text, "expected a relative path");
        }
        for (String step : text.split("/", -1)) {
            if (step.isEmpty() || step.equals(".") || step.equals("..")) {
                throw refused(what, text, "expected plain steps, without . and ..");
            }
        }
        if (bytes(text) > MAX_BYTES) {
            throw refused(what, text, "expected at most " + MAX_BYTES + " bytes of UTF-8");
        }
        return text;
    }

    private static int bytes(String text) {
        try {
            return StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(text))
                    .remaining();
        } catch (CharacterCodingException e) {
            return Integer.MAX_VALUE; // half a character
        }
    }

    static IllegalArgumentException refused(String what, String text, String expected) {
        return new IllegalArgumentException(what + "=\"" + shown(text) + "\": " + expected);
    }

    /** Returns a text for a message: at most 80 characters, and none that steers a terminal. */
    public static String shown(String text) {
        String head = text.length() > 80 ? text.substring(0, 80) + "..." : text;
        return head.replaceAll("[\\p{Cntrl}\\u2028-\\u202e\\u2066-\\u2069]", "?");
    }

    /**
     * Returns the bytes of a relative path as the file system has them, whatever character set Java takes file names to be in.
     *
     * @param path the path; not null
     */
    public static byte[] bytes(Path path) {
        String raw = Path.of("/").resolve(path).toUri().getRawPath();
        int end = raw.endsWith("/") ? raw.length() - 1 : raw.length(); // of a folder
        byte[] bytes = new byte[end];
        int length = 0;
        for (int i = 1; i < end; length++) {
            boolean isEscape = raw.charAt(i) == '%';
            bytes[length] = isEscape ? (byte) Integer.parseInt(raw, i + 1, i + 3, 16) : (byte) raw.charAt(i);
            i += isEscape ? 3 : 1;
        }
        return Arrays.copyOf(bytes, length);
    }

    /** Returns whether bytes are UTF-8. */
    public static boolean isUtf8(byte[] bytes) {
        try {
            var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}

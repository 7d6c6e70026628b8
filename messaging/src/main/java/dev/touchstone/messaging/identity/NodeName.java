package dev.touchstone.messaging.identity;

import dev.touchstone.messaging.term.Atom;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The name of a node, {@code alive@host}: at most 255 bytes of UTF-8, with neither white space nor control characters nor a second
 * {@code @}. Ordered as Erlang orders atoms, by code point.
 *
 * @param alive the part before the {@code @}, unique on its host
 * @param host a host's name or address, without dots where short names are in use
 */
public record NodeName(String alive, String host) implements Comparable<NodeName> {
    /** Longest name, in bytes. */
    public static final int MAX_BYTES = 255;

    /**
     * Checks both parts.
     *
     * @throws IllegalArgumentException if no node may be called so
     */
    public NodeName {
        check("alive", alive);
        check("host", host);
        int bytes = utf8(alive + '@' + host).length;
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "node name is too long: name=" + alive + '@' + host + " bytes=" + bytes + " max=" + MAX_BYTES);
        }
    }

    /**
     * Parses {@code alive@host}.
     *
     * @param name the text, in which the first {@code @} divides the two parts
     * @return the name
     * @throws IllegalArgumentException if this is no node's name
     */
    public static NodeName parse(String name) {
        int at = name.indexOf('@');
        if (at < 0) {
            throw new IllegalArgumentException("not a node name: expected=alive@host got=" + name);
        }
        return new NodeName(name.substring(0, at), name.substring(at + 1));
    }

    /**
     * Returns the name as an atom, as Erlang has it.
     *
     * @return {@code alive@host}
     */
    public Atom atom() {
        return Atom.of(toString());
    }

    /**
     * Returns whether the host is a full name or an address. Nodes with long names and nodes with short names do not connect.
     *
     * @return true if the host has a dot or a colon
     */
    public boolean isLong() {
        return host.indexOf('.') >= 0 || host.indexOf(':') >= 0;
    }

    @Override
    public int compareTo(NodeName other) {
        return Arrays.compareUnsigned(utf8(toString()), utf8(other.toString()));
    }

    /** Returns {@code alive@host}. */
    @Override
    public String toString() {
        return alive + '@' + host;
    }

    private static void check(String what, String part) {
        boolean refused = part.codePoints()
                .anyMatch(c ->
                        c == '@' || Character.isISOControl(c) || Character.isWhitespace(c) || Character.isSpaceChar(c));
        if (part.isEmpty() || refused) {
            throw new IllegalArgumentException("not a part of a node name: " + what + "=" + part
                    + "; expected text without '@', white space and control characters");
        }
    }

    private static byte[] utf8(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not a node name, it has half a surrogate pair: name=" + text, e);
        }
    }
}

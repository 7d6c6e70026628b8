package dev.touchstone.messaging.epmd;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A node as EPMD knows it. Immutable.
 *
 * @param name the part of the node's name before the {@code @}, at most 255 characters
 * @param port port at which the node listens for other nodes
 * @param hidden whether the node stays out of {@code nodes()} and of the global name space
 * @param lowVersion lowest version of the distribution protocol that the node speaks
 * @param highVersion highest version that the node speaks
 * @param extra any other data that the node wants known, at most 1020 bytes; copied
 */
@SuppressWarnings("ArrayRecordComponent") // copied on the way in and out, and compared by its bytes
public record EpmdNode(String name, int port, boolean hidden, int lowVersion, int highVersion, byte[] extra) {
    /** The version of the protocol that is spoken since OTP 23, with the handshake that begins with {@code N}. */
    public static final int VERSION = 6;

    static final int MAX_NAME_CHARACTERS = 255;
    static final int MAX_NAME_BYTES = 4 * MAX_NAME_CHARACTERS; // of UTF-8
    static final int MAX_EXTRA_BYTES = MAX_NAME_BYTES;
    private static final int MAX_UNSIGNED_SHORT = 0xffff;
    private static final byte[] NOTHING = {};

    /**
     * Checks the fields as EPMD does.
     *
     * @throws IllegalArgumentException if EPMD could not know such a node
     */
    public EpmdNode {
        if (!isName(name)) {
            throw new IllegalArgumentException("not the name of a node without its host: name=" + name);
        }
        if (port < 0 || port > MAX_UNSIGNED_SHORT) {
            throw new IllegalArgumentException(
                    "not a port: name=" + name + " port=" + port + "; expected=0.." + MAX_UNSIGNED_SHORT);
        }
        if (!isVersion(lowVersion) || !isVersion(highVersion)) {
            throw new IllegalArgumentException("not versions of the protocol: name=" + name + " low=" + lowVersion
                    + " high=" + highVersion + "; expected=0.." + MAX_UNSIGNED_SHORT);
        }
        if (extra.length > MAX_EXTRA_BYTES) {
            throw new IllegalArgumentException(
                    "extra is too long: name=" + name + " bytes=" + extra.length + " max=" + MAX_EXTRA_BYTES);
        }
        extra = extra.clone();
    }

    /**
     * Returns a node that speaks the present version only, without other data.
     *
     * @param name the part of the node's name before the {@code @}
     * @param port port at which the node listens for other nodes
     * @param hidden whether the node stays out of {@code nodes()}
     * @return the node
     * @throws IllegalArgumentException if EPMD could not know such a node
     */
    public static EpmdNode of(String name, int port, boolean hidden) {
        return new EpmdNode(name, port, hidden, VERSION, VERSION, NOTHING);
    }

    /**
     * Returns the other data of the node.
     *
     * @return a copy, at most 1020 bytes
     */
    @Override
    public byte[] extra() {
        return extra.clone();
    }

    private static boolean isVersion(int version) {
        return version >= 0 && version <= MAX_UNSIGNED_SHORT;
    }

    /** Returns whether a node may be registered under this name, whose place in EPMD's listing would not mislead a reader. */
    static boolean isName(String name) {
        return !name.isEmpty()
                && name.codePointCount(0, name.length()) <= MAX_NAME_CHARACTERS
                && name.codePoints()
                        .noneMatch(c -> c == '@'
                                || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                                || Character.isISOControl(c)
                                || Character.isWhitespace(c)
                                || Character.isSpaceChar(c));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EpmdNode that
                && name.equals(that.name)
                && port == that.port
                && hidden == that.hidden
                && lowVersion == that.lowVersion
                && highVersion == that.highVersion
                && Arrays.equals(extra, that.extra);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + port;
    }

    @Override
    public String toString() {
        return "EpmdNode[name=" + name + ", port=" + port + ", hidden=" + hidden + ", versions=" + lowVersion + ".."
                + highVersion + ", extra=" + extra.length + " bytes]";
    }
}

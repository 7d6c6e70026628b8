package dev.touchstone.builds.origin;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * The address of a master that speaks the origin's protocol: {@code ws://host:port/path}, or {@code wss://} for TLS.
 *
 * @param uri the whole of it
 */
public record OriginAddress(URI uri) {
    /** Returns whether a text is such an address, by its scheme. */
    public static boolean isOne(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return lower.startsWith("ws://") || lower.startsWith("wss://");
    }

    /**
     * Reads an address.
     *
     * @param text to read; not null
     * @return the address
     * @throws IllegalArgumentException if it is none; a user or password in it is refused, since the token does not belong there
     */
    public static OriginAddress parse(String text) {
        try {
            URI uri = new URI(text);
            if (uri.getHost() == null || !isOne(text)) {
                throw new IllegalArgumentException("not an address of a master: expected=ws://host:port/connect");
            }
            if (uri.getUserInfo() != null) {
                throw new IllegalArgumentException("master's address must not have a user or a password");
            }
            return new OriginAddress(uri);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "not an address of a master: expected=ws://host:port/connect"); // the cause has the text
        }
    }

    /** Returns whether others than this machine could read what is sent: it has no TLS, and leads elsewhere or to an unknown host. */
    public boolean isOpenToOthers() {
        InetSocketAddress found = new InetSocketAddress(uri.getHost(), 1);
        boolean isLocal = found.getAddress() != null && found.getAddress().isLoopbackAddress();
        return uri.getScheme().equalsIgnoreCase("ws") && !isLocal;
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}

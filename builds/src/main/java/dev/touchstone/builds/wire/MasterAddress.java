package dev.touchstone.builds.wire;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * The address of a master: {@code builds://host:port}, or {@code host:port}. Whether in TLS, is said by the key store that one is given.
 *
 * @param host name or address
 * @param port TCP port
 */
public record MasterAddress(String host, int port) {
    /** The port of a master that is not told otherwise. */
    public static final int DEFAULT_PORT = 7316;

    private static final String SCHEME = "builds";

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is none; a user or password in it is refused, since the token does not belong there
     */
    public static MasterAddress parse(String text) {
        try {
            URI uri = new URI(text.contains("://") ? text : SCHEME + "://" + text);
            String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
            if (uri.getUserInfo() != null || uri.getRawQuery() != null) {
                throw new IllegalArgumentException("master's address must not have a user, a password or a query");
            }
            if (!scheme.equals(SCHEME)) {
                throw new IllegalArgumentException(
                        "not a master's address: expected=builds://host:port got scheme=" + scheme);
            }
            if (uri.getHost() == null) {
                throw new IllegalArgumentException("not a master's address: expected=builds://host:port");
            }
            String host = uri.getHost().replaceAll("[\\[\\]]", "");
            return new MasterAddress(host, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "not a master's address: expected=builds://host:port"); // the cause has the text
        }
    }

    /** Returns the address, whose host is looked up now. */
    public InetSocketAddress resolve() {
        return new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return SCHEME + "://" + (host.indexOf(':') >= 0 ? '[' + host + ']' : host) + ':' + port;
    }
}

package dev.touchstone.index.server.access;

import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.Route.Role;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules by which a service accepts requests: tokens, names of the service, and origins of pages. Immutable. */
public final class Access {
    /** The rules of a service on the loopback address: no tokens, no further names, no pages of other sites. */
    public static final Access DEFAULT = new Access(Tokens.NONE, Set.of(), Set.of(), false);

    private static final String BEARER = "bearer ";
    private static final int NETWORK_BYTES = 8; // of an address of IPv6 that one client may have as a whole

    private final Tokens tokens;
    private final HostNames hosts;
    private final Set<String> origins;
    private final boolean isExposed;

    /** Verdicts on the token of a request. */
    public enum Verdict {
        /** The request may be answered. */
        ALLOWED,
        /** The request has no token. */
        MISSING,
        /** The token is not known. */
        UNKNOWN,
        /** The token has not the role of the route. */
        FORBIDDEN
    }

    private Access(Tokens tokens, Set<String> hosts, Set<String> origins, boolean isExposed) {
        this.tokens = tokens;
        this.hosts = new HostNames(hosts);
        this.origins = Set.copyOf(origins);
        this.isExposed = isExposed;
    }

    /**
     * Returns these rules with other tokens.
     *
     * @param others tokens that requests need, or {@link Tokens#NONE}
     * @return new rules
     */
    public Access withTokens(Tokens others) {
        return new Access(others, hosts.names(), origins, isExposed);
    }

    /**
     * Returns these rules with other names of the service, in addition to {@code localhost}, {@code 127.0.0.1}, {@code [::1]} and the address at which
     * a request arrives.
     *
     * @param names names and addresses without a port
     * @return new rules
     * @throws IllegalArgumentException if one is no name or address
     */
    public Access withHosts(Set<String> names) {
        return new Access(tokens, names, origins, isExposed);
    }

    /**
     * Returns these rules with one more name of the service.
     *
     * @param name name or address at which the service listens
     * @return new rules
     */
    public Access alsoAt(String name) {
        if (name.isEmpty() || name.indexOf(':') >= 0) {
            return this; // requests name an IPv6 address as the one at which they arrive
        }
        Set<String> names = new HashSet<>(hosts.names());
        names.add(name);
        return withHosts(names);
    }

    /**
     * Returns these rules with other origins whose pages may use the service from a browser.
     *
     * @param others origins such as {@code https://shop.example}: a scheme, a host, and a port unless it is the scheme's
     * @return new rules
     * @throws IllegalArgumentException if one is no origin
     */
    public Access withOrigins(Set<String> others) {
        others.forEach(Access::checkOrigin);
        return new Access(tokens, hosts.names(), others, isExposed);
    }

    private static void checkOrigin(String origin) {
        boolean isOrigin;
        try {
            URI uri = URI.create(origin);
            boolean isWeb = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            isOrigin = isWeb
                    && uri.getHost() != null
                    && origin.equals(uri.getScheme() + "://" + uri.getRawAuthority())
                    && uri.getRawUserInfo() == null
                    && origin.equals(origin.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            isOrigin = false;
        }
        if (!isOrigin) {
            throw new IllegalArgumentException("not an origin: origin='" + origin
                    + "'; expected a scheme, a host and a port if any in lower case, such as https://shop.example");
        }
    }

    /**
     * Returns these rules with the permission to listen beyond this machine without tokens or without TLS.
     *
     * @param isAllowed whether that is allowed
     * @return new rules
     */
    public Access withExposure(boolean isAllowed) {
        return new Access(tokens, hosts.names(), origins, isAllowed);
    }

    /**
     * Checks that a service may listen at an address: on the loopback address always, elsewhere with tokens and TLS, or if {@link #withExposure} allows
     * it.
     *
     * @param host address or name of this machine
     * @param isTls whether the service speaks TLS
     * @throws IllegalArgumentException if the service may not listen there
     */
    public void checkAddress(String host, boolean isTls) {
        if (isExposed || (isTls && !tokens.isEmpty()) || isLoopback(host)) {
            return;
        }
        throw new IllegalArgumentException("address beyond this machine needs tokens and TLS: host=" + host + " tokens="
                + (tokens.isEmpty() ? "none" : "given") + " tls=" + (isTls ? "given" : "none")
                + "; give --token-file, --tls-certificate and --tls-key, or allow it with --insecure");
    }

    private static boolean isLoopback(String host) {
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (!address.isLoopbackAddress()) {
                    return false;
                }
            }
            return true;
        } catch (UnknownHostException e) {
            return true; // listening will fail, and tell why
        }
    }

    /**
     * Returns whether a request may name the service so.
     *
     * @param authority host with or without a port, as a header or a target has it
     * @param local address at which the request arrived, or null if it is not known
     * @return whether the name is one of this service
     */
    public boolean isHost(String authority, @Nullable InetAddress local) {
        return hosts.isAllowed(authority, local);
    }

    /**
     * Returns whether pages of an origin may use the service from a browser.
     *
     * @param origin origin, as a header has it
     * @return whether {@link #withOrigins} named the origin
     */
    public boolean isOrigin(String origin) {
        return origins.contains(origin);
    }

    /**
     * Returns whether a request may be answered.
     *
     * @param route route of the request
     * @param authorization value of the header {@code Authorization}, or null
     * @return verdict
     */
    public Verdict verdict(Route route, @Nullable String authorization) {
        if (route.role() == Role.ANYONE || tokens.isEmpty()) {
            return Verdict.ALLOWED;
        }
        String token = token(authorization);
        if (token == null) {
            return Verdict.MISSING;
        }
        Set<Role> roles = tokens.roles(token);
        if (roles.isEmpty()) {
            return Verdict.UNKNOWN;
        }
        return roles.contains(route.role()) || roles.contains(Role.ADMIN) ? Verdict.ALLOWED : Verdict.FORBIDDEN;
    }

    private static @Nullable String token(@Nullable String authorization) {
        return authorization == null || !authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? null
                : authorization.substring(BEARER.length()).strip();
    }

    /**
     * Returns the client of a request that may be answered: its token if there are tokens, else its address. All addresses of this machine are one client,
     * and so are those of IPv6 that begin with the same 64 bits: any program there can use each of them.
     *
     * @param authorization value of the header {@code Authorization}, or null
     * @param remote address from which the request came, or null if it is not known any more
     * @return an object that equals those of the other requests of this client, and does not hold its token
     */
    public Object client(@Nullable String authorization, @Nullable SocketAddress remote) {
        String token = tokens.isEmpty() ? null : token(authorization);
        Object known = token == null ? null : tokens.known(token);
        if (known != null) {
            return known;
        }
        InetAddress address = remote instanceof InetSocketAddress of ? of.getAddress() : null;
        if (address == null) {
            return Verdict.UNKNOWN;
        }
        if (address.isLoopbackAddress()) {
            return InetAddress.getLoopbackAddress();
        }
        return address instanceof Inet6Address ? ByteBuffer.wrap(address.getAddress(), 0, NETWORK_BYTES) : address;
    }
}

package dev.touchstone.index.server.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names by which a service may be asked. Immutable. A page of another site can have its own name resolve to the address of this service, and
 * would then count as one of its pages; but the browser still sends that name.
 */
final class HostNames {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-fA-F:.]+]"); // which is never looked up
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9._-]*[a-z0-9])?|\\[[0-9a-f:.]+]");

    private final Set<String> names;

    /**
     * Creates the names.
     *
     * @param names further names and addresses, without a port; IPv6 addresses may be in brackets
     * @throws IllegalArgumentException if one is no name or address
     */
    HostNames(Set<String> names) {
        this.names = names.stream().map(HostNames::name).collect(Collectors.toUnmodifiableSet());
    }

    private static String name(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        boolean isBareIpv6 = !lower.startsWith("[") && lower.indexOf(':') != lower.lastIndexOf(':');
        String name = isBareIpv6 ? "[" + lower + "]" : lower;
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "not a host name: name='" + text + "'; expected a name or an address without a port");
        }
        return name;
    }

    Set<String> names() {
        return names;
    }

    /**
     * Returns whether a request may name its host so.
     *
     * @param authority host with or without a port, as the header has it
     * @param local address at which the request arrived, or null if it is not known
     */
    boolean isAllowed(String authority, @Nullable InetAddress local) {
        String host = host(authority);
        if (host == null) {
            return false;
        }
        return LOOPBACK.contains(host) || names.contains(host) || (local != null && isAddress(host, local));
    }

    /** Returns the host of an authority in lower case, or null if it is none. */
    private static @Nullable String host(String authority) {
        int end = authority.startsWith("[") ? authority.indexOf(']') + 1 : authority.indexOf(':');
        if (end < 0) {
            return authority.toLowerCase(Locale.ROOT);
        }
        for (int i = end + 1; i < authority.length(); i++) {
            if (authority.charAt(i) < '0' || authority.charAt(i) > '9') {
                return null;
            }
        }
        boolean isPort = end == authority.length() || authority.charAt(end) == ':';
        return end > 0 && isPort ? authority.substring(0, end).toLowerCase(Locale.ROOT) : null;
    }

    private static boolean isAddress(String host, InetAddress local) {
        if (!IPV6.matcher(host).matches()) {
            return host.equals(local.getHostAddress());
        }
        try {
            return InetAddress.getByName(host).equals(withoutZone(local));
        } catch (UnknownHostException e) {
            return false; // not an IPv6 address
        }
    }

    private static InetAddress withoutZone(InetAddress address) throws UnknownHostException {
        return InetAddress.getByAddress(address.getAddress());
    }
}

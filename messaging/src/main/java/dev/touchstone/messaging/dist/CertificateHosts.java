package dev.touchstone.messaging.dist;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The hosts that a certificate names in its subject alternative names. */
final class CertificateHosts {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    private CertificateHosts() {}

    /** Returns the DNS names and addresses; none where the names cannot be read. */
    static List<String> of(X509Certificate certificate) {
        List<String> hosts = new ArrayList<>();
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            for (List<?> name : names == null ? List.<List<?>>of() : names) {
                int type = (Integer) name.get(0);
                if (type == DNS_NAME || type == IP_ADDRESS) {
                    hosts.add((String) name.get(1));
                }
            }
        } catch (CertificateParsingException e) {
            hosts.clear();
        }
        return hosts;
    }

    /** Returns whether one of the names stands for a host; an asterisk stands for its first label. */
    static boolean contain(List<String> names, String host) {
        InetAddress address = address(host);
        return names.stream().anyMatch(name -> address == null ? matches(name, host) : address.equals(address(name)));
    }

    private static boolean matches(String name, String host) {
        if (!name.startsWith("*.")) {
            return name.equalsIgnoreCase(host);
        }
        int dot = host.indexOf('.');
        return dot > 0
                && host.substring(dot)
                        .toLowerCase(Locale.ROOT)
                        .equals(name.substring(1).toLowerCase(Locale.ROOT));
    }

    private static @Nullable InetAddress address(String host) {
        try {
            return isAddress(host) ? InetAddress.getByName(host) : null;
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /** Returns whether a host is an address, of IPv4 or IPv6, and no name. */
    static boolean isAddress(String host) {
        return host.indexOf(':') >= 0
                || (!host.isEmpty() && host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9')));
    }
}

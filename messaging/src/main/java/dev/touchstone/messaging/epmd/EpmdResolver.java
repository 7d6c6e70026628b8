package dev.touchstone.messaging.epmd;

import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A resolver that asks EPMD, either the one on the node's own host or always the same one. The node is taken to listen at the address
 * where EPMD answered. Immutable.
 */
public final class EpmdResolver implements NodeResolver {
    private final @Nullable InetSocketAddress epmd;
    private final int port;
    private final Duration timeout;

    private EpmdResolver(@Nullable InetSocketAddress epmd, int port, Duration timeout) {
        this.epmd = epmd;
        this.port = port;
        this.timeout = timeout;
    }

    /**
     * Returns a resolver that asks the EPMD on the host in the node's name. Where that host is this machine, its loopback address is
     * asked first; a host that is an IPv6 address is asked there only.
     *
     * @param port port of EPMD on each host
     * @param timeout how long each request may take, as for {@link EpmdClient}
     * @return the resolver
     */
    public static EpmdResolver onHosts(int port, Duration timeout) {
        return new EpmdResolver(null, port, timeout);
    }

    /**
     * Returns a resolver that asks one EPMD, whatever host the node's name has.
     *
     * @param epmd address of the EPMD
     * @param timeout how long each request may take, as for {@link EpmdClient}
     * @return the resolver
     */
    public static EpmdResolver at(InetSocketAddress epmd, Duration timeout) {
        return new EpmdResolver(epmd, epmd.getPort(), timeout);
    }

    @Override
    public ResolvedNode resolve(NodeName node) throws IOException {
        IOException failure = null;
        for (InetAddress address : addresses(node)) {
            InetSocketAddress asked = new InetSocketAddress(address, port);
            try {
                Optional<EpmdNode> found = new EpmdClient(asked, timeout).lookup(node.alive());
                if (found.isPresent()) {
                    return new ResolvedNode(
                            new InetSocketAddress(address, found.get().port()));
                }
                failure = new EpmdException.NotRegistered(node.toString(), asked.toString());
            } catch (EpmdException e) {
                failure = failure == null ? e : failure;
            }
        }
        throw failure == null ? new UnknownHostException("host has no address: node=" + node) : failure;
    }

    private Set<InetAddress> addresses(NodeName node) throws IOException {
        Set<InetAddress> addresses = new LinkedHashSet<>();
        if (epmd != null) {
            InetAddress only = epmd.getAddress();
            addresses.add(only == null ? InetAddress.getByName(epmd.getHostString()) : only);
            return addresses;
        }
        InetAddress[] found = InetAddress.getAllByName(node.host());
        boolean isIpv6 = node.host().indexOf(':') >= 0;
        for (InetAddress address : isIpv6 ? new InetAddress[0] : found) {
            if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
                addresses.add(InetAddress.getLoopbackAddress());
            }
        }
        addresses.addAll(Arrays.asList(found));
        return addresses;
    }
}

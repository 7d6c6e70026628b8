package dev.touchstone.queue.replicated.link;

import com.alipay.sofa.jraft.entity.PeerId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Addresses of members: {@code host:port}, the host an IPv4 address, an IPv6 address in brackets, or a name. */
public final class MemberAddress {
    private static final Pattern FORM =
            Pattern.compile("(?:[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}]):[1-9][0-9]{0,4}");
    private static final Set<String> ANY = Set.of("0.0.0.0", "[::]", "[0:0:0:0:0:0:0:0]");
    private static final int MAX_PORT = 65_535;

    private MemberAddress() {}

    /**
     * Returns jraft's form of an address, whose text is the same.
     *
     * @throws IllegalArgumentException if it is no address of one host and port
     */
    public static PeerId parse(String address) {
        PeerId peer = parseListen(address);
        if (ANY.contains(peer.getIp())) {
            throw refusal(", and no address of all interfaces", address);
        }
        return peer;
    }

    /**
     * Returns jraft's form of an address to listen on, which may be that of all interfaces.
     *
     * @throws IllegalArgumentException if it is no address of a host and port
     */
    public static PeerId parseListen(String address) {
        if (FORM.matcher(address).matches()) {
            int colon = address.lastIndexOf(':');
            String host = address.substring(0, colon);
            int port = Integer.parseInt(address.substring(colon + 1));
            if (port <= MAX_PORT) {
                PeerId peer = new PeerId(host, port);
                if (peer.toString().equals(address) && sameWhenParsed(peer, address)) {
                    return peer;
                }
            }
        }
        throw refusal("", address);
    }

    private static IllegalArgumentException refusal(String more, String address) {
        return new IllegalArgumentException(
                "a member's address is host:port, the host an IPv4 address, an IPv6 address in brackets, or a name"
                        + more + ": got " + Reasons.shown(address));
    }

    /** Checks that jraft, which sends addresses as text, reads this one as we do. */
    private static boolean sameWhenParsed(PeerId peer, String address) {
        PeerId parsed = new PeerId();
        try {
            return parsed.parse(address) && parsed.equals(peer);
        } catch (IllegalArgumentException noIpv6) {
            return false;
        }
    }

    /**
     * Returns jraft's form of the addresses of a group.
     *
     * @throws IllegalArgumentException if one is no address, stands twice, or {@code own} is not among them
     */
    public static List<PeerId> parseAll(List<String> members, String own) {
        if (own.isEmpty()) {
            throw new IllegalArgumentException("no address of this member is given: member= expected host:port");
        }
        List<PeerId> peers = new ArrayList<>();
        Set<PeerId> seen = new HashSet<>();
        for (String member : members) {
            PeerId peer = parse(member);
            if (!seen.add(peer)) {
                throw new IllegalArgumentException("members=" + members + " has " + member + " twice");
            }
            peers.add(peer);
        }
        PeerId unused = parse(own);
        if (!members.isEmpty() && !members.contains(own)) {
            throw new IllegalArgumentException("members=" + members + " lacks this member, " + own);
        }
        return peers;
    }
}

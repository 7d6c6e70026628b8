package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.handshake.HandshakeFormat.Challenge;
import dev.touchstone.messaging.handshake.HandshakeFormat.Introduction;
import dev.touchstone.messaging.handshake.HandshakeFormat.Status;
import dev.touchstone.messaging.identity.NodeName;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The side that has connected: name, (status), [true or false], (challenge), reply, (ack). */
final class Initiator implements Handshake.Role {
    private final HandshakeOptions options;
    private final BooleanSupplier stillWanted;
    private final boolean asksForName;
    private final long ownFlags;
    private Awaited awaited = Awaited.STATUS;
    private NodeName self;
    private int creation;
    private @Nullable NodeName peer;
    private long flags;
    private int peerCreation;
    private int challenge;

    private enum Awaited {
        STATUS,
        CHALLENGE,
        ACK
    }

    Initiator(HandshakeOptions options, BooleanSupplier stillWanted) {
        this.options = options;
        this.stillWanted = stillWanted;
        this.asksForName = (options.flags() & DistFlags.NAME_ME) != 0;
        this.ownFlags = asksForName ? options.flags() & ~DistFlags.PUBLISHED : options.flags();
        this.self = options.self();
        this.creation = options.creation();
        this.peer = options.peer();
    }

    @Override
    public List<byte[]> start() {
        String name = asksForName ? self.host() : self.toString();
        return List.of(HandshakeFormat.name(new Introduction(name, ownFlags, creation)));
    }

    @Override
    public Step received(PacketReader packet) throws HandshakeException {
        return switch (awaited) {
            case STATUS -> status(HandshakeFormat.readStatus(packet));
            case CHALLENGE -> challenge(HandshakeFormat.readChallenge(packet));
            case ACK -> ack(HandshakeFormat.readAck(packet));
        };
    }

    @Override
    public HandshakeException closed() {
        return awaited == Awaited.ACK
                ? new HandshakeException.WrongCookie(peer, "the peer, which closed the connection at our proof")
                : new HandshakeException.Closed(peer, awaited.name());
    }

    @Override
    public @Nullable NodeName peer() {
        return peer;
    }

    private Step status(Status status) throws HandshakeException {
        awaited = Awaited.CHALLENGE;
        return switch (status.text()) {
            case "ok", "ok_simultaneous", HandshakeFormat.GIVES_NAME -> {
                takeName(status);
                yield Step.NOTHING_YET;
            }
            case "alive" -> {
                takeName(status);
                yield alive();
            }
            case "nok", "not_allowed" -> throw new HandshakeException.Refused("peer", peer, status.text(), null);
            default ->
                throw new HandshakeException.Malformed(
                        "status", "a known one", "another of " + status.text().length() + " characters");
        };
    }

    /** Takes the given name, which must be there if, and only if, one was asked for. */
    private void takeName(Status status) throws HandshakeException {
        NodeName given = status.given();
        if (!asksForName && given == null) {
            return;
        }
        if (!asksForName || given == null || !given.host().equals(self.host())) {
            String expected = asksForName ? "a name on host " + self.host() : "no name";
            throw new HandshakeException.Malformed("status", expected, given == null ? "no name" : given);
        }
        self = given;
        creation = status.creation();
    }

    private Step alive() throws HandshakeException {
        if (!stillWanted.getAsBoolean()) {
            throw new HandshakeException.Refused("us", peer, "alive", HandshakeFormat.status("false"));
        }
        return Step.send(HandshakeFormat.status("true"));
    }

    private Step challenge(Challenge asked) throws HandshakeException {
        NodeName found = PacketReader.nodeName(asked.from().name());
        NodeName wanted = options.peer();
        if (wanted != null && !found.equals(wanted)) {
            throw new HandshakeException.WrongNode(wanted, found, null);
        }
        if (found.equals(self)) {
            throw new HandshakeException.WrongNode("another than ourselves", found, null);
        }
        peer = found;
        long missing = DistFlags.missing(asked.from().flags());
        if (missing != 0) {
            throw new HandshakeException.MissingFlags(found, missing, null);
        }
        flags = DistFlags.common(ownFlags, asked.from().flags());
        peerCreation = asked.from().creation();
        challenge = options.random().nextInt();
        awaited = Awaited.ACK;
        return Step.send(HandshakeFormat.reply(challenge, Digest.of(options.cookie(), asked.challenge())));
    }

    private Step ack(byte[] digest) throws HandshakeException {
        NodeName proved = peer;
        if (proved == null || !Digest.isProof(digest, options.cookie(), challenge)) {
            throw new HandshakeException.WrongCookie(peer, "its digest");
        }
        return Step.done(new HandshakeResult(proved, flags, peerCreation, self, creation));
    }
}

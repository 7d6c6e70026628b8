package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.handshake.AliveCheck.Verdict;
import dev.touchstone.messaging.handshake.HandshakeFormat.Complement;
import dev.touchstone.messaging.handshake.HandshakeFormat.Introduction;
import dev.touchstone.messaging.identity.NodeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The side that was connected to: (name), status, [(true or false)], challenge, [(complement)], (reply), ack. */
final class Acceptor implements Handshake.Role {
    private static final long LOW_FLAGS = 0xffff_ffffL;
    private static final byte[] NOT_ALLOWED = HandshakeFormat.status("not_allowed");

    private final HandshakeOptions options;
    private final AliveCheck check;
    private Awaited awaited = Awaited.NAME;
    private boolean namesPeer;
    private boolean oldName;
    private @Nullable NodeName peer;
    private long peerFlags;
    private int peerCreation;
    private int challenge;

    private enum Awaited {
        NAME,
        ALIVE_ANSWER,
        COMPLEMENT,
        REPLY
    }

    Acceptor(HandshakeOptions options, AliveCheck check) {
        this.options = options;
        this.check = check;
    }

    @Override
    public List<byte[]> start() {
        return List.of();
    }

    @Override
    public Step received(PacketReader packet) throws HandshakeException {
        return switch (awaited) {
            case NAME -> name(packet);
            case ALIVE_ANSWER -> aliveAnswer(HandshakeFormat.readStatus(packet).text());
            case COMPLEMENT -> complement(HandshakeFormat.readComplement(packet));
            case REPLY -> reply(packet);
        };
    }

    @Override
    public HandshakeException closed() {
        return new HandshakeException.Closed(peer, awaited.name());
    }

    @Override
    public @Nullable NodeName peer() {
        return peer;
    }

    private Step name(PacketReader packet) throws HandshakeException {
        oldName = packet.tag() == HandshakeFormat.OLD_NAME;
        Introduction from = oldName ? HandshakeFormat.readOldName(packet) : HandshakeFormat.readName(packet);
        namesPeer = (from.flags() & DistFlags.NAME_ME) != 0;
        peerFlags = from.flags();
        peerCreation = from.creation();
        if (namesPeer) {
            peerCreation = DynamicName.creation(options.random());
        }
        NodeName found = namesPeer ? DynamicName.on(from.name(), options.random()) : PacketReader.nodeName(from.name());
        peer = found;
        checkPeer(found);
        long missing = DistFlags.missing(peerFlags) & (oldName ? LOW_FLAGS : -1);
        if (missing != 0) {
            throw new HandshakeException.MissingFlags(found, missing, NOT_ALLOWED);
        }
        return answer(found, check.check(found));
    }

    private void checkPeer(NodeName found) throws HandshakeException {
        NodeName wanted = options.peer();
        if (wanted != null && !found.equals(wanted)) {
            throw new HandshakeException.WrongNode(wanted, found, NOT_ALLOWED);
        }
        if (found.equals(options.self())) {
            throw new HandshakeException.WrongNode("another than ourselves", found, NOT_ALLOWED);
        }
    }

    private Step answer(NodeName found, Verdict verdict) throws HandshakeException {
        if (namesPeer && verdict != Verdict.OK) {
            throw new HandshakeException.Refused("us", found, Verdict.NOT_ALLOWED.status(), NOT_ALLOWED);
        }
        byte[] status =
                namesPeer ? HandshakeFormat.named(found, peerCreation) : HandshakeFormat.status(verdict.status());
        return switch (verdict) {
            case OK, OK_SIMULTANEOUS -> Step.send(status, challenge());
            case ALIVE -> {
                awaited = Awaited.ALIVE_ANSWER;
                yield Step.send(status);
            }
            case NOK, NOT_ALLOWED -> throw new HandshakeException.Refused("us", found, verdict.status(), status);
        };
    }

    private Step aliveAnswer(String answer) throws HandshakeException {
        return switch (answer) {
            case "true" -> Step.send(challenge());
            case "false" -> throw new HandshakeException.Refused("peer", peer, Verdict.ALIVE.status(), null);
            default ->
                throw new HandshakeException.Malformed(
                        "status", "true or false", "another of " + answer.length() + " characters");
        };
    }

    private byte[] challenge() {
        awaited = oldName ? Awaited.COMPLEMENT : Awaited.REPLY;
        challenge = options.random().nextInt();
        return HandshakeFormat.challenge(
                new Introduction(options.self().toString(), ownFlags(), options.creation()), challenge);
    }

    /** Returns the flags that are sent. A node that has asked for a name finds NAME_ME among them, and is not published. */
    private long ownFlags() {
        return namesPeer
                ? (options.flags() & ~DistFlags.PUBLISHED) | DistFlags.NAME_ME
                : options.flags() & ~DistFlags.NAME_ME;
    }

    private Step complement(Complement complement) throws HandshakeException {
        peerFlags |= complement.highFlags();
        peerCreation = complement.creation();
        long missing = DistFlags.missing(peerFlags);
        if (missing != 0) {
            throw new HandshakeException.MissingFlags(peer, missing, null);
        }
        awaited = Awaited.REPLY;
        return Step.NOTHING_YET;
    }

    private Step reply(PacketReader packet) throws HandshakeException {
        int asked = HandshakeFormat.readReplyChallenge(packet);
        byte[] digest = HandshakeFormat.readDigest(packet);
        NodeName proved = peer;
        if (proved == null || !Digest.isProof(digest, options.cookie(), challenge)) {
            throw new HandshakeException.WrongCookie(peer, "its digest");
        }
        long flags = DistFlags.common(ownFlags(), peerFlags);
        HandshakeResult result = new HandshakeResult(proved, flags, peerCreation, options.self(), options.creation());
        return Step.done(result, HandshakeFormat.ack(Digest.of(options.cookie(), asked)));
    }
}

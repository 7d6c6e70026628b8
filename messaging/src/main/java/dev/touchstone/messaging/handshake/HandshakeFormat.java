package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.NodeName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The packets of the handshake, big-endian, without the two bytes of length that the carrier puts before each.
 *
 * <pre>
 *  name        'N' | flags 8 | creation 4 | length 2 | name
 *  old name    'n' | version 2 | low flags 4 | name to the end            received only
 *  status      's' | text to the end
 *  named       's' | "named:" | length 2 | name | creation 4
 *  challenge   'N' | flags 8 | challenge 4 | creation 4 | length 2 | name
 *  complement  'c' | high flags 4 | creation 4                            received only, after an old name
 *  reply       'r' | challenge 4 | digest 16
 *  ack         'a' | digest 16
 * </pre>
 *
 * After the name of "name" and "challenge", and after "named", more may follow, which is ignored.
 */
final class HandshakeFormat {
    static final int NAME = 'N';
    static final int OLD_NAME = 'n';
    static final int STATUS = 's';
    static final int COMPLEMENT = 'c';
    static final int REPLY = 'r';
    static final int ACK = 'a';
    static final int DIGEST_BYTES = 16;
    static final int OLD_VERSION = 5;

    /** Text of a status that gives a name. */
    static final String GIVES_NAME = "named:";

    private static final byte[] NAMED = GIVES_NAME.getBytes(StandardCharsets.US_ASCII);

    private HandshakeFormat() {}

    /** The name, flags and creation that a node announces; {@code name} is a host if {@link DistFlags#NAME_ME} is among the flags. */
    record Introduction(String name, long flags, int creation) {}

    /** The acceptor's first answer, or the initiator's to "alive"; {@code given} is the initiator's new name, if there is one. */
    record Status(String text, @Nullable NodeName given, int creation) {}

    /** The acceptor's introduction, and the number that the initiator's digest must answer. */
    record Challenge(Introduction from, int challenge) {}

    /** The fields that an old name leaves out. */
    record Complement(long highFlags, int creation) {}

    static byte[] name(Introduction self) {
        byte[] name = self.name().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(15 + name.length)
                .put((byte) NAME)
                .putLong(self.flags())
                .putInt(self.creation())
                .putShort((short) name.length)
                .put(name)
                .array();
    }

    static Introduction readName(PacketReader packet) throws HandshakeException {
        packet.expect(NAME, "name");
        long flags = packet.readLong("flags");
        int creation = packet.readInt("creation");
        return new Introduction(packet.readText("name"), flags, creation);
    }

    /** Reads an old name, which has no creation: it becomes 0. */
    static Introduction readOldName(PacketReader packet) throws HandshakeException {
        packet.expect(OLD_NAME, "old name");
        int version = packet.readShort("version");
        if (version != OLD_VERSION) {
            throw new HandshakeException.Malformed("old name", "version " + OLD_VERSION, version);
        }
        long flags = packet.readInt("flags") & 0xffff_ffffL;
        return new Introduction(packet.readRest("name"), flags, 0);
    }

    static byte[] status(String status) {
        byte[] text = status.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(1 + text.length).put((byte) STATUS).put(text).array();
    }

    static Status readStatus(PacketReader packet) throws HandshakeException {
        packet.expect(STATUS, "status");
        if (!packet.skip(NAMED)) {
            return new Status(packet.readRest("status"), null, 0);
        }
        NodeName given = PacketReader.nodeName(packet.readText("given name"));
        return new Status(GIVES_NAME, given, packet.readInt("given creation"));
    }

    static byte[] named(NodeName given, int creation) {
        byte[] name = given.toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(7 + NAMED.length + name.length)
                .put((byte) STATUS)
                .put(NAMED)
                .putShort((short) name.length)
                .put(name)
                .putInt(creation)
                .array();
    }

    static byte[] challenge(Introduction self, int challenge) {
        byte[] name = self.name().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(19 + name.length)
                .put((byte) NAME)
                .putLong(self.flags())
                .putInt(challenge)
                .putInt(self.creation())
                .putShort((short) name.length)
                .put(name)
                .array();
    }

    static Challenge readChallenge(PacketReader packet) throws HandshakeException {
        packet.expect(NAME, "challenge");
        long flags = packet.readLong("flags");
        int challenge = packet.readInt("challenge");
        int creation = packet.readInt("creation");
        return new Challenge(new Introduction(packet.readText("name"), flags, creation), challenge);
    }

    static Complement readComplement(PacketReader packet) throws HandshakeException {
        packet.expect(COMPLEMENT, "complement");
        long highFlags = (long) packet.readInt("high flags") << Integer.SIZE;
        int creation = packet.readInt("creation");
        packet.end("complement");
        return new Complement(highFlags, creation);
    }

    static byte[] reply(int challenge, byte[] digest) {
        return ByteBuffer.allocate(5 + DIGEST_BYTES)
                .put((byte) REPLY)
                .putInt(challenge)
                .put(digest)
                .array();
    }

    /** Reads up to the digest, which {@link #readDigest} reads. */
    static int readReplyChallenge(PacketReader packet) throws HandshakeException {
        return packet.expect(REPLY, "reply").readInt("challenge");
    }

    static byte[] ack(byte[] digest) {
        return ByteBuffer.allocate(1 + DIGEST_BYTES).put((byte) ACK).put(digest).array();
    }

    static byte[] readAck(PacketReader packet) throws HandshakeException {
        return readDigest(packet.expect(ACK, "ack"));
    }

    /** Reads a digest that ends its packet. */
    static byte[] readDigest(PacketReader packet) throws HandshakeException {
        byte[] digest = packet.readBytes("digest", DIGEST_BYTES);
        packet.end("digest");
        return digest;
    }
}

package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.NodeName;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A reader of the fields of one packet; reads none beyond its end. */
final class PacketReader {
    private final ByteBuffer packet; // big-endian

    PacketReader(byte[] packet) {
        this.packet = ByteBuffer.wrap(packet);
    }

    /** Returns the byte that says which packet it is; the byte stays unread. */
    int tag() throws HandshakeException {
        need("packet", 1);
        return packet.get(packet.position()) & 0xff;
    }

    /**
     * Reads the tag and compares it with the expected one.
     *
     * @param what names the packet in the message where the tag is another
     */
    PacketReader expect(int tag, String what) throws HandshakeException {
        if (tag() != tag) {
            throw new HandshakeException.Malformed(what, "tag " + tag, "tag " + tag());
        }
        packet.get();
        return this;
    }

    int readShort(String what) throws HandshakeException {
        need(what, Short.BYTES);
        return packet.getShort() & 0xffff;
    }

    int readInt(String what) throws HandshakeException {
        need(what, Integer.BYTES);
        return packet.getInt();
    }

    long readLong(String what) throws HandshakeException {
        need(what, Long.BYTES);
        return packet.getLong();
    }

    byte[] readBytes(String what, int length) throws HandshakeException {
        need(what, length);
        byte[] bytes = new byte[length];
        packet.get(bytes);
        return bytes;
    }

    /** Reads a text of UTF-8 with its length before it. */
    String readText(String what) throws HandshakeException {
        return text(what, readShort(what + " length"));
    }

    /** Reads the rest of the packet as UTF-8. */
    String readRest(String what) throws HandshakeException {
        return text(what, packet.remaining());
    }

    /** Skips a prefix of the rest. Returns whether it was there. */
    boolean skip(byte[] prefix) {
        if (packet.remaining() < prefix.length
                || !packet.slice().limit(prefix.length).equals(ByteBuffer.wrap(prefix))) {
            return false;
        }
        packet.position(packet.position() + prefix.length);
        return true;
    }

    /** Refuses a packet that goes on. Where the protocol says that more may follow, this is not called. */
    void end(String what) throws HandshakeException {
        if (packet.hasRemaining()) {
            throw new HandshakeException.Malformed(what, "its end", packet.remaining() + " bytes more");
        }
    }

    static NodeName nodeName(String text) throws HandshakeException {
        try {
            return NodeName.parse(text);
        } catch (IllegalArgumentException e) {
            throw new HandshakeException.Malformed("node name", "alive@host", "other text of " + text.length());
        }
    }

    private String text(String what, int length) throws HandshakeException {
        byte[] bytes = readBytes(what, length);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new HandshakeException.Malformed(what, "UTF-8", bytes.length + " other bytes");
        }
    }

    private void need(String what, int bytes) throws HandshakeException {
        if (packet.remaining() < bytes) {
            throw new HandshakeException.Malformed(what, bytes + " bytes", packet.remaining());
        }
    }
}

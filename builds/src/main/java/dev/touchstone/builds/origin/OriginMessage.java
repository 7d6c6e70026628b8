package dev.touchstone.builds.origin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A message of the protocol {@code CDR#RPC@01}. Immutable, but for the positions of its buffers, which nobody changes.
 *
 * <p>A message has three frames or more: the peer, the protocol's name, and one byte for the kind. The peer is empty in what is for the broker or comes from
 * it; it names the sender of what the broker hands to a slave, and the receiver of what the broker hands to a client. Here it is ISO 8859-1, in which all
 * bytes are characters.
 */
sealed interface OriginMessage {
    /** Content of the second frame of each message. */
    String PROTOCOL = "CDR#RPC@01";

    /** Tag of a stream that nobody wants to read. */
    int NO_TAG = -1;

    /** Bytes of a method or a peer's name at most. */
    int MAX_NAME = 255;

    /** Tells the broker that the sender serves a method. */
    record Register(String method) implements OriginMessage {
        @Override
        public ByteBuffer encode() {
            return message("", 0, text(method));
        }
    }

    /** Tells the broker that the sender does not serve a method any more. */
    record Unregister(String method) implements OriginMessage {
        @Override
        public ByteBuffer encode() {
            return message("", 1, text(method));
        }
    }

    /**
     * Calls a method.
     *
     * @param peer empty to the broker, the caller's name from it
     * @param id 0 to 65,535, the caller's
     * @param method to call
     * @param arguments as {@link BuildArguments} has them
     * @param stdout tag of the stream for stdout, or {@link #NO_TAG}
     * @param stderr tag of the stream for stderr, or {@link #NO_TAG}
     */
    record Request(String peer, int id, String method, ByteBuffer arguments, int stdout, int stderr)
            implements OriginMessage {
        @Override
        public ByteBuffer encode() {
            return message(peer, 2, number(id), text(method), arguments, number(stdout), number(stderr));
        }
    }

    /** Asks to end a call. */
    record Interrupt(String peer, int id) implements OriginMessage {
        @Override
        public ByteBuffer encode() {
            return message(peer, 3, number(id));
        }
    }

    /** Tells the caller that a call goes on. */
    record Progress(String peer, int id) implements OriginMessage {
        @Override
        public ByteBuffer encode() {
            return message(peer, 4, number(id));
        }
    }

    /** Brings bytes of a stream, one or more. */
    record StreamFrame(String peer, int tag, ByteBuffer payload) implements OriginMessage {
        @Override
        public ByteBuffer encode() {
            return message(peer, 5, number(tag), payload);
        }
    }

    /**
     * Ends a call.
     *
     * @param peer empty from the broker, the caller's name to it
     * @param id of the call
     * @param code 0 to 255, 0 for success
     * @param value as {@link BuildReply} has it
     */
    record Reply(String peer, int id, int code, ByteBuffer value) implements OriginMessage {
        @Override
        public ByteBuffer encode() {
            return message(peer, 6, number(id), ByteBuffer.wrap(new byte[] {(byte) code}), value);
        }
    }

    /** Asks for a {@link Pong}. */
    record Ping() implements OriginMessage {
        @Override
        public ByteBuffer encode() {
            return message("", 7);
        }
    }

    /** Answers a {@link Ping}. */
    record Pong() implements OriginMessage {
        @Override
        public ByteBuffer encode() {
            return message("", 8);
        }
    }

    /** Returns the bytes of the message, as {@link #decode} reads them. */
    ByteBuffer encode();

    /**
     * Reads a message.
     *
     * @param bytes all of it, which the message refers to; not null
     * @return the message
     * @throws MalformedMessageException if it is none
     */
    static OriginMessage decode(ByteBuffer bytes) throws MalformedMessageException {
        List<ByteBuffer> frames = Frames.split(bytes);
        if (frames.size() < 3 || !frames.get(1).equals(text(PROTOCOL))) {
            throw new MalformedMessageException("message is not of " + PROTOCOL + ": frames=" + frames.size());
        }
        String peer = frames.get(0).hasRemaining() ? name(frames, 0) : "";
        if (frames.get(2).remaining() != 1) {
            throw new MalformedMessageException("kind of message is not one byte");
        }
        int kind = frames.get(2).get(0);
        return switch (kind) {
            case 0 -> new Register(name(count(frames, 4), 3));
            case 1 -> new Unregister(name(count(frames, 4), 3));
            case 2 ->
                new Request(
                        peer,
                        number(count(frames, 8), 3),
                        name(frames, 4),
                        frames.get(5),
                        tag(frames, 6),
                        tag(frames, 7));
            case 3 -> new Interrupt(peer, number(count(frames, 4), 3));
            case 4 -> new Progress(peer, number(count(frames, 4), 3));
            case 5 -> new StreamFrame(peer, number(count(frames, 5), 3), payload(frames.get(4)));
            case 6 -> new Reply(peer, number(count(frames, 6), 3), code(frames.get(4)), frames.get(5));
            case 7 -> new Ping();
            case 8 -> new Pong();
            default -> throw new MalformedMessageException("no such kind of message: kind=" + kind);
        };
    }

    private static List<ByteBuffer> count(List<ByteBuffer> frames, int count) throws MalformedMessageException {
        if (frames.size() != count) {
            throw new MalformedMessageException("message has not its frames: kind="
                    + frames.get(2).get(0) + " frames=" + frames.size() + " expected=" + count);
        }
        return frames;
    }

    private static String name(List<ByteBuffer> frames, int place) throws MalformedMessageException {
        int bytes = frames.get(place).remaining();
        if (bytes < 1 || bytes > MAX_NAME) {
            throw new MalformedMessageException(
                    "name is not 1 to " + MAX_NAME + " bytes: frame=" + place + " bytes=" + bytes);
        }
        return StandardCharsets.ISO_8859_1.decode(frames.get(place).duplicate()).toString();
    }

    private static int number(List<ByteBuffer> frames, int place) throws MalformedMessageException {
        ByteBuffer frame = frames.get(place);
        if (frame.remaining() != Short.BYTES) {
            throw new MalformedMessageException(
                    "number is not 2 bytes: frame=" + place + " bytes=" + frame.remaining());
        }
        return Short.toUnsignedInt(frame.getShort(0));
    }

    private static int tag(List<ByteBuffer> frames, int place) throws MalformedMessageException {
        return frames.get(place).hasRemaining() ? number(frames, place) : NO_TAG;
    }

    private static ByteBuffer payload(ByteBuffer frame) throws MalformedMessageException {
        if (!frame.hasRemaining()) {
            throw new MalformedMessageException("stream's frame is empty");
        }
        return frame;
    }

    private static int code(ByteBuffer frame) throws MalformedMessageException {
        if (frame.remaining() != 1) {
            throw new MalformedMessageException("reply's code is not one byte: bytes=" + frame.remaining());
        }
        return Byte.toUnsignedInt(frame.get(0));
    }

    private static ByteBuffer text(String text) {
        return StandardCharsets.ISO_8859_1.encode(text);
    }

    private static ByteBuffer number(int number) {
        return number == NO_TAG
                ? ByteBuffer.allocate(0)
                : ByteBuffer.allocate(Short.BYTES).putShort((short) number).flip();
    }

    private static ByteBuffer message(String peer, int kind, ByteBuffer... more) {
        ByteBuffer[] frames = new ByteBuffer[3 + more.length];
        frames[0] = text(peer);
        frames[1] = text(PROTOCOL);
        frames[2] = ByteBuffer.wrap(new byte[] {(byte) kind});
        System.arraycopy(more, 0, frames, 3, more.length);
        return Frames.join(frames);
    }
}

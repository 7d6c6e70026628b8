package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The layouts of a frame's body: its beginning, and where its terms are. Holds the state that one connection's frames share; the leader's.
 *
 * <pre>
 *   112, 131 control, 131 message                                      terms complete in themselves
 *   131, 68, header, control, message                                  terms that refer to the header's atoms
 *   131, 69, sequence: 8, fragment: 8, header, begin of the terms      the first fragment
 *   131, 70, sequence: 8, fragment: 8, more of them                    the others, down to fragment 1
 * </pre>
 */
public final class FrameFormat {
    static final int PASS_THROUGH = 112;

    /** The offset of the terms in a frame that begins with its length and a header of {@link #writeHeader}. */
    static final int TERMS_OFFSET = Integer.BYTES + 3;

    /** Bytes at a frame's beginning that tell its form. */
    static final int KIND_BYTES = 2;

    private static final int VERSION = 131;
    private static final int HEADER = 68;
    private static final int FIRST_FRAGMENT = 69;
    private static final int FRAGMENT = 70;
    private static final int FRAGMENT_BYTES = 18;

    private final DistHeader header = new DistHeader();
    private final FragmentAssembler fragments;

    /** The bytes within which each frame's header ends: 255 references with atoms of the greatest length. */
    static final int MAX_HEAD_BYTES = FRAGMENT_BYTES + 1 + 128 + 255 * (3 + 255 * 4);

    FrameFormat(int maxMessageBytes, FragmentAssembler.Refusals refusals) {
        this.fragments = new FragmentAssembler(maxMessageBytes, refusals);
    }

    /**
     * The terms of a frame.
     *
     * @param buffer array that holds the terms
     * @param offset index of the first term
     * @param length bytes of all terms
     * @param atoms the atoms that the terms may refer to; null where each term is complete in itself and has its version before it
     * @param isOwn whether the buffer is not the frame's, and not written again
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
    public record Terms(byte[] buffer, int offset, int length, Atom @Nullable [] atoms, boolean isOwn) {}

    /**
     * Finds the terms of a frame.
     *
     * @param buffer array that holds the frame's body
     * @param offset index of the body
     * @param length bytes of the body
     * @return the terms; null while fragments of them are missing, and where their message is refused
     * @throws IllegalStateException if it is no frame
     */
    public @Nullable Terms terms(byte[] buffer, int offset, int length) {
        int end = offset + length;
        if (length > 1 && buffer[offset] == PASS_THROUGH && (buffer[offset + 1] & 0xff) == VERSION) {
            return new Terms(buffer, offset + 2, length - 2, null, false);
        }
        int kind = length > 2 && (buffer[offset] & 0xff) == VERSION ? buffer[offset + 1] & 0xff : -1;
        if (kind == HEADER) {
            int terms = header.read(buffer, offset + 2, end);
            return new Terms(buffer, terms, end - terms, header.atoms(), false);
        }
        if ((kind == FIRST_FRAGMENT || kind == FRAGMENT) && length >= FRAGMENT_BYTES) {
            return whole(kind, buffer, offset, end);
        }
        throw notAFrame(buffer, offset, length);
    }

    private static IllegalStateException notAFrame(byte[] buffer, int offset, int length) {
        return new IllegalStateException("not a frame: length=" + length + " begins="
                + HexFormat.of().formatHex(buffer, offset, offset + Math.min(length, 2)));
    }

    /**
     * Returns how many bytes of a frame that is too long are needed to pass it: its header is read nevertheless, because later frames refer
     * to its atoms.
     *
     * @param buffer has {@link #KIND_BYTES} of the frame
     * @throws IllegalStateException if it is no frame
     */
    static int headBytes(byte[] buffer, int offset) {
        return switch (kind(buffer, offset)) {
            case PASS_THROUGH -> KIND_BYTES;
            case FRAGMENT -> FRAGMENT_BYTES;
            case HEADER, FIRST_FRAGMENT -> MAX_HEAD_BYTES;
            default -> throw notAFrame(buffer, offset, KIND_BYTES);
        };
    }

    private static int kind(byte[] buffer, int offset) {
        if (buffer[offset] == PASS_THROUGH) {
            return PASS_THROUGH;
        }
        return (buffer[offset] & 0xff) == VERSION ? buffer[offset + 1] & 0xff : -1;
    }

    /**
     * Passes a frame that is too long to be read.
     *
     * @param length bytes that the buffer has: {@link #headBytes}, or all of a shorter frame
     * @param frameBytes length of the frame
     * @return whether it is a message of its own, and no fragment
     * @throws IllegalStateException if it is no frame
     */
    boolean skip(byte[] buffer, int offset, int length, long frameBytes) {
        int kind = kind(buffer, offset);
        int end = offset + length;
        if (kind == PASS_THROUGH) {
            return true;
        }
        if (kind == HEADER) {
            int unused = header.read(buffer, offset + KIND_BYTES, end);
            return true;
        }
        if (length < FRAGMENT_BYTES) {
            throw notAFrame(buffer, offset, length);
        }
        ByteBuffer ids = ByteBuffer.wrap(buffer, offset + KIND_BYTES, FRAGMENT_BYTES - KIND_BYTES);
        long sequence = ids.getLong();
        long number = ids.getLong();
        if (kind == FIRST_FRAGMENT) {
            int unused = header.read(buffer, offset + FRAGMENT_BYTES, end);
            fragments.begin(sequence, number, header.atoms());
        }
        fragments.skip(sequence, number, frameBytes);
        return false;
    }

    /** Writes a header that refers to no atoms. */
    static void writeHeader(TermWriter out) {
        out.putByte(VERSION);
        out.putByte(HEADER);
        out.putByte(0);
    }

    /**
     * Writes one fragment of a message as a frame, with its length.
     *
     * @param first whether the terms begin in this fragment
     * @param sequence names the message among those of this connection
     * @param number of fragments from this one on
     */
    static void writeFragment(
            TermWriter out, boolean first, long sequence, long number, byte[] terms, int offset, int length) {
        out.putInt(FRAGMENT_BYTES + (first ? 1 : 0) + length);
        out.putByte(VERSION);
        out.putByte(first ? FIRST_FRAGMENT : FRAGMENT);
        out.putLong(sequence);
        out.putLong(number);
        if (first) {
            out.putByte(0); // references to no atoms
        }
        out.putBytes(terms, offset, length);
    }

    private @Nullable Terms whole(int kind, byte[] buffer, int offset, int end) {
        ByteBuffer ids = ByteBuffer.wrap(buffer, offset + 2, FRAGMENT_BYTES - 2);
        long sequence = ids.getLong();
        long number = ids.getLong();
        int data = offset + FRAGMENT_BYTES;
        if (kind == FIRST_FRAGMENT) {
            data = header.read(buffer, data, end);
            fragments.begin(sequence, number, header.atoms());
        }
        FragmentAssembler.Whole whole = fragments.next(sequence, number, buffer, data, end - data);
        return whole == null ? null : new Terms(whole.bytes(), 0, whole.length(), whole.atoms(), true);
    }
}

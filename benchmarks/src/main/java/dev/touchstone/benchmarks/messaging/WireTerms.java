package dev.touchstone.benchmarks.messaging;

import dev.touchstone.benchmarks.messaging.peer.TermFactory;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Terms as their bytes in the external term format, without the version byte: what all subjects are given to decode, written by none of
 * them. In place of the newest form of a pid it has the oldest, which is the only one that they all read.
 */
final class WireTerms implements TermFactory<byte[]> {

    static final WireTerms WIRE = new WireTerms();

    private static final int SMALL_INTEGER_EXT = 97;
    private static final int INTEGER_EXT = 98;
    private static final int PID_EXT = 103;
    private static final int SMALL_TUPLE_EXT = 104;
    private static final int LARGE_TUPLE_EXT = 105;
    private static final int NIL_EXT = 106;
    private static final int STRING_EXT = 107;
    private static final int LIST_EXT = 108;
    private static final int BINARY_EXT = 109;
    private static final int SMALL_BIG_EXT = 110;
    private static final int MAP_EXT = 116;
    private static final int SMALL_ATOM_UTF8_EXT = 119;

    private static final int MAX_IN_A_BYTE = 255;

    private WireTerms() {}

    @Override
    public byte[] pid(String node, int id, int serial, int creation) {
        return term(PID_EXT, out -> {
            out.write(atom(node));
            out.writeInt(id);
            out.writeInt(serial);
            out.writeByte(creation);
        });
    }

    @Override
    public byte[] atom(String name) {
        return term(SMALL_ATOM_UTF8_EXT, out -> {
            byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
            out.writeByte(utf8.length);
            out.write(utf8);
        });
    }

    @Override
    public byte[] integer(int value) {
        return value >= 0 && value <= MAX_IN_A_BYTE
                ? term(SMALL_INTEGER_EXT, out -> out.writeByte(value))
                : term(INTEGER_EXT, out -> out.writeInt(value));
    }

    @Override
    public byte[] bigInteger(BigInteger value) {
        return term(SMALL_BIG_EXT, out -> {
            int bytes = (value.abs().bitLength() + Byte.SIZE - 1) / Byte.SIZE;
            out.writeByte(bytes);
            out.writeByte(value.signum() < 0 ? 1 : 0);
            for (int i = 0; i < bytes; i++) {
                out.writeByte(value.abs().shiftRight(i * Byte.SIZE).intValue());
            }
        });
    }

    @Override
    public byte[] binary(byte[] bytes) {
        return term(BINARY_EXT, out -> {
            out.writeInt(bytes.length);
            out.write(bytes);
        });
    }

    @Override
    public byte[] string(String latin1) {
        return term(STRING_EXT, out -> {
            out.writeShort(latin1.length());
            out.write(latin1.getBytes(StandardCharsets.ISO_8859_1));
        });
    }

    @Override
    public byte[] list(List<byte[]> elements) {
        return term(LIST_EXT, out -> {
            out.writeInt(elements.size());
            write(out, elements);
            out.writeByte(NIL_EXT);
        });
    }

    @Override
    public byte[] tuple(List<byte[]> elements) {
        boolean small = elements.size() <= MAX_IN_A_BYTE;
        return term(small ? SMALL_TUPLE_EXT : LARGE_TUPLE_EXT, out -> {
            if (small) {
                out.writeByte(elements.size());
            } else {
                out.writeInt(elements.size());
            }
            write(out, elements);
        });
    }

    @Override
    public byte[] map(List<byte[]> keys, List<byte[]> values) {
        return term(MAP_EXT, out -> {
            out.writeInt(keys.size());
            List<byte[]> both = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                both.add(keys.get(i));
                both.add(values.get(i));
            }
            write(out, both);
        });
    }

    private static void write(DataOutputStream out, List<byte[]> terms) throws IOException {
        for (byte[] term : terms) {
            out.write(term);
        }
    }

    private static byte[] term(int tag, Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(tag);
            body.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @FunctionalInterface
    private interface Body {
        void writeTo(DataOutputStream out) throws IOException;
    }
}

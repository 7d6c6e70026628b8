package com.ericsson.otp.erlang;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;

/** Writes terms to an {@link OtpOutputStream}. */
final class TermEncoder {
    private static final int MAX_SMALL = 255;
    private static final int MAX_STRING = 65_535;
    private static final int SMALL_PORT_END = 1 << 28;
    private static final int OLD_FUN_ARITY = -1;

    private TermEncoder() {}

    static void atom(OtpOutputStream out, String atom) {
        byte[] bytes = atom.getBytes(StandardCharsets.UTF_8);
        int length = bytes.length;
        if (length > OtpExternal.maxAtomLength && atom.codePointCount(0, atom.length()) > OtpExternal.maxAtomLength) {
            throw new IllegalArgumentException("Atom may not exceed 255 characters: " + atom);
        }
        if (length <= MAX_SMALL) {
            int at = out.claim(2 + length);
            byte[] target = out.array();
            target[at] = OtpExternal.smallAtomUtf8Tag;
            target[at + 1] = (byte) length;
            System.arraycopy(bytes, 0, target, at + 2, length);
        } else {
            out.write1(OtpExternal.atomUtf8Tag);
            out.write2BE(length);
            out.writeN(bytes);
        }
    }

    static void integer(OtpOutputStream out, long value) {
        if ((value & MAX_SMALL) == value) {
            int at = out.claim(2);
            byte[] target = out.array();
            target[at] = OtpExternal.smallIntTag;
            target[at + 1] = (byte) value;
        } else if (value >= OtpExternal.erlMin && value <= OtpExternal.erlMax) {
            out.head4(OtpExternal.intTag, (int) value);
        } else {
            magnitude(out, value < 0 ? -value : value, value < 0);
        }
    }

    static void unsigned(OtpOutputStream out, long value) {
        if (value >= 0) {
            integer(out, value);
        } else {
            magnitude(out, value, false);
        }
    }

    private static void magnitude(OtpOutputStream out, long magnitude, boolean negative) {
        int length = (Long.SIZE - Long.numberOfLeadingZeros(magnitude) + Byte.SIZE - 1) / Byte.SIZE;
        out.write1(OtpExternal.smallBigTag);
        out.write1(length);
        out.write1(negative ? 1 : 0);
        out.writeLE(magnitude, length);
    }

    static void integer(OtpOutputStream out, BigInteger value) {
        if (value.bitLength() < Long.SIZE) {
            integer(out, value.longValue());
            return;
        }
        byte[] magnitude = value.abs().toByteArray(); // the highest byte first, perhaps behind a zero
        int length = magnitude.length - (magnitude[0] == 0 ? 1 : 0);
        if (length <= MAX_SMALL) {
            out.write1(OtpExternal.smallBigTag);
            out.write1(length);
        } else {
            out.head4(OtpExternal.largeBigTag, length);
        }
        out.write1(value.signum() < 0 ? 1 : 0);
        for (int i = magnitude.length - 1; i >= magnitude.length - length; i--) {
            out.write1(magnitude[i]);
        }
    }

    static void bits(OtpOutputStream out, byte[] bytes, int padBits) {
        if (padBits == 0) {
            out.write_binary(bytes);
            return;
        }
        if (padBits < 0 || padBits >= Byte.SIZE || bytes.length == 0) {
            throw new IllegalArgumentException("unused bits: expected 0..7, got " + padBits + " bytes=" + bytes.length);
        }
        out.head4(OtpExternal.bitBinTag, bytes.length);
        out.write1(Byte.SIZE - padBits);
        out.writeN(bytes);
    }

    static void string(OtpOutputStream out, String text) {
        if (text.isEmpty()) {
            out.write_nil();
        } else if (text.length() <= MAX_STRING && text.chars().allMatch(c -> c <= MAX_SMALL)) {
            out.write1(OtpExternal.stringTag);
            out.write2BE(text.length());
            out.writeN(text.getBytes(StandardCharsets.ISO_8859_1));
        } else {
            out.write_list_head(text.codePointCount(0, text.length()));
            text.codePoints().forEach(out::write_int);
            out.write_nil();
        }
    }

    static void pid(OtpOutputStream out, String node, int id, int serial, int creation) {
        out.write1(OtpExternal.newPidTag);
        out.write_atom(node);
        int at = out.claim(3 * Integer.BYTES);
        out.putBE(at, id, Integer.BYTES);
        out.putBE(at + Integer.BYTES, serial, Integer.BYTES);
        out.putBE(at + 2 * Integer.BYTES, creation, Integer.BYTES);
    }

    static void port(OtpOutputStream out, String node, long id, int creation) {
        boolean small = id >= 0 && id < SMALL_PORT_END;
        int bytes = small ? Integer.BYTES : Long.BYTES;
        out.write1(small ? OtpExternal.newPortTag : OtpExternal.v4PortTag);
        out.write_atom(node);
        out.putBE(out.claim(bytes), id, bytes);
        out.write4BE(creation);
    }

    static void ref(OtpOutputStream out, String node, int[] ids, int creation) {
        out.write1(OtpExternal.newerRefTag);
        out.write2BE(ids.length);
        out.write_atom(node);
        out.write4BE(creation);
        for (int id : ids) {
            out.write4BE(id);
        }
    }

    /** Writes compressed bytes where they are fewer. */
    static void compressed(OtpOutputStream out, OtpErlangObject term, int level) {
        byte[] plain = new OtpOutputStream(term).toByteArray();
        byte[] deflated = new byte[plain.length];
        Deflater deflater = new Deflater(level);
        try {
            deflater.setInput(plain);
            deflater.finish();
            int length = deflater.deflate(deflated);
            if (!deflater.finished() || 1 + Integer.BYTES + length >= plain.length) {
                out.writeN(plain);
            } else {
                out.head4(OtpExternal.compressedTag, plain.length);
                out.write(deflated, 0, length);
            }
        } finally {
            deflater.end();
        }
    }

    static void fun(
            OtpOutputStream out,
            OtpErlangPid pid,
            String module,
            long oldIndex,
            int arity,
            byte[] md5,
            long index,
            long uniq,
            OtpErlangObject[] freeVars) {
        boolean old = arity == OLD_FUN_ARITY;
        int sizeAt = out.count() + 1;
        if (old) {
            out.head4(OtpExternal.funTag, freeVars.length);
            out.write_pid(pid);
        } else {
            out.head4(OtpExternal.newFunTag, 0);
            out.write1(arity);
            out.writeN(md5);
            out.write4BE(index);
            out.write4BE(freeVars.length);
        }
        out.write_atom(module);
        out.write_long(oldIndex);
        out.write_long(uniq);
        if (!old) {
            out.write_pid(pid);
        }
        for (OtpErlangObject freeVar : freeVars) {
            out.write_any(freeVar);
        }
        if (!old) {
            out.poke4BE(sizeAt, out.count() - sizeAt);
        }
    }
}

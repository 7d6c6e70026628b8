package com.ericsson.otp.erlang;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads terms from an {@link OtpInputStream}. Recursion is bounded by the depth that the stream counts. */
final class TermDecoder {
    private static final int MAX_DEPTH = 1000;
    private static final int MAX_INFLATED = 64 << 20;
    private static final int FLOAT_TEXT_BYTES = 31;
    private static final int MD5_BYTES = 16;
    private static final int MAX_REF_WORDS = 5;
    private static final int SMALL_ATOM_TAG = 115; // an atom in ISO 8859-1 with a length of one byte

    private TermDecoder() {}

    static OtpErlangObject any(OtpInputStream in) throws OtpErlangDecodeException {
        int tag = in.peek1skip_version();
        return switch (tag) {
            case OtpExternal.smallIntTag -> new OtpErlangLong(in.read_long(false));
            case OtpExternal.intTag, OtpExternal.smallBigTag, OtpExternal.largeBigTag -> new OtpErlangLong(in);
            case OtpExternal.atomTag, OtpExternal.atomUtf8Tag, OtpExternal.smallAtomUtf8Tag, SMALL_ATOM_TAG ->
                new OtpErlangAtom(in);
            case OtpExternal.floatTag, OtpExternal.newFloatTag -> new OtpErlangDouble(in);
            case OtpExternal.refTag, OtpExternal.newRefTag, OtpExternal.newerRefTag -> ref(in);
            case OtpExternal.portTag, OtpExternal.newPortTag, OtpExternal.v4PortTag -> port(in);
            case OtpExternal.pidTag, OtpExternal.newPidTag -> pid(in);
            case OtpExternal.stringTag -> new OtpErlangString(in);
            case OtpExternal.listTag, OtpExternal.nilTag -> list(in);
            case OtpExternal.smallTupleTag, OtpExternal.largeTupleTag -> new OtpErlangTuple(in);
            case OtpExternal.mapTag -> new OtpErlangMap(in);
            case OtpExternal.binTag -> new OtpErlangBinary(in);
            case OtpExternal.bitBinTag -> new OtpErlangBitstr(in);
            case OtpExternal.compressedTag -> compressed(in);
            case OtpExternal.newFunTag, OtpExternal.funTag -> fun(in);
            case OtpExternal.externalFunTag -> externalFun(in);
            default -> throw new OtpErlangDecodeException("Unknown data type: " + tag);
        };
    }

    /** Reads a number of terms, which are inside of another. */
    static OtpErlangObject[] elements(OtpInputStream in, int number) throws OtpErlangDecodeException {
        OtpErlangObject[] elements = new OtpErlangObject[in.checked(number, 1)];
        enter(in);
        for (int i = 0; i < number; i++) {
            elements[i] = any(in);
        }
        in.depth--;
        return elements;
    }

    /** Reads keys and values of a map in turn. */
    static OtpErlangObject[] pairs(OtpInputStream in, int number) throws OtpErlangDecodeException {
        return elements(in, 2 * in.checked(number, 2));
    }

    /** Reads the elements of a list that came as bytes or as terms; its head was read. */
    static OtpErlangObject[] listElements(OtpInputStream in, int number, boolean areBytes)
            throws OtpErlangDecodeException {
        if (!areBytes) {
            return elements(in, number);
        }
        OtpErlangObject[] elements = new OtpErlangObject[in.checked(number, 1)];
        for (int i = 0; i < number; i++) {
            elements[i] = new OtpErlangLong(in.read1());
        }
        return elements;
    }

    /** Reads the tail behind the elements of a list; null for the empty list. */
    static OtpErlangObject tail(OtpInputStream in) throws OtpErlangDecodeException {
        if (in.peek1() == OtpExternal.nilTag) {
            in.read1();
            return null;
        }
        enter(in);
        OtpErlangObject tail = any(in);
        in.depth--;
        return tail;
    }

    private static void enter(OtpInputStream in) throws OtpErlangDecodeException {
        if (++in.depth > MAX_DEPTH) {
            throw new OtpErlangDecodeException("term nested too deeply: levels=" + in.depth + " most=" + MAX_DEPTH);
        }
    }

    private static OtpErlangObject list(OtpInputStream in) throws OtpErlangDecodeException {
        OtpErlangList list = new OtpErlangList(in);
        if (list.arity() == 0 && !list.isProper()) {
            return list.getLastTail(); // no elements before a tail are the tail itself
        }
        if ((in.flags & OtpInputStream.DECODE_INT_LISTS_AS_STRINGS) == 0 || !list.isProper()) {
            return list;
        }
        StringBuilder text = new StringBuilder(list.arity());
        for (OtpErlangObject element : list) {
            boolean isCode = element instanceof OtpErlangLong code
                    && code.bitLength() < Integer.SIZE
                    && OtpErlangString.isValidCodePoint((int) code.longValue());
            if (!isCode) {
                return list;
            }
            text.appendCodePoint((int) ((OtpErlangLong) element).longValue());
        }
        return new OtpErlangString(text.toString());
    }

    static OtpErlangPid pid(OtpInputStream in) throws OtpErlangDecodeException {
        int tag = in.read1skip_version();
        if (tag != OtpExternal.pidTag && tag != OtpExternal.newPidTag) {
            throw wrong(OtpExternal.pidTag + " or " + OtpExternal.newPidTag, tag);
        }
        String node = in.read_atom();
        int id = in.read4BE();
        int serial = in.read4BE();
        return new OtpErlangPid(tag, node, id, serial, tag == OtpExternal.pidTag ? in.read1() : in.read4BE());
    }

    static OtpErlangPort port(OtpInputStream in) throws OtpErlangDecodeException {
        int tag = in.read1skip_version();
        if (tag != OtpExternal.portTag && tag != OtpExternal.newPortTag && tag != OtpExternal.v4PortTag) {
            throw wrong(OtpExternal.portTag + ", " + OtpExternal.newPortTag + ", or " + OtpExternal.v4PortTag, tag);
        }
        String node = in.read_atom();
        long id = tag == OtpExternal.v4PortTag ? in.read8BE() : in.read4BE();
        return new OtpErlangPort(tag, node, id, tag == OtpExternal.portTag ? in.read1() : in.read4BE());
    }

    static OtpErlangRef ref(OtpInputStream in) throws OtpErlangDecodeException {
        int tag = in.read1skip_version();
        if (tag == OtpExternal.refTag) {
            String node = in.read_atom();
            int id = in.read4BE();
            return new OtpErlangRef(node, id, in.read1());
        }
        if (tag != OtpExternal.newRefTag && tag != OtpExternal.newerRefTag) {
            throw wrong("ref", tag);
        }
        int words = in.read2BE();
        if (words > MAX_REF_WORDS) {
            throw new OtpErlangDecodeException("Ref arity " + words + " too large");
        }
        String node = in.read_atom();
        int creation = tag == OtpExternal.newRefTag ? in.read1() : in.read4BE();
        int[] ids = new int[words];
        for (int i = 0; i < words; i++) {
            ids[i] = in.read4BE();
        }
        return new OtpErlangRef(tag, node, ids, creation);
    }

    static OtpErlangFun fun(OtpInputStream in) throws OtpErlangDecodeException {
        int tag = in.read1skip_version();
        if (tag == OtpExternal.funTag) {
            int freeVars = in.read4BE();
            OtpErlangPid pid = in.read_pid();
            String module = in.read_atom();
            long index = in.read_long();
            long uniq = in.read_long();
            return new OtpErlangFun(pid, module, index, uniq, elements(in, freeVars));
        }
        if (tag != OtpExternal.newFunTag) {
            throw wrong("fun", tag);
        }
        in.read4BE(); // the size, which nobody needs
        int arity = in.read1();
        byte[] md5 = in.readBytes(MD5_BYTES);
        int index = in.read4BE();
        int freeVars = in.read4BE();
        String module = in.read_atom();
        long oldIndex = in.read_long();
        long uniq = in.read_long();
        OtpErlangPid pid = in.read_pid();
        return new OtpErlangFun(pid, module, arity, md5, index, oldIndex, uniq, elements(in, freeVars));
    }

    static OtpErlangExternalFun externalFun(OtpInputStream in) throws OtpErlangDecodeException {
        int tag = in.read1skip_version();
        if (tag != OtpExternal.externalFunTag) {
            throw wrong("external fun", tag);
        }
        String module = in.read_atom();
        String function = in.read_atom();
        return new OtpErlangExternalFun(module, function, in.read_int());
    }

    private static OtpErlangDecodeException wrong(String expected, int got) {
        return new OtpErlangDecodeException("Wrong tag encountered, expected " + expected + ", got " + got);
    }

    static String string(OtpInputStream in) throws OtpErlangDecodeException {
        int tag = in.read1skip_version();
        return switch (tag) {
            case OtpExternal.stringTag -> in.text(in.read2BE(), StandardCharsets.ISO_8859_1);
            case OtpExternal.nilTag -> "";
            case OtpExternal.listTag -> codePoints(in);
            default -> throw wrong(OtpExternal.stringTag + " or " + OtpExternal.listTag, tag);
        };
    }

    private static String codePoints(OtpInputStream in) throws OtpErlangDecodeException {
        int[] codes = new int[in.checked(in.read4BE(), 2)];
        for (int i = 0; i < codes.length; i++) {
            codes[i] = in.read_int();
            if (!OtpErlangString.isValidCodePoint(codes[i])) {
                throw new OtpErlangDecodeException("Invalid CodePoint: " + codes[i]);
            }
        }
        in.read_nil();
        return new String(codes, 0, codes.length);
    }

    static OtpErlangObject compressed(OtpInputStream in) throws OtpErlangDecodeException {
        expect(in.read1skip_version(), OtpExternal.compressedTag);
        int size = in.read4BE();
        if (size < 0 || size > MAX_INFLATED) {
            throw new OtpErlangDecodeException("compressed term too large: bytes=" + (size & 0xffffffffL));
        }
        OtpInputStream inner = new OtpInputStream(in.inflate(size), in.flags);
        inner.depth = in.depth;
        enter(inner);
        return any(inner);
    }

    static String atom(OtpInputStream in) throws OtpErlangDecodeException {
        int tag = in.read1skip_version();
        String atom = switch (tag) {
            case OtpExternal.atomTag -> in.text(in.read2BE(), StandardCharsets.ISO_8859_1);
            case SMALL_ATOM_TAG -> in.text(in.read1(), StandardCharsets.ISO_8859_1);
            case OtpExternal.atomUtf8Tag -> in.text(in.read2BE(), StandardCharsets.UTF_8);
            case OtpExternal.smallAtomUtf8Tag -> in.text(in.read1(), StandardCharsets.UTF_8);
            default ->
                throw new OtpErlangDecodeException("wrong tag encountered, expected " + OtpExternal.atomTag + ", or "
                        + OtpExternal.atomUtf8Tag + ", got " + tag);
        };
        if (atom.length() > OtpExternal.maxAtomLength
                && atom.codePointCount(0, atom.length()) > OtpExternal.maxAtomLength) {
            throw new OtpErlangDecodeException("atom too long: characters=" + atom.codePointCount(0, atom.length()));
        }
        return atom;
    }

    static byte[] bits(OtpInputStream in, int[] padBits) throws OtpErlangDecodeException {
        expect(in.read1skip_version(), OtpExternal.bitBinTag);
        int length = in.read4BE();
        int bits = in.read1();
        if (bits < 1 || bits > Byte.SIZE - 1) {
            throw new OtpErlangDecodeException("Wrong tail bit count in bitstr: " + bits);
        }
        if (length == 0) {
            throw new OtpErlangDecodeException("Length 0 on bitstr with tail bit count: " + bits);
        }
        byte[] bytes = in.readBytes(length);
        padBits[0] = Byte.SIZE - bits;
        bytes[length - 1] &= (byte) (-1 << padBits[0]);
        return bytes;
    }

    static double decimal(OtpInputStream in) throws OtpErlangDecodeException {
        int tag = in.read1skip_version();
        if (tag == OtpExternal.newFloatTag) {
            return Double.longBitsToDouble(in.read8BE());
        }
        if (tag != OtpExternal.floatTag) {
            expect(tag, OtpExternal.newFloatTag);
        }
        String text = in.text(FLOAT_TEXT_BYTES, StandardCharsets.ISO_8859_1);
        try {
            return Double.parseDouble(text.replace("\0", ""));
        } catch (NumberFormatException e) {
            throw new OtpErlangDecodeException("Invalid float format: '" + text + "'");
        }
    }

    static byte[] integer(OtpInputStream in) throws OtpErlangDecodeException {
        int tag = in.read1skip_version();
        return switch (tag) {
            case OtpExternal.smallIntTag -> new byte[] {0, (byte) in.read1()};
            case OtpExternal.intTag -> in.readBytes(Integer.BYTES);
            case OtpExternal.smallBigTag -> big(in, in.read1());
            case OtpExternal.largeBigTag -> big(in, in.read4BE());
            default -> throw new OtpErlangDecodeException("Not valid integer tag: " + tag);
        };
    }

    /** Returns the two's complement of a magnitude, which has its lowest byte first. */
    private static byte[] big(OtpInputStream in, int length) throws OtpErlangDecodeException {
        boolean negative = in.read1() != 0;
        byte[] bytes = new byte[in.checked(length, 1) + 1];
        int carry = negative ? 1 : 0;
        for (int i = length; i > 0; i--) {
            int value = in.read1();
            if (negative) {
                value = (~value & 0xff) + carry;
                carry = value >> Byte.SIZE;
            }
            bytes[i] = (byte) value;
        }
        if (negative) {
            bytes[0] = (byte) (0xff + carry);
        }
        return bytes;
    }

    static long ranged(OtpInputStream in, long min, long max, String type) throws OtpErlangDecodeException {
        long value = in.read_long(false);
        if (value < min || value > max) {
            throw new OtpErlangDecodeException("Value does not fit in " + type + ": " + value);
        }
        return value;
    }

    static long unsigned(OtpInputStream in, long max, String type) throws OtpErlangDecodeException {
        long value = in.read_long(false);
        if (value < 0) {
            throw new OtpErlangDecodeException("Value not unsigned: " + value);
        }
        if (value > max) {
            throw new OtpErlangDecodeException("Value does not fit in " + type + ": " + value);
        }
        return value;
    }

    /** Returns the number that bytes are in two's complement, the highest first. */
    static long toLong(byte[] bytes, boolean unsigned) throws OtpErlangDecodeException {
        if (bytes.length == 0) {
            return 0;
        }
        if (unsigned && bytes[0] < 0) {
            throw new OtpErlangDecodeException("Value not unsigned: " + Arrays.toString(bytes));
        }
        if (bytes.length > Long.BYTES && new BigInteger(bytes).bitLength() > (unsigned ? Long.SIZE : Long.SIZE - 1)) {
            throw new OtpErlangDecodeException("Value does not fit in long: " + Arrays.toString(bytes));
        }
        long value = bytes[0]; // with its sign
        for (int i = 1; i < bytes.length; i++) {
            value = value << Byte.SIZE | (bytes[i] & 0xff);
        }
        return value;
    }

    static void expect(int got, int expected) throws OtpErlangDecodeException {
        if (got != expected) {
            throw new OtpErlangDecodeException("Wrong tag encountered, expected " + expected + ", got " + got);
        }
    }
}

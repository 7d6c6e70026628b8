package dev.touchstone.jinterface;

import com.ericsson.otp.erlang.OtpErlangAtom;
import com.ericsson.otp.erlang.OtpErlangBinary;
import com.ericsson.otp.erlang.OtpErlangDecodeException;
import com.ericsson.otp.erlang.OtpErlangException;
import com.ericsson.otp.erlang.OtpErlangInt;
import com.ericsson.otp.erlang.OtpErlangList;
import com.ericsson.otp.erlang.OtpErlangLong;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangString;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpExternal;
import com.ericsson.otp.erlang.OtpInputStream;
import com.ericsson.otp.erlang.OtpOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Changes that the echo server makes to a term before it sends it back. A term that a twist is not for comes back as it is. */
final class EchoTwist {
    private static final int LATIN1_END = 0x100;

    private final boolean unicode;
    private final Set<OtpErlangObject> seen = new HashSet<>();

    /**
     * Creates the changes.
     *
     * @param unicode whether a list of code points is text also where one of them is not Latin-1
     */
    EchoTwist(boolean unicode) {
        this.unicode = unicode;
    }

    OtpErlangObject apply(OtpErlangObject term, OtpErlangObject twist) throws OtpErlangException {
        seen.add(term);
        OtpErlangObject twisted = twist instanceof OtpErlangAtom atom ? twisted(term, atom.atomValue()) : null;
        return twisted == null ? term : twisted;
    }

    private @Nullable OtpErlangObject twisted(OtpErlangObject term, String twist) throws OtpErlangException {
        return switch (twist) {
            case "hash_lookup" -> new OtpErlangAtom(seen.contains(term));
            case "hash_clear" -> {
                seen.clear();
                yield new OtpErlangAtom("hash_cleared");
            }
            case "compress" -> new OtpErlangBinary(compressed(term));
            case "binary" -> term instanceof OtpErlangBinary binary ? decoded(binary) : null;
            case "bigint" -> term instanceof OtpErlangLong number ? integer(number) : null;
            case "tail" -> tail(term, 1);
            case "tail3" -> tail(term, 3);
            case "strcat" -> concatenated(term);
            default -> text(term, twist);
        };
    }

    private static byte[] compressed(OtpErlangObject term) {
        OtpOutputStream out = new OtpOutputStream();
        out.write1(OtpExternal.versionTag);
        out.write_compressed(term);
        return out.toByteArray();
    }

    private static OtpErlangObject decoded(OtpErlangBinary binary) throws OtpErlangDecodeException {
        return new OtpInputStream(binary.binaryValue()).read_any();
    }

    /** Returns {@code {Integer, signed bits, as a long, whether it is one, whether it is an unsigned one}}. */
    private static OtpErlangObject integer(OtpErlangLong number) {
        return new OtpErlangTuple(new OtpErlangObject[] {
            number,
            new OtpErlangLong((long) number.signum() * number.bitLength()),
            new OtpErlangLong(number.longValue()),
            new OtpErlangInt(number.isLong() ? 1 : 0),
            new OtpErlangInt(number.isULong() ? 1 : 0)
        });
    }

    /** Returns what follows the first {@code skipped} elements; the atom {@code null} where there are not as many. */
    private static @Nullable OtpErlangObject tail(OtpErlangObject term, int skipped) {
        OtpErlangList list = list(term);
        if (list == null) {
            return null;
        }
        OtpErlangObject tail = list.getNthTail(skipped);
        return tail == null ? new OtpErlangAtom("null") : tail;
    }

    private static @Nullable OtpErlangList list(OtpErlangObject term) {
        if (term instanceof OtpErlangString string) {
            return new OtpErlangList(string.stringValue());
        }
        return term instanceof OtpErlangList list ? list : null;
    }

    private @Nullable OtpErlangObject concatenated(OtpErlangObject term) throws OtpErlangException {
        OtpErlangList list = list(term);
        if (list == null) {
            return null;
        }
        StringBuilder joined = new StringBuilder();
        for (OtpErlangObject element : list) {
            String part = text(element, unicode);
            if (part == null) {
                return null;
            }
            joined.append(part);
        }
        return new OtpErlangString(joined.toString());
    }

    private @Nullable OtpErlangObject text(OtpErlangObject term, String twist) throws OtpErlangException {
        // the one that is asked to make a string of a list, whether or not it came as one
        String text = text(term, unicode || twist.equals("to_string_neg_int_list"));
        if (text == null) {
            return null;
        }
        return switch (twist) {
            case "sub3atom" -> new OtpErlangAtom(text.substring(3));
            case "utf8" -> new OtpErlangBinary(text.getBytes(StandardCharsets.UTF_8));
            case "to_string_neg_int_list" -> negated(text.chars());
            case "to_neg_int_list" -> negated(text.codePoints());
            default -> null;
        };
    }

    private static @Nullable String text(OtpErlangObject term, boolean anyCodePoint) throws OtpErlangException {
        OtpErlangList list = list(term);
        if (list == null || !list.isProper()) {
            return null;
        }
        int end = anyCodePoint ? Character.MAX_CODE_POINT + 1 : LATIN1_END;
        for (OtpErlangObject element : list) {
            boolean isText = element instanceof OtpErlangLong code
                    && code.signum() >= 0
                    && code.bitLength() < Integer.SIZE
                    && code.intValue() < end
                    && OtpErlangString.isValidCodePoint(code.intValue());
            if (!isText) {
                return null;
            }
        }
        return list.stringValue();
    }

    private static OtpErlangList negated(IntStream values) {
        return new OtpErlangList(
                values.mapToObj(value -> new OtpErlangInt(-value)).toArray(OtpErlangObject[]::new));
    }
}

package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.BigInt;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.BitString;
import dev.touchstone.messaging.term.ErlFloat;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.ExportFun;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import java.nio.charset.StandardCharsets;

/** A reader of terms that contain no terms, but for parts of a fixed kind, as a pid's node. */
final class ScalarDecoder {
    /** Shortest binary that is a slice; a shorter slice would keep an array of many times its size. */
    private static final int MIN_SLICE_BYTES = 1024;

    private final Input in;
    private final Atoms atoms;
    private final Identifiers identifiers;

    ScalarDecoder(Input in, Atoms atoms, Identifiers identifiers) {
        this.in = in;
        this.atoms = atoms;
        this.identifiers = identifiers;
    }

    /** Returns the term whose tag was just read. */
    Term read(int tag) {
        // the most frequent kinds only, so that this method is small enough to be inlined
        if (tag == Tag.SMALL_ATOM_UTF8) {
            return atoms.utf8(in.u8());
        }
        if (tag == Tag.SMALL_INTEGER) {
            return Int.of(in.u8());
        }
        if (tag == Tag.INTEGER) {
            return Int.of(in.i32());
        }
        return tag == Tag.BINARY ? binary(in.count()) : readOther(tag);
    }

    private Term readOther(int tag) {
        return switch (tag) {
            case Tag.NIL -> ErlList.EMPTY;
            case Tag.STRING -> string(in.u16());
            case Tag.SMALL_BIG -> big(in.u8());
            case Tag.LARGE_BIG -> big(in.count());
            case Tag.NEW_PID, Tag.PID -> identifiers.pid(tag);
            case Tag.NEWER_REFERENCE, Tag.NEW_REFERENCE, Tag.REFERENCE -> identifiers.ref(tag);
            case Tag.V4_PORT, Tag.NEW_PORT, Tag.PORT -> identifiers.port(tag);
            case Tag.NEW_FLOAT, Tag.FLOAT -> ErlFloat.of(real(tag));
            case Tag.ATOM_UTF8, Tag.SMALL_ATOM, Tag.ATOM, Tag.ATOM_CACHE_REF -> atoms.read(tag);
            case Tag.BIT_BINARY -> bits(in.count());
            case Tag.EXPORT -> export();
            default -> throw in.unexpected("a term", tag);
        };
    }

    private Binary binary(int length) {
        int at = in.take(length);
        return in.retained && length >= MIN_SLICE_BYTES
                ? Binary.wrap(in.buffer, at, length)
                : Binary.of(in.buffer, at, length);
    }

    private Term bits(int length) {
        int lastBits = in.u8();
        boolean whole = (lastBits == 8 && length > 0) || (lastBits == 0 && length == 0);
        if (whole) {
            return binary(length);
        }
        if (lastBits < 1 || lastBits > 7 || length == 0) {
            throw new MalformedTermException(
                    "not a bit string: length=" + length + " lastBits=" + lastBits + "; expected lastBits=1..8",
                    in.position);
        }
        return BitString.of(in.buffer, in.take(length), length, lastBits);
    }

    private ErlList string(int length) {
        return ErlList.ofBytes(in.buffer, in.take(length), length);
    }

    private Term big(int length) {
        boolean negative = in.u8() != 0;
        return BigInt.ofLittleEndian(negative, in.buffer, in.take(length), length);
    }

    private ExportFun export() {
        Atom module = atoms.read(in.u8());
        Atom function = atoms.read(in.u8());
        int tag = in.u8();
        if (tag != Tag.SMALL_INTEGER) {
            throw in.unexpected("an arity", tag);
        }
        return ExportFun.of(module, function, in.u8());
    }

    /** Returns the integer whose tag was just read, where it fits a {@code long}. */
    long integer(int tag) {
        if (tag == Tag.SMALL_INTEGER) {
            return in.u8();
        }
        if (tag == Tag.INTEGER) {
            return in.i32();
        }
        int start = in.position - 1;
        if (tag != Tag.SMALL_BIG && tag != Tag.LARGE_BIG) {
            throw in.unexpected("an integer", tag);
        }
        if (read(tag) instanceof Int number) {
            return number.value();
        }
        throw new MalformedTermException("integer does not fit a long: tag=" + tag, start);
    }

    /** Returns the finite number whose tag was just read. */
    double real(int tag) {
        int start = in.position - 1;
        if (tag != Tag.NEW_FLOAT && tag != Tag.FLOAT) {
            throw in.unexpected("a float", tag);
        }
        double value = tag == Tag.NEW_FLOAT ? Double.longBitsToDouble(in.i64()) : textual();
        if (!Double.isFinite(value)) {
            throw new MalformedTermException("not a finite number: value=" + value, start);
        }
        return value;
    }

    /** Reads a number as C prints it, padded with zero bytes. Returns NaN for some malformed ones. */
    private double textual() {
        int at = in.take(Tag.FLOAT_BYTES);
        int length = 0;
        while (length < Tag.FLOAT_BYTES && "0123456789.+-eE".indexOf(in.buffer[at + length]) >= 0) {
            length++;
        }
        boolean padded = length < Tag.FLOAT_BYTES && in.buffer[at + length] == 0;
        try {
            String text = new String(in.buffer, at, length, StandardCharsets.US_ASCII);
            return padded || length == Tag.FLOAT_BYTES ? Double.parseDouble(text) : Double.NaN;
        } catch (NumberFormatException e) {
            throw new MalformedTermException("float is not the text of a number", at, e);
        }
    }
}

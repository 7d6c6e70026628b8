package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.BigInt;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.BitString;
import dev.touchstone.messaging.term.ErlFloat;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.ErlMap;
import dev.touchstone.messaging.term.ExportFun;
import dev.touchstone.messaging.term.Fun;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Port;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import org.jspecify.annotations.Nullable;

/** A writer of terms of any depth: compound terms whose parts are not all written are kept on the heap. Not thread-safe. */
final class Encoder {
    private static final int WHOLE = -1;
    private static final int HEADER_BYTES = 5; // a tag and a number

    private final TermWriter out;

    /** A compound term that waits for one of its parts to be written. Made anew each time, like the decoder's frames. */
    private record Waiting(@Nullable Waiting outer, Term whole, int next, int start) {}

    Encoder(TermWriter out) {
        this.out = out;
    }

    void write(Term root) {
        if (writeLeaf(root)) {
            return;
        }
        writeDeep(root);
    }

    private void writeDeep(Term root) {
        Waiting waiting = null;
        Term whole = root;
        int start = out.position();
        int stop = begin(whole);
        for (; ; ) {
            while (stop != WHOLE) {
                if (stop + 1 < parts(whole) || whole instanceof Fun) { // with its last part a term is complete
                    waiting = new Waiting(waiting, whole, stop + 1, start);
                }
                whole = part(whole, stop);
                start = out.position();
                stop = begin(whole);
            }
            end(whole, start);
            if (waiting == null) {
                return;
            }
            whole = waiting.whole;
            start = waiting.start;
            stop = writeParts(whole, waiting.next);
            waiting = waiting.outer;
        }
    }

    /** Writes the fields that are known only when all parts are written. */
    private void end(Term term, int start) {
        if (term instanceof Fun) {
            out.putIntAt(start + 1, out.position() - start - 1);
        }
    }

    /** Writes a term that has no parts. Returns false, with nothing written, where the term may have some. */
    private boolean writeLeaf(Term term) {
        if (term instanceof Int number) {
            out.writeInt(number.value());
        } else if (term instanceof Atom atom) {
            out.writeAtom(atom);
        } else if (term instanceof Tuple) {
            return false;
        } else if (term instanceof Binary binary) {
            writeBinary(binary);
        } else if (term instanceof ErlList list) {
            return writePacked(list);
        } else if (term instanceof BigInt big) {
            int at = out.reserve(big.encodedLength());
            big.copyEncoded(out.array(), at);
        } else if (term instanceof Pid pid) {
            out.writePid(pid);
        } else if (term instanceof Ref ref) {
            out.writeRef(ref);
        } else {
            return writeRare(term);
        }
        return true;
    }

    private void writeBinary(Binary binary) {
        int length = binary.length();
        int at = out.reserve(HEADER_BYTES + length);
        byte[] to = out.array();
        to[at] = Tag.BINARY;
        out.putIntAt(at + 1, length);
        binary.copyTo(to, at + HEADER_BYTES);
    }

    private boolean writeRare(Term term) {
        if (term instanceof ErlFloat real) {
            out.writeDouble(real.value());
        } else if (term instanceof BitString bits) {
            out.writeHeader(Tag.BIT_BINARY, bits.byteLength());
            out.putByte(bits.lastBits());
            int at = out.reserve(bits.byteLength());
            bits.copyTo(out.array(), at);
        } else if (term instanceof Port port) {
            out.writePort(port);
        } else if (term instanceof ExportFun fun) {
            out.putByte(Tag.EXPORT);
            out.writeAtom(fun.module());
            out.writeAtom(fun.function());
            out.writeInt(fun.arity());
        } else {
            return false;
        }
        return true;
    }

    private boolean writePacked(ErlList list) {
        if (!list.isPacked()) {
            return false;
        }
        int size = list.size();
        if (size == 0) {
            out.writeNil();
        } else if (list.isPackedBytes() && size <= Tag.MAX_STRING) {
            out.putByte(Tag.STRING);
            out.putShort(size);
            int at = out.reserve(size);
            list.copyBytes(out.array(), at);
        } else {
            out.writeListHeader(size);
            out.writeInts(list);
            out.writeNil();
        }
        return true;
    }

    /** Writes the fields before the parts, then parts; returns what {@link #writeParts} does. */
    private int begin(Term term) {
        if (term instanceof Tuple tuple) {
            out.writeTupleHeader(tuple.size());
        } else if (term instanceof ErlList list) {
            out.writeListHeader(list.size());
        } else if (term instanceof ErlMap map) {
            out.writeMapHeader(map.size());
        } else {
            beginFun((Fun) term);
        }
        return writeParts(term, 0);
    }

    private void beginFun(Fun fun) {
        out.writeHeader(Tag.NEW_FUN, 0); // end() writes the size
        out.putByte(fun.arity());
        out.putBytes(fun.uniq(), 0, Fun.UNIQ_BYTES);
        out.putInt(fun.index());
        out.putInt(fun.freeCount());
        out.writeAtom(fun.module());
        out.writeInt(fun.oldIndex());
        out.writeInt(fun.oldUniq());
        out.writePid(fun.pid());
    }

    /** Writes parts without parts of their own, from {@code from} on; returns the index of the first other one, or {@code WHOLE}. */
    private int writeParts(Term whole, int from) {
        int count = parts(whole);
        byte[] to = out.array();
        int at = out.position();
        for (int i = from; i < count; i++) {
            Term part = part(whole, i);
            if (part instanceof Int number && to.length - at >= TermWriter.LONG_BYTES) {
                at = TermWriter.put(to, at, number.value());
            } else if (part instanceof Atom atom && to.length - at >= atom.encodedLength()) {
                atom.copyEncoded(to, at);
                at += atom.encodedLength();
            } else {
                out.advance(at);
                if (!writeLeaf(part)) {
                    return i;
                }
                to = out.array();
                at = out.position();
            }
        }
        out.advance(at);
        return WHOLE;
    }

    /** Returns the number of parts; the tail of a list is one. */
    private static int parts(Term whole) {
        if (whole instanceof Tuple tuple) {
            return tuple.size();
        }
        if (whole instanceof ErlList list) {
            return list.size() + 1;
        }
        return whole instanceof ErlMap map ? 2 * map.size() : ((Fun) whole).freeCount();
    }

    private static Term part(Term whole, int at) {
        if (whole instanceof Tuple tuple) {
            return tuple.get(at);
        }
        if (whole instanceof ErlList list) {
            return at == list.size() ? list.tail() : list.get(at);
        }
        if (whole instanceof ErlMap map) {
            return (at & 1) == 0 ? map.keyAt(at >> 1) : map.valueAt(at >> 1);
        }
        return ((Fun) whole).free(at);
    }
}

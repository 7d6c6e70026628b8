package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.ErlMap;
import dev.touchstone.messaging.term.Fun;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A reader of terms of any depth: compound terms whose parts are not all read are kept on the heap. Not thread-safe. */
final class Decoder {
    /*
     * A compound term with compound parts is a frame; a part that is compound itself makes a frame within it, until that part is
     * whole. Frames are made anew for each term: writing references to young objects into old ones costs more than that.
     *
     * Invariant: a frame's reserved is the number of parts, and of lists' tails, that the frames around it still wait for, without
     * those that are being read. Each takes a byte at least, so a compound term may only have as many parts as there are bytes left
     * for after those. Thus all arrays together have at most as many elements as there are bytes.
     */
    private final Input in;
    private final Atoms atoms;
    private final ScalarDecoder leaves;
    private final Identifiers identifiers;
    private final DecodeLimits limits;
    private long elements;

    Decoder(Input in, Atoms atoms, ScalarDecoder leaves, Identifiers identifiers, DecodeLimits limits) {
        this.in = in;
        this.atoms = atoms;
        this.leaves = leaves;
        this.identifiers = identifiers;
        this.limits = limits;
    }

    /** Returns how many elements the term read last had, all its tuples, lists and maps together. */
    long elements() {
        return elements;
    }

    Term read() {
        int tag = in.u8();
        elements = 0;
        if (!Tag.isCompound(tag)) {
            return leaves.read(tag);
        }
        Object opened = open(tag, null);
        return opened instanceof Frame frame ? readParts(frame) : (Term) opened;
    }

    private Term readParts(Frame outermost) {
        Frame frame = outermost;
        for (; ; ) {
            Object filled = fill(frame);
            if (filled instanceof Frame next) {
                frame = next;
                continue;
            }
            Frame outer = frame.outer;
            if (outer == null) {
                return (Term) filled;
            }
            outer.parts[outer.at++] = (Term) filled;
            frame = outer;
        }
    }

    /** Reads parts of a frame. Returns the term if that completed it, else the frame whose parts are to be read next. */
    private Object fill(Frame frame) {
        Term[] to = frame.parts;
        int end = frame.total;
        for (int i = frame.at; i < end; i++) {
            int tag = in.u8();
            if (Tag.isCompound(tag)) {
                frame.at = i;
                Object part = open(tag, frame);
                if (part instanceof Frame) {
                    return part;
                }
                to[i] = (Term) part;
            } else {
                to[i] = leaves.read(tag);
            }
        }
        frame.at = end;
        return close(frame);
    }

    /**
     * Begins the compound term whose tag was just read, a part of {@code outer}. Returns the term if it is complete already, else its
     * frame.
     */
    private Object open(int tag, @Nullable Frame outer) {
        return switch (tag) {
            case Tag.SMALL_TUPLE -> openTuple(in.u8(), outer);
            case Tag.LARGE_TUPLE -> openTuple(in.count(), outer);
            case Tag.LIST -> openList(in.count(), outer);
            case Tag.MAP -> openMap(in.count(), outer);
            default -> openFun(outer);
        };
    }

    private Object openTuple(int arity, @Nullable Frame outer) {
        if (arity == 0) {
            return Tuple.EMPTY;
        }
        claim(arity, arity, outer);
        Term[] parts = new Term[arity];
        for (int i = 0; i < arity; i++) {
            int tag = in.u8();
            if (Tag.isCompound(tag)) {
                in.position--;
                return new Frame(outer, Frame.TUPLE, parts, i);
            }
            parts[i] = leaves.read(tag);
        }
        return Tuple.wrap(parts);
    }

    private Object openMap(int size, @Nullable Frame outer) {
        if (size == 0) {
            return ErlMap.EMPTY;
        }
        long terms = 2L * size;
        claim(terms, terms, outer);
        return new Frame(outer, Frame.MAP, new Term[(int) terms], 0);
    }

    private Object openList(int length, @Nullable Frame outer) {
        int count = length;
        while (count == 0) {
            int tag = in.u8(); // a list without elements is its tail
            if (tag != Tag.LIST) {
                return Tag.isCompound(tag) ? open(tag, outer) : leaves.read(tag);
            }
            count = in.count();
        }
        claim(count + 1L, count, outer);
        if (!in.mayBeIntegers(count)) {
            return new Frame(outer, Frame.LIST, new Term[count], 0);
        }
        long[] integers = new long[count];
        int found = in.integers(integers);
        if (found == count && in.remaining() > 0 && in.peek() == Tag.NIL) {
            in.position++;
            return ErlList.wrapLongs(integers);
        }
        Term[] parts = new Term[count];
        for (int i = 0; i < found; i++) {
            parts[i] = Int.of(integers[i]);
        }
        return new Frame(outer, Frame.LIST, parts, found);
    }

    private Object openFun(@Nullable Frame outer) {
        in.i32(); // bytes of the whole fun, which follow from its parts
        int arity = in.u8();
        byte[] uniq = Arrays.copyOfRange(in.buffer, in.take(Fun.UNIQ_BYTES), in.position);
        int index = in.i32();
        int free = in.count();
        Atom module = atoms.read(in.u8());
        int oldIndex = int32();
        int oldUniq = int32();
        Pid pid = identifiers.pid(in.u8());
        Fun head = Fun.of(arity, uniq, index, module, oldIndex, oldUniq, pid);
        if (free == 0) {
            return head;
        }
        claim(free, free, outer);
        Term[] parts = new Term[free + 1];
        parts[0] = head;
        return new Frame(outer, Frame.FUN, parts, 1);
    }

    private int int32() {
        int start = in.position;
        long value = leaves.integer(in.u8());
        if (value != (int) value && value >>> Integer.SIZE != 0) {
            throw new MalformedTermException("field of a fun has more than 32 bits: value=" + value, start);
        }
        return (int) value;
    }

    /** Checks a compound term within {@code outer} against the limits, before its parts are allocated. */
    private void claim(long bytesNeeded, long newElements, @Nullable Frame outer) {
        int depth = outer == null ? 1 : outer.depth + 1;
        if (depth > limits.maxDepth()) {
            throw new TermLimitException("maxDepth", depth, limits.maxDepth());
        }
        claimMore(bytesNeeded, newElements, outer == null ? 0 : outer.reserved + outer.left());
    }

    private void claimMore(long bytesNeeded, long newElements, long reserved) {
        if (bytesNeeded > in.remaining() - reserved) {
            throw new MalformedTermException(
                    "parts need more than the bytes that are left: needed=" + bytesNeeded + " left="
                            + (in.remaining() - reserved),
                    in.position);
        }
        elements += newElements;
        if (elements > limits.maxElements()) {
            throw new TermLimitException("maxElements", elements, limits.maxElements());
        }
    }

    /** Makes the term of a frame whose parts are all read; returns the frame itself if its tail adds more parts. */
    private Object close(Frame frame) {
        Term[] parts = frame.parts;
        return switch (frame.kind) {
            case Frame.TUPLE -> Tuple.wrap(parts);
            case Frame.LIST -> closeList(frame);
            case Frame.IMPROPER -> ErlList.wrap(Arrays.copyOf(parts, frame.total - 1), parts[frame.total - 1]);
            case Frame.MAP -> closeMap(parts);
            default -> ((Fun) parts[0]).withFree(Arrays.copyOfRange(parts, 1, frame.total));
        };
    }

    /** Makes a map, whose keys may be equal or collide. */
    private Term closeMap(Term[] parts) {
        try {
            return ErlMap.wrap(parts);
        } catch (IllegalArgumentException e) {
            throw new MalformedTermException(String.valueOf(e.getMessage()), in.position, e);
        }
    }

    /** Reads the tail. Elements of a tail that is a list are appended; another tail becomes the last part. */
    private Object closeList(Frame list) {
        int tag = in.u8();
        if (tag == Tag.NIL) {
            return ErlList.wrap(list.trimmed(), ErlList.EMPTY);
        }
        if (tag == Tag.STRING) {
            int more = in.u16();
            claimMore(more, more, list.reserved);
            int at = list.total;
            list.grow(more);
            in.bytes(list.parts, at, more);
            return ErlList.wrap(list.trimmed(), ErlList.EMPTY);
        }
        if (tag == Tag.LIST) {
            int more = in.count();
            claimMore(more + 1L, more, list.reserved);
            list.grow(more);
            return list;
        }
        in.position--;
        claimMore(1, 1, list.reserved);
        list.grow(1);
        list.kind = Frame.IMPROPER;
        return list;
    }
}

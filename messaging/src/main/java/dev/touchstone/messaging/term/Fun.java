package dev.touchstone.messaging.term;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fun of an Erlang module, which only Erlang can call: kept as what it was sent as. */
public final class Fun implements Term {
    /** Bytes of {@link #uniq}. */
    public static final int UNIQ_BYTES = 16;

    private final int arity;
    private final byte[] uniq;
    private final int index;
    private final Atom module;
    private final int oldIndex;
    private final int oldUniq;
    private final Pid pid;
    private final Term[] free;

    private Fun(int arity, byte[] uniq, int index, Atom module, int oldIndex, int oldUniq, Pid pid, Term[] free) {
        this.arity = arity;
        this.uniq = uniq;
        this.index = index;
        this.module = Objects.requireNonNull(module, "module");
        this.oldIndex = oldIndex;
        this.oldUniq = oldUniq;
        this.pid = Objects.requireNonNull(pid, "pid");
        this.free = free;
    }

    /**
     * The fields of NEW_FUN_EXT, in its order.
     *
     * @param arity from 0 to 255
     * @param uniq 16 bytes, which are copied
     * @throws IllegalArgumentException if the arity or the length of {@code uniq} is another
     */
    public static Fun of(
            int arity, byte[] uniq, int index, Atom module, int oldIndex, int oldUniq, Pid pid, Term... free) {
        if (arity < 0 || arity > 255 || uniq.length != UNIQ_BYTES) {
            throw new IllegalArgumentException("not a fun: arity=" + arity + " uniqBytes=" + uniq.length
                    + "; expected arity=0..255 uniqBytes=" + UNIQ_BYTES);
        }
        return new Fun(arity, uniq.clone(), index, module, oldIndex, oldUniq, pid, requireNoNull(free.clone()));
    }

    private static Term[] requireNoNull(Term[] terms) {
        for (Term term : terms) {
            Objects.requireNonNull(term, "free variable");
        }
        return terms;
    }

    /** The same fun with other free variables. */
    public Fun withFree(Term... variables) {
        return new Fun(arity, uniq, index, module, oldIndex, oldUniq, pid, requireNoNull(variables.clone()));
    }

    public int arity() {
        return arity;
    }

    /** The MD5 digest of the module: 16 bytes. */
    public byte[] uniq() {
        return uniq.clone();
    }

    public int index() {
        return index;
    }

    public Atom module() {
        return module;
    }

    public int oldIndex() {
        return oldIndex;
    }

    public int oldUniq() {
        return oldUniq;
    }

    /** The process that made the fun. */
    public Pid pid() {
        return pid;
    }

    public int freeCount() {
        return free.length;
    }

    /**
     * A free variable, counted from 0.
     *
     * @throws IndexOutOfBoundsException if there is no such variable
     */
    public Term free(int at) {
        return free[at];
    }

    /** Equality but for the free variables. */
    boolean equalsHead(Fun other) {
        return arity == other.arity
                && index == other.index
                && oldIndex == other.oldIndex
                && oldUniq == other.oldUniq
                && Arrays.equals(uniq, other.uniq)
                && module.equals(other.module)
                && pid.equals(other.pid);
    }

    int headHash() {
        return HashFunction.of(uniq, 0, uniq.length) ^ HashFunction.of(index, arity) ^ module.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Fun fun && free.length == fun.free.length && TermComparator.equal(this, fun));
    }

    @Override
    public int hashCode() {
        return TermHash.of(this);
    }

    @Override
    public String toString() {
        return "#Fun<" + module.name() + '.' + oldIndex + '.' + oldUniq + '>';
    }
}

package dev.touchstone.messaging.term;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fun of an Erlang module, which only Erlang can call. Its fields are kept as they were sent, so that it can be sent back. */
public final class Fun implements Term {
    /** Length of {@link #uniq}, in bytes. */
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
     * Returns a fun of the fields of {@code NEW_FUN_EXT}, in the order of that format.
     *
     * @param arity number of arguments, from 0 to 255
     * @param uniq MD5 digest of the module's code, 16 bytes; copied
     * @param index number of the fun in its module
     * @param module the module
     * @param oldIndex number of the fun in its module, as older nodes count
     * @param oldUniq hash of the fun's parse tree
     * @param pid the process that made the fun
     * @param free values of the free variables; the array is copied
     * @return the fun
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

    /**
     * Returns the same fun with other free variables.
     *
     * @param variables values of the free variables; the array is copied
     * @return the other fun
     */
    public Fun withFree(Term... variables) {
        return new Fun(arity, uniq, index, module, oldIndex, oldUniq, pid, requireNoNull(variables.clone()));
    }

    /**
     * Returns the number of arguments.
     *
     * @return 0 to 255
     */
    public int arity() {
        return arity;
    }

    /**
     * Returns the MD5 digest of the module's code.
     *
     * @return a copy, 16 bytes
     */
    public byte[] uniq() {
        return uniq.clone();
    }

    /**
     * Returns the number of the fun in its module.
     *
     * @return the field as sent; unsigned
     */
    public int index() {
        return index;
    }

    /**
     * Returns the module that the fun is of.
     *
     * @return the module's name
     */
    public Atom module() {
        return module;
    }

    /**
     * Returns the number of the fun in its module, as older nodes count.
     *
     * @return the field as sent
     */
    public int oldIndex() {
        return oldIndex;
    }

    /**
     * Returns the hash of the fun's parse tree.
     *
     * @return the field as sent
     */
    public int oldUniq() {
        return oldUniq;
    }

    /**
     * Returns the process that made the fun.
     *
     * @return the process's identifier
     */
    public Pid pid() {
        return pid;
    }

    /**
     * Returns the number of free variables.
     *
     * @return 0 or more
     */
    public int freeCount() {
        return free.length;
    }

    /**
     * Returns the value of one free variable.
     *
     * @param at counted from 0
     * @return the value
     * @throws IndexOutOfBoundsException if there is no such variable
     */
    public Term free(int at) {
        return free[at];
    }

    /** Compares all fields but the free variables. */
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

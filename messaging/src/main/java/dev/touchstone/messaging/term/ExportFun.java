package dev.touchstone.messaging.term;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fun that names an exported function: {@code fun module:function/arity}. */
public final class ExportFun implements Term {
    private final Atom module;
    private final Atom function;
    private final int arity;

    private ExportFun(Atom module, Atom function, int arity) {
        this.module = Objects.requireNonNull(module, "module");
        this.function = Objects.requireNonNull(function, "function");
        this.arity = arity;
    }

    /**
     * Returns the fun of a name and an arity; nothing is looked up.
     *
     * @param module the function's module
     * @param function the function's name
     * @param arity number of arguments, from 0 to 255
     * @return the fun
     * @throws IllegalArgumentException for another arity
     */
    public static ExportFun of(Atom module, Atom function, int arity) {
        if (arity < 0 || arity > 255) {
            throw new IllegalArgumentException("not an arity: arity=" + arity + "; expected=0..255");
        }
        return new ExportFun(module, function, arity);
    }

    /**
     * Returns the function's module.
     *
     * @return the module's name
     */
    public Atom module() {
        return module;
    }

    /**
     * Returns the function's name.
     *
     * @return the name, without its module
     */
    public Atom function() {
        return function;
    }

    /**
     * Returns the number of arguments.
     *
     * @return 0 to 255
     */
    public int arity() {
        return arity;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ExportFun fun
                && arity == fun.arity
                && module.equals(fun.module)
                && function.equals(fun.function);
    }

    @Override
    public int hashCode() {
        return HashFunction.of(module.hashCode(), function.hashCode()) + arity;
    }

    @Override
    public String toString() {
        return "fun " + module + ':' + function + '/' + arity;
    }
}

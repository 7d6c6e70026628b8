package dev.touchstone.messaging.term;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The identifier of a port of an Erlang node. */
public final class Port implements Term {
    private final Atom node;
    private final long id;
    private final int creation;

    private Port(Atom node, long id, int creation) {
        this.node = node;
        this.id = id;
        this.creation = creation;
    }

    /** The numbers are unsigned. */
    public static Port of(Atom node, long id, int creation) {
        return new Port(Objects.requireNonNull(node, "node"), id, creation);
    }

    public Atom node() {
        return node;
    }

    public long id() {
        return id;
    }

    public int creation() {
        return creation;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Port port && id == port.id && creation == port.creation && node.equals(port.node);
    }

    @Override
    public int hashCode() {
        return HashFunction.of(id) ^ node.hashCode() ^ creation;
    }

    @Override
    public String toString() {
        return "#Port<" + node.name() + '.' + Long.toUnsignedString(id) + '>';
    }
}

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

    /**
     * Returns a port of its three fields.
     *
     * @param node name of the port's node, {@code alive@host}
     * @param id unsigned, 64 bits
     * @param creation the node's life; unsigned, 32 bits
     * @return the port
     */
    public static Port of(Atom node, long id, int creation) {
        return new Port(Objects.requireNonNull(node, "node"), id, creation);
    }

    /**
     * Returns the name of the port's node.
     *
     * @return {@code alive@host}
     */
    public Atom node() {
        return node;
    }

    /**
     * Returns the port's number.
     *
     * @return unsigned, 64 bits
     */
    public long id() {
        return id;
    }

    /**
     * Returns the creation, which tells the node's life from its earlier ones.
     *
     * @return unsigned, 32 bits
     */
    public int creation() {
        return creation;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Port port && id == port.id && creation == port.creation && node.equals(port.node);
    }

    @Override
    public int hashCode() {
        return HashFunction.of(id, HashFunction.pair(creation, node.hashCode()));
    }

    @Override
    public String toString() {
        return "#Port<" + node.name() + '.' + Long.toUnsignedString(id) + '>';
    }
}

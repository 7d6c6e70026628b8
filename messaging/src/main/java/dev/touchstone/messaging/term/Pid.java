package dev.touchstone.messaging.term;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The identifier of a process, or of a mailbox. The creation tells a node's life from its earlier ones, so pids of another life are not
 * equal.
 */
public final class Pid implements Term {
    private final Atom node;
    private final int id;
    private final int serial;
    private final int creation;

    private Pid(Atom node, int id, int serial, int creation) {
        this.node = node;
        this.id = id;
        this.serial = serial;
        this.creation = creation;
    }

    /**
     * Returns a pid of its four fields.
     *
     * @param node name of the process's node, {@code alive@host}
     * @param id unsigned, 32 bits
     * @param serial unsigned, 32 bits
     * @param creation the node's life; unsigned, 32 bits
     * @return the pid
     */
    public static Pid of(Atom node, int id, int serial, int creation) {
        return new Pid(Objects.requireNonNull(node, "node"), id, serial, creation);
    }

    /**
     * Returns the name of the process's node.
     *
     * @return {@code alive@host}
     */
    public Atom node() {
        return node;
    }

    /**
     * Returns the first number.
     *
     * @return unsigned, 32 bits
     */
    public int id() {
        return id;
    }

    /**
     * Returns the second number.
     *
     * @return unsigned, 32 bits
     */
    public int serial() {
        return serial;
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
        return this == other
                || (other instanceof Pid pid
                        && id == pid.id
                        && serial == pid.serial
                        && creation == pid.creation
                        && node.equals(pid.node));
    }

    @Override
    public int hashCode() {
        return HashFunction.of(HashFunction.pair(id, serial), HashFunction.pair(creation, node.hashCode()));
    }

    @Override
    public String toString() {
        return "#Pid<" + node.name() + '.' + Integer.toUnsignedString(id) + '.' + Integer.toUnsignedString(serial)
                + '>';
    }
}

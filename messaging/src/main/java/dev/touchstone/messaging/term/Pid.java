package dev.touchstone.messaging.term;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The identifier of a process, or of a mailbox. Pids of another life of a node (its creation) are not equal. */
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

    /** All numbers are unsigned, of 32 bits. */
    public static Pid of(Atom node, int id, int serial, int creation) {
        return new Pid(Objects.requireNonNull(node, "node"), id, serial, creation);
    }

    public Atom node() {
        return node;
    }

    public int id() {
        return id;
    }

    public int serial() {
        return serial;
    }

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
        return HashFunction.of(id, serial) ^ node.hashCode() ^ creation;
    }

    @Override
    public String toString() {
        return "#Pid<" + node.name() + '.' + Integer.toUnsignedString(id) + '.' + Integer.toUnsignedString(serial)
                + '>';
    }
}

package dev.touchstone.messaging.term;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A reference: unique in the life of its node. */
public final class Ref implements Term {
    /** Most numbers that a reference has. */
    public static final int MAX_IDS = 5;

    private final Atom node;
    private final int creation;
    private final int count;
    // numbers beyond the count are 0
    private final int id0;
    private final int id1;
    private final int id2;
    private final int id3;
    private final int id4;

    private Ref(Atom node, int creation, int count, int id0, int id1, int id2, int id3, int id4) {
        this.node = Objects.requireNonNull(node, "node");
        this.creation = creation;
        this.count = count;
        this.id0 = id0;
        this.id1 = id1;
        this.id2 = id2;
        this.id3 = id3;
        this.id4 = id4;
    }

    /**
     * Returns a reference of any form.
     *
     * @param node name of the node that made the reference, {@code alive@host}
     * @param creation the node's life; unsigned, 32 bits
     * @param ids from 1 to 5 numbers, each unsigned, 32 bits; copied
     * @return the reference
     * @throws IllegalArgumentException for another number of {@code ids}
     */
    public static Ref of(Atom node, int creation, int... ids) {
        if (ids.length < 1 || ids.length > MAX_IDS) {
            throw new IllegalArgumentException("not a reference: ids=" + ids.length + "; expected=1.." + MAX_IDS);
        }
        int[] all = Arrays.copyOf(ids, MAX_IDS);
        return new Ref(node, creation, ids.length, all[0], all[1], all[2], all[3], all[4]);
    }

    /**
     * Returns a reference with three numbers, as nodes make them.
     *
     * @param node name of the node that made the reference, {@code alive@host}
     * @param creation the node's life; unsigned, 32 bits
     * @param id0 first number; unsigned, 32 bits
     * @param id1 second number; unsigned, 32 bits
     * @param id2 third number; unsigned, 32 bits
     * @return the reference
     */
    public static Ref of(Atom node, int creation, int id0, int id1, int id2) {
        return new Ref(node, creation, 3, id0, id1, id2, 0, 0);
    }

    /**
     * Returns the name of the node that made the reference.
     *
     * @return {@code alive@host}
     */
    public Atom node() {
        return node;
    }

    /**
     * Returns the creation, which tells the node's life from its earlier ones.
     *
     * @return unsigned, 32 bits
     */
    public int creation() {
        return creation;
    }

    /**
     * Returns how many numbers the reference has.
     *
     * @return 1 to 5
     */
    public int idCount() {
        return count;
    }

    /**
     * Returns one number.
     *
     * @param index counted from 0
     * @return unsigned, 32 bits
     * @throws IndexOutOfBoundsException if there is no such number
     */
    public int id(int index) {
        return switch (Objects.checkIndex(index, count)) {
            case 0 -> id0;
            case 1 -> id1;
            case 2 -> id2;
            case 3 -> id3;
            default -> id4;
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Ref ref
                && id0 == ref.id0
                && id1 == ref.id1
                && id2 == ref.id2
                && id3 == ref.id3
                && id4 == ref.id4
                && count == ref.count
                && creation == ref.creation
                && node.equals(ref.node);
    }

    @Override
    public int hashCode() {
        return HashFunction.of(
                HashFunction.pair(id0, id1),
                HashFunction.pair(id2, id3),
                HashFunction.pair(id4, creation ^ node.hashCode()));
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder("#Ref<").append(node.name());
        for (int i = 0; i < count; i++) {
            out.append('.').append(Integer.toUnsignedString(id(i)));
        }
        return out.append('>').toString();
    }
}

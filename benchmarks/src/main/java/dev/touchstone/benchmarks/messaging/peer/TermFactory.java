package dev.touchstone.benchmarks.messaging.peer;

import java.math.BigInteger;
import java.util.List;

/**
 * A library's way to make terms.
 *
 * @param <T> its type of all terms
 */
public interface TermFactory<T> {

    /** A process id; {@code creation} fits the two bits that the oldest of its formats has. */
    T pid(String node, int id, int serial, int creation);

    /** An atom. */
    T atom(String name);

    /** An integer that fits 32 bits. */
    T integer(int value);

    /** An integer that does not fit 64 bits. */
    T bigInteger(BigInteger value);

    /** A binary with these bytes, which do not change. */
    T binary(byte[] bytes);

    /** A list of small integers that the library keeps as a string where it can; in ISO 8859-1. */
    T string(String latin1);

    /** A proper list. */
    T list(List<T> elements);

    /** A tuple. */
    T tuple(List<T> elements);

    /** A map of keys with the value at the same index. */
    T map(List<T> keys, List<T> values);
}

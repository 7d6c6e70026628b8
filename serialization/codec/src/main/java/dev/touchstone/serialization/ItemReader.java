package dev.touchstone.serialization;

/** Reads one item of an array whose items differ in size. */
@FunctionalInterface
interface ItemReader<T> {
    T read(Input in);
}

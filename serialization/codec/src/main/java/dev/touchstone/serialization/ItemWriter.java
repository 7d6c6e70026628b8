package dev.touchstone.serialization;

/** Writes one item of an array whose items differ in size. */
@FunctionalInterface
interface ItemWriter<T> {
    void write(Output out, T item);
}

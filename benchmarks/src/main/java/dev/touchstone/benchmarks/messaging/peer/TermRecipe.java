package dev.touchstone.benchmarks.messaging.peer;

/** A term that any library can make. */
public interface TermRecipe {

    /** Makes the term. */
    <T> T build(TermFactory<T> factory);
}

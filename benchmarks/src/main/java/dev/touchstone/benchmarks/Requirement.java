package dev.touchstone.benchmarks;

import java.util.Optional;

/** A need of a subject besides Java, which its adapter {@code requirement} gives. */
@FunctionalInterface
public interface Requirement {
    /** Returns what this machine lacks, with what to install; empty if the subject can run. */
    Optional<String> missing();
}

package dev.touchstone.benchmarks;

import java.util.Optional;

/** What a subject needs of the machine besides Java: the result of an adapter {@code requirement}. */
@FunctionalInterface
public interface Requirement {
    /** Returns what this machine lacks, with what to install; empty if the subject can run. */
    Optional<String> missing();
}

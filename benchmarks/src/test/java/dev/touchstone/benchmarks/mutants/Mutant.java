package dev.touchstone.benchmarks.mutants;

import org.jspecify.annotations.Nullable;

/**
 * A way to break one subject.
 *
 * @param name of the mutant, for the command line
 * @param cell workload and subject whose check has to notice
 * @param role type that the benchmark knows the subject by
 * @param isCheap whether its check takes a moment only
 * @param twist answers the calls of the subject's methods
 */
record Mutant(String name, String cell, Class<?> role, boolean isCheap, Twist twist) {
    /** A broken implementation of all methods. */
    @FunctionalInterface
    interface Twist {
        /** Answers a call. */
        @Nullable
        Object answer(Call call) throws Throwable;
    }

    /** Returns the name of the subject. */
    String subject() {
        return cell.substring(cell.indexOf('/') + 1);
    }

    /** Returns the name of the part. */
    String part() {
        return cell.substring(0, cell.indexOf('-'));
    }

    @Override
    public String toString() {
        return name;
    }
}

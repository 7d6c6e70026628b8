package dev.touchstone.benchmarks.messaging;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Where subjects with a program of their own run. */
final class Subjects {

    private Subjects() {}

    /** Skips the test of a subject whose program is not installed. */
    static void assumeRuns(MessagingType subject) {
        assumeTrue(subject.available(), () -> subject + " needs erl on the PATH: apt install erlang-base");
    }
}

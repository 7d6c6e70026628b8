package dev.touchstone.harness.run;

import org.jspecify.annotations.Nullable;

/**
 * The warm-up and measurement of a fork.
 *
 * @param warmup null leaves it to the benchmark's annotations
 * @param measurement null leaves it to the benchmark's annotations
 */
public record Sampling(@Nullable Phase warmup, @Nullable Phase measurement) {
    /** The sampling that leaves all to the benchmark's annotations. */
    public static final Sampling ANNOTATED = new Sampling(null, null);
}

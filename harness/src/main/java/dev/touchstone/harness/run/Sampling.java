package dev.touchstone.harness.run;

import org.jspecify.annotations.Nullable;

/**
 * How long one fork warms up and measures.
 *
 * @param warmup null leaves it to the benchmark's annotations
 * @param measurement null leaves it to the benchmark's annotations
 */
public record Sampling(@Nullable Phase warmup, @Nullable Phase measurement) {
    /** What the benchmark's annotations say. */
    public static final Sampling ANNOTATED = new Sampling(null, null);
}

package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.SubjectWrappers;
import dev.touchstone.benchmarks.index.peer.JacksonJsonAdapter;
import dev.touchstone.benchmarks.index.peer.JsonUnderTest;
import dev.touchstone.benchmarks.index.peer.ServiceJsonAdapter;
import dev.touchstone.index.price.PriceIndex;

/** The subjects of {@link PriceJsonBenchmark}, by the value of its parameter {@code subject}. All of them search alike. */
public enum JsonType {
    OURS("all limits on") {
        @Override
        JsonUnderTest open(PriceIndex index, boolean isBulk) {
            return new ServiceJsonAdapter(index, isBulk);
        }
    },
    JACKSON("no limits of ours") {
        @Override
        JsonUnderTest open(PriceIndex index, boolean isBulk) {
            return new JacksonJsonAdapter(index, isBulk);
        }
    };

    private final String level;

    JsonType(String level) {
        this.level = level;
    }

    /** Returns in words whether the subject enforces the service's limits. */
    public String level() {
        return level;
    }

    /**
     * Creates the subject over an index.
     *
     * @param isBulk whether requests are lists of searches
     */
    JsonUnderTest make(PriceIndex index, boolean isBulk) {
        return SubjectWrappers.wrapped(this, JsonUnderTest.class, open(index, isBulk));
    }

    abstract JsonUnderTest open(PriceIndex index, boolean isBulk);
}

package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request: a shape, which many requests share, and values of its own, which lie together in memory as those of a request do that was just
 * received.
 */
public final class SearchRequest {
    private final Shape shape;
    private final Object[] values;

    /** Comparisons of a condition. */
    public enum Operator {
        EQ,
        NE,
        IN,
        NOT_IN,
        BETWEEN
    }

    /** A condition without its values, of which it has {@code count}. */
    public record Term(Field field, Operator operator, int count) {}

    /**
     * The common part of requests that differ in values only.
     *
     * @param hasOffering false to search the prices of all offerings
     */
    public record Shape(boolean hasOffering, List<Term> terms) {}

    /** A request with a value for each term, and one for the offering behind them; several values of a term are a list. */
    public SearchRequest(Shape shape, Object[] values) {
        this.shape = shape;
        this.values = values;
    }

    public Shape shape() {
        return shape;
    }

    public @Nullable String offering() {
        return shape.hasOffering ? (String) values[values.length - 1] : null;
    }

    /** The only value of a term. */
    public Object value(int term) {
        return values[term];
    }

    /** All values of a term. */
    @SuppressWarnings("unchecked")
    public List<Object> values(int term) {
        return shape.terms.get(term).count == 1 ? List.of(values[term]) : (List<Object>) values[term];
    }

    @Override
    public String toString() {
        return shape + " " + List.of(values);
    }
}

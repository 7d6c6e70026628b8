package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is searched for: a shape, which many requests share, and values of its own, which stand together as those of a request do that was just
 * received.
 */
public final class SearchRequest {
    private final Shape shape;
    private final Object[] values;

    /** How a condition compares. */
    public enum Operator {
        EQ,
        NE,
        IN,
        NOT_IN,
        BETWEEN
    }

    /** One condition, without its value. */
    public record Term(Field field, Operator operator, int count) {}

    /**
     * What requests have in common that differ in values only.
     *
     * @param hasOffering else it is for all
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

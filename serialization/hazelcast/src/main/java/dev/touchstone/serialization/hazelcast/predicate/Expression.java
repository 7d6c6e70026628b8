package dev.touchstone.serialization.hazelcast.predicate;

import java.util.List;
import java.util.stream.Collectors;

/** A tree of conditions on fields. Immutable. */
public sealed interface Expression {
    int MAX_DEPTH = 64;

    /** Limit of nodes and constants of a tree, together. */
    int MAX_NODES = 100_000;

    /** Returns the nodes from this to the lowest leaf, both included. */
    int depth();

    /** Returns the nodes and constants of this tree. */
    long nodes();

    /** Returns this tree where it is within the limits. @throws IllegalArgumentException if not */
    default Expression checked() {
        if (depth() > MAX_DEPTH) {
            throw new IllegalArgumentException("predicate is too deep: depth=" + depth() + " max=" + MAX_DEPTH);
        }
        if (nodes() > MAX_NODES) {
            throw new IllegalArgumentException("predicate is too large: nodes=" + nodes() + " max=" + MAX_NODES);
        }
        return this;
    }

    /** Returns the expression that all parts fit. */
    static Expression and(List<Expression> parts) {
        return new And(parts, depthAbove(parts), nodesAbove(parts));
    }

    /** Returns the expression that one part fits. */
    static Expression or(List<Expression> parts) {
        return new Or(parts, depthAbove(parts), nodesAbove(parts));
    }

    /**
     * Returns the negation of an expression, as Hazelcast's queries make it: it goes down to the conditions, and a comparison becomes the opposite
     * one, so that a null fits neither.
     */
    static Expression not(Expression part) {
        if (part instanceof Not not) {
            return not.part;
        }
        if (part instanceof And and) {
            return or(and.parts.stream().map(Expression::not).toList());
        }
        if (part instanceof Or or) {
            return and(or.parts.stream().map(Expression::not).toList());
        }
        if (part instanceof Leaf leaf && leaf.condition instanceof Condition.Range range && range.isComparison()) {
            return new Leaf(leaf.path, range.opposite());
        }
        return new Not(part, part.depth() + 1, part.nodes() + 1);
    }

    /** Fits what fits all parts; without parts, everything. */
    record And(List<Expression> parts, int depth, long nodes) implements Expression {
        @Override
        public String toString() {
            return parts.stream().map(Object::toString).collect(Collectors.joining(" AND ", "(", ")"));
        }
    }

    /** Fits what fits a part; without parts, nothing. */
    record Or(List<Expression> parts, int depth, long nodes) implements Expression {
        @Override
        public String toString() {
            return parts.stream().map(Object::toString).collect(Collectors.joining(" OR ", "(", ")"));
        }
    }

    /** Fits what does not fit its part. */
    record Not(Expression part, int depth, long nodes) implements Expression {
        @Override
        public String toString() {
            return "NOT (" + part + ")";
        }
    }

    /** Fits what has a value that fits a condition. */
    record Leaf(FieldPath path, Condition condition) implements Expression {
        @Override
        public int depth() {
            return 1;
        }

        @Override
        public long nodes() {
            return condition instanceof Condition.OneOf oneOf
                    ? 1L + oneOf.constants().size()
                    : 1;
        }

        @Override
        public String toString() {
            return path + " " + condition;
        }
    }

    private static int depthAbove(List<Expression> parts) {
        return 1 + parts.stream().mapToInt(Expression::depth).max().orElse(0);
    }

    private static long nodesAbove(List<Expression> parts) {
        return 1 + parts.stream().mapToLong(Expression::nodes).sum();
    }
}

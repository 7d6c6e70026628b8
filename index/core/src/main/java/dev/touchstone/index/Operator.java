package dev.touchstone.index;

/** How a condition compares. Ordered fields know ranges and sets only: one value is the range from it to it. */
enum Operator {
    EQ(false),
    NE(true),
    IN(false),
    NOT_IN(true),
    BETWEEN(false),
    NOT_BETWEEN(true);

    /** Whether it holds for what the opposite one doesn't, and for prices without a value. */
    final boolean isNegative;

    Operator(boolean isNegative) {
        this.isNegative = isNegative;
    }
}

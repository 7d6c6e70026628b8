package dev.touchstone.index.engine;

/** Operators of conditions. Conditions on ordered fields use ranges and sets only: a single value is the range from the value to itself. */
enum Operator {
    EQ(false),
    NE(true),
    IN(false),
    NOT_IN(true),
    BETWEEN(false),
    NOT_BETWEEN(true);

    /** True if the operator holds where its opposite does not, and for prices without a value. */
    final boolean isNegative;

    Operator(boolean isNegative) {
        this.isNegative = isNegative;
    }

    /** Returns the operator that compares a string with one code or with several. */
    static Operator ofStrings(boolean hasSeveral, boolean isNegative) {
        if (hasSeveral) {
            return isNegative ? NOT_IN : IN;
        }
        return isNegative ? NE : EQ;
    }
}

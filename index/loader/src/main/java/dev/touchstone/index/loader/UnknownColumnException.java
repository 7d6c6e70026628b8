package dev.touchstone.index.loader;

import java.util.Collection;

/** Thrown when a type is given for a column that the source does not have. The message names the column and those that the source has. */
public final class UnknownColumnException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String column;

    UnknownColumnException(String column, Collection<String> columns) {
        super("type of a column that the source does not have: column='" + RowError.shown(column) + "' columns="
                + columns + "; correct the name, or leave it out");
        this.column = column;
    }

    /**
     * Returns the name for which a type was given.
     *
     * @return name as given, not null
     */
    public String column() {
        return column;
    }
}

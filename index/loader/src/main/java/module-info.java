/** Loaders of prices for the price index: CSV, JSON Lines and JDBC. */
module dev.touchstone.index.loader {
    requires static org.jspecify;
    requires transitive dev.touchstone.index;
    requires transitive java.sql;
    requires com.fasterxml.jackson.core;
    requires de.siegmar.fastcsv;

    exports dev.touchstone.index.loader;
}

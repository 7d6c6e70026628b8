package dev.touchstone.index;

/**
 * Statistics of an index.
 *
 * @param version number of the version, from 1
 * @param prices number of prices of all offerings
 * @param offerings number of offerings that have prices
 * @param values number of distinct strings of all fields
 */
public record IndexStats(long version, long prices, int offerings, int values) {}

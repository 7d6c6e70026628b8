package dev.touchstone.index;

/**
 * What an index holds.
 *
 * @param version counts updates, from 1
 * @param prices in all offerings
 * @param offerings that have prices
 * @param values distinct strings of all fields
 */
public record IndexStats(long version, long prices, int offerings, int values) {}

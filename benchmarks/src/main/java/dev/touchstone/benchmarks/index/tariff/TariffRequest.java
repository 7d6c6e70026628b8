package dev.touchstone.benchmarks.index.tariff;

/** A request for the most specific price of an offering, with a value for each field. The strings are objects that no engine has seen. */
record TariffRequest(String offering, String[] values) {}

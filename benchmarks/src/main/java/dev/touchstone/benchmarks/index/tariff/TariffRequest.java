package dev.touchstone.benchmarks.index.tariff;

/** A request for the most specific price of an offering, with a value for each field. The strings are objects that no engine has seen. */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere, and read in the measured loop
record TariffRequest(String offering, String[] values) {}

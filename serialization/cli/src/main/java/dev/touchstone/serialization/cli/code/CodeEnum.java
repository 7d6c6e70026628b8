package dev.touchstone.serialization.cli.code;

import java.util.SortedMap;

/**
 * The constants of a field.
 *
 * @param name name of the enum in the generated code
 * @param members names of its members, by the constants that records hold
 */
record CodeEnum(String name, SortedMap<String, String> members) {}

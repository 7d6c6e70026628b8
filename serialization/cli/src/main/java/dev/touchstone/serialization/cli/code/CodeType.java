package dev.touchstone.serialization.cli.code;

import java.util.List;

/**
 * A type, with its names in the generated code.
 *
 * @param typeName name in the schema
 * @param className name of the class of its values
 * @param serializerName name of the class that writes and reads them
 * @param fields fields in the order of their names in the schema
 */
record CodeType(String typeName, String className, String serializerName, List<CodeField> fields) {}

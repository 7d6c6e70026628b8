package dev.touchstone.serialization.processor.text;

import java.util.List;
import java.util.Locale;

/**
 * A writer of statements that puts them into several methods where they are more than one method can hold: a class file has at most 64 KiB of
 * code for each method. Not thread-safe.
 */
public final class SplitStatements {
    private static final int MAX_STATEMENTS = 250;
    private static final String INDENT = " ".repeat(8);

    private final StringBuilder methods = new StringBuilder();

    /**
     * Returns the statements, or calls of methods that have some of them each.
     *
     * @param statements statements that use the parameters only, each with its indentation and a line end
     * @param name beginning of the names of the methods
     * @param parameters declarations of the parameters
     * @param arguments names of the parameters
     */
    public String split(List<String> statements, String name, String parameters, String arguments) {
        return split(statements, name, parameters, arguments, "void", "");
    }

    /**
     * Returns the statements, or calls of methods that have some of them each.
     *
     * @param statements statements that use the parameters only, and may assign {@code variable}
     * @param name beginning of the names of the methods
     * @param parameters declarations of the parameters
     * @param arguments names of the parameters
     * @param type type of {@code variable}
     * @param variable parameter that each method returns; empty for none
     */
    public String split(
            List<String> statements, String name, String parameters, String arguments, String type, String variable) {
        if (statements.size() <= MAX_STATEMENTS) {
            return String.join("", statements);
        }
        String assignment = variable.isEmpty() ? "" : variable + " = ";
        String end = variable.isEmpty() ? "" : INDENT + "return " + variable + ";\n";
        StringBuilder calls = new StringBuilder();
        for (int from = 0; from < statements.size(); from += MAX_STATEMENTS) {
            String method = name + "From" + from;
            calls.append(INDENT).append(assignment).append(method + "(" + arguments + ");\n");
            List<String> part = statements.subList(from, Math.min(statements.size(), from + MAX_STATEMENTS));
            methods.append(String.format(
                    Locale.ROOT,
                    "\n    private static %s %s(%s) {\n%s%s    }\n",
                    type,
                    method,
                    parameters,
                    String.join("", part),
                    end));
        }
        return calls.toString();
    }

    /** Returns the methods that are called. */
    public String methods() {
        return methods.toString();
    }
}

package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.ClassRef;
import java.util.Locale;

/**
 * A file to be written: the class that it holds, and its whole text.
 *
 * <p>Variables of generated code have a capital letter in their names, which names of packages have not by convention: beside a variable {@code
 * in}, the compiler could not see a package {@code in.example}.
 */
record GeneratedSource(ClassRef type, String text) {
    private static final String LENIENT = "@{java.lang/SuppressWarnings}({\"deprecation\", \"removal\"})\n";
    private static final ClassRef GENERATED = new ClassRef("javax.annotation.processing", "Generated");

    /**
     * Puts a file together.
     *
     * @param body a class, without what stands before its modifiers, which uses the names of the imports
     * @param isMarked whether the annotation {@code @Generated} can be used
     */
    static GeneratedSource of(ClassRef type, Imports imports, boolean isMarked, String javadoc, String body) {
        String mark = isMarked
                ? String.format(Locale.ROOT, "@%s(\"%s\")\n", imports.name(GENERATED), CompactProcessor.class.getName())
                : "";
        String lenient = imports.resolve(LENIENT);
        String owner = type.packageName().isEmpty() ? "" : "package " + type.packageName() + ";\n\n";
        return new GeneratedSource(type, owner + imports.lines() + javadoc + mark + lenient + body);
    }
}

package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.ClassRef;
import dev.touchstone.serialization.processor.model.FieldModel;
import dev.touchstone.serialization.processor.model.FieldType.Nested;
import dev.touchstone.serialization.processor.model.MemberModel;
import dev.touchstone.serialization.processor.model.TypeModel;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The imports of one generated file. A class goes by its simple name unless another class has taken that: the types of the file's own package
 * that the model names come first, then the first one to ask.
 *
 * <p>Classes of {@code java.lang} are imported like all others. Without the import, a type of the user's package that is called {@code String}
 * would take the place of Java's, and whether there is one may change without the annotated type.
 */
final class Imports {
    private static final Pattern TOKEN = Pattern.compile("\\{([^{}/]*)/([^{}/]+)}");

    private final String packageName;
    private final Map<String, String> packageOf = new HashMap<>();

    Imports(String packageName) {
        this.packageName = packageName;
    }

    /** Returns the imports of a file that holds generated classes for a type, and names other classes of its package. */
    static Imports of(TypeModel model, ClassRef... generated) {
        Imports imports = new Imports(model.type().packageName());
        imports.reserve(model.type());
        for (ClassRef each : generated) {
            imports.reserve(each);
        }
        for (MemberModel member : model.members()) {
            imports.reserveOwn(member.javaType());
            for (FieldModel field : member.fields()) {
                imports.reserveOwn(field.type().conversion().from());
                Nested nested = field.type().nested();
                if (nested != null) {
                    imports.reserveOwn(nested.type().token());
                    imports.reserveOwn(nested.codec().token());
                }
            }
        }
        return imports;
    }

    /** Keeps a name for a class of the file's own package. */
    void reserve(ClassRef type) {
        packageOf.put(type.outermost(), type.packageName());
    }

    /** Keeps the names of all classes of the file's own package in a text: those of the unnamed package have no other. */
    private void reserveOwn(String text) {
        for (Matcher token = TOKEN.matcher(text); token.find(); ) {
            if (token.group(1).equals(packageName)) {
                reserve(new ClassRef(packageName, token.group(2)));
            }
        }
    }

    /** Returns the name by which the file knows a class, and imports the class if that is its simple name. */
    String name(ClassRef type) {
        String owner = packageOf.putIfAbsent(type.outermost(), type.packageName());
        return owner == null || owner.equals(type.packageName()) ? type.name() : type.qualified();
    }

    /** Returns a text with each {@code {package/Class}} replaced by the name of that class. */
    String resolve(String text) {
        return TOKEN.matcher(text).replaceAll(this::resolve);
    }

    private String resolve(MatchResult token) {
        return Matcher.quoteReplacement(name(new ClassRef(token.group(1), token.group(2))));
    }

    /** Returns the lines of all imports, and an empty one if there are any. */
    String lines() {
        TreeSet<String> lines = new TreeSet<>();
        packageOf.forEach((name, owner) -> {
            if (!owner.equals(packageName)) {
                lines.add("import " + owner + "." + name + ";\n");
            }
        });
        return lines.isEmpty() ? "" : String.join("", lines) + "\n";
    }
}

package dev.touchstone.serialization.processor;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The imports of one generated file: classes are named shortly where their names do not clash, the first one to ask wins. */
final class Imports {
    private static final Pattern TOKEN = Pattern.compile("\\{([^{}/]*)/([^{}/]+)}");

    private final String packageName;
    private final Map<String, String> packageOf = new HashMap<>();

    Imports(String packageName) {
        this.packageName = packageName;
    }

    /** Keeps a name for a class of the file's own package. */
    void reserve(ClassRef type) {
        packageOf.put(type.outermost(), type.packageName());
    }

    /** How a class is named in the file. */
    String name(ClassRef type) {
        String owner = packageOf.putIfAbsent(type.outermost(), type.packageName());
        return owner == null || owner.equals(type.packageName()) ? type.name() : type.qualified();
    }

    /** A text whose {@code {package/Class}} are replaced by the names of those classes. */
    String resolve(String text) {
        return TOKEN.matcher(text).replaceAll(this::resolve);
    }

    private String resolve(MatchResult token) {
        return Matcher.quoteReplacement(name(new ClassRef(token.group(1), token.group(2))));
    }

    /** The lines of all imports, and an empty one if there are any. */
    String lines() {
        TreeSet<String> lines = new TreeSet<>();
        packageOf.forEach((name, owner) -> {
            if (!owner.equals("java.lang") && !owner.equals(packageName)) {
                lines.add("import " + owner + "." + name + ";\n");
            }
        });
        return lines.isEmpty() ? "" : String.join("", lines) + "\n";
    }
}

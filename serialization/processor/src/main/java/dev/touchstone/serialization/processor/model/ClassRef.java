package dev.touchstone.serialization.processor.model;

import javax.lang.model.element.Element;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import org.jspecify.annotations.Nullable;

/**
 * The name of a class in sources.
 *
 * @param packageName empty for the unnamed package
 * @param name within the package, with a dot before a nested class
 */
public record ClassRef(String packageName, String name) {
    /** Returns the name of a class. */
    public static ClassRef of(TypeElement type) {
        StringBuilder name = new StringBuilder(type.getSimpleName());
        @Nullable Element outer = type.getEnclosingElement();
        while (outer instanceof TypeElement) {
            name.insert(0, '.').insert(0, outer.getSimpleName());
            outer = outer.getEnclosingElement();
        }
        String owner = outer instanceof PackageElement p ? p.getQualifiedName().toString() : "";
        return new ClassRef(owner, name.toString());
    }

    /** Returns the name of a class that is generated for this one, beside the outermost one. */
    public ClassRef generated(String suffix) {
        return new ClassRef(packageName, name.replace('.', '_') + suffix);
    }

    /** Returns the form in texts, {@code {package/Class}}, which is replaced by the name that a generated file knows the class by. */
    public String token() {
        return "{" + packageName + "/" + name + "}";
    }

    /** Returns the name with the package. */
    public String qualified() {
        return packageName.isEmpty() ? name : packageName + "." + name;
    }

    /** Returns the simple name of the top-level class that this one is in, or is. */
    public String outermost() {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }
}

package dev.touchstone.serialization.processor;

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
record ClassRef(String packageName, String name) {
    static ClassRef of(TypeElement type) {
        StringBuilder name = new StringBuilder(type.getSimpleName());
        @Nullable Element outer = type.getEnclosingElement();
        while (outer instanceof TypeElement) {
            name.insert(0, '.').insert(0, outer.getSimpleName());
            outer = outer.getEnclosingElement();
        }
        String owner = outer instanceof PackageElement p ? p.getQualifiedName().toString() : "";
        return new ClassRef(owner, name.toString());
    }

    /** A class that is generated for this one, beside the outermost one. */
    ClassRef generated(String suffix) {
        return new ClassRef(packageName, name.replace('.', '_') + suffix);
    }

    /** The form that {@link Imports#resolve} replaces. */
    String token() {
        return "{" + packageName + "/" + name + "}";
    }

    String qualified() {
        return packageName.isEmpty() ? name : packageName + "." + name;
    }

    /** The class of the same package in which this one is, or this one. */
    String outermost() {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }
}

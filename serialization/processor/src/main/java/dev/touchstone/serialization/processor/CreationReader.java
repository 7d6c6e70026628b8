package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.ClassRef;
import dev.touchstone.serialization.processor.model.TypeModel.BuilderRef;
import dev.touchstone.serialization.processor.model.TypeModel.Form;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/**
 * Finds the way in which objects of a class are made. The first that is there is taken: a constructor without parameters, if all fields can be
 * set; a constructor that takes all fields; a builder that has a setter for each field.
 */
final class CreationReader {
    private static final List<String> FACTORIES = List.of("builder", "newBuilder");

    private final TypeElement type;
    private final Accessors accessors;
    private final List<VariableElement> fields;
    private final Elements elements;
    private final Types types;

    CreationReader(
            TypeElement type, Accessors accessors, List<VariableElement> fields, Elements elements, Types types) {
        this.type = type;
        this.accessors = accessors;
        this.fields = fields;
        this.elements = elements;
        this.types = types;
    }

    /**
     * A way in which objects are made.
     *
     * @param fields in the order in which they are needed
     * @param setters the statement that sets each field; empty where a constructor takes it
     * @param builder for a form that has one
     */
    record Creation(
            Form form,
            List<VariableElement> fields,
            Map<VariableElement, String> setters,
            Optional<BuilderRef> builder) {
        String setter(VariableElement field) {
            return setters.getOrDefault(field, "");
        }
    }

    /** Returns the way. @throws Problem if there is none, with the reason */
    Creation read() throws Problem {
        List<ExecutableElement> constructors = constructors(type);
        boolean hasEmpty =
                constructors.stream().anyMatch(each -> each.getParameters().isEmpty());
        Problem refused = null;
        if (hasEmpty) {
            try {
                return filled();
            } catch (Problem e) {
                refused = e;
            }
        }
        List<VariableElement> ordered = constructed(constructors);
        if (ordered != null) {
            return new Creation(Form.CONSTRUCTED, ordered, Map.of(), Optional.empty());
        }
        Creation built = built();
        if (built != null) {
            return built;
        }
        if (refused != null) {
            throw refused;
        }
        throw new Problem(
                type,
                "@Compact class has no constructor that can be called, without parameters or with those of all fields' names"
                        + " and types, and no builder with a setter for each field: " + type
                        + (TypeChecks.isKotlin(type)
                                ? "; kapt hides a property that is named by a keyword of Java: " + type
                                : ""));
    }

    private Creation filled() throws Problem {
        Map<VariableElement, String> setters = new HashMap<>();
        for (VariableElement field : fields) {
            setters.put(field, accessors.setter(field));
        }
        return new Creation(Form.FILLED, fields, setters, Optional.empty());
    }

    private List<ExecutableElement> constructors(TypeElement of) {
        return ElementFilter.constructorsIn(of.getEnclosedElements()).stream()
                .filter(each -> each.getThrownTypes().isEmpty() && !accessors.isHidden(each))
                .toList();
    }

    /** Returns the fields in the order in which a constructor takes them, whose parameters have their names, or null. */
    private @Nullable List<VariableElement> constructed(List<ExecutableElement> constructors) {
        for (ExecutableElement constructor : constructors) {
            List<VariableElement> byName = constructor.getParameters().stream()
                    .flatMap(parameter -> fields.stream()
                            .filter(field -> field.getSimpleName().equals(parameter.getSimpleName())))
                    .toList();
            boolean isWhole = byName.size() == fields.size() && new HashSet<>(byName).size() == fields.size();
            if (isWhole
                    && accessors.takes(
                            constructor, byName.stream().map(accessors::type).toList())) {
                return byName;
            }
        }
        return null;
    }

    private @Nullable Creation built() {
        for (ExecutableElement method : ElementFilter.methodsIn(type.getEnclosedElements())) {
            if (FACTORIES.contains(method.getSimpleName().toString())
                    && method.getModifiers().contains(Modifier.STATIC)
                    && isCallable(method)
                    && method.getParameters().isEmpty()
                    && method.getReturnType() instanceof DeclaredType builder) {
                Creation creation = built(builder, ClassRef.of(type).token() + "." + method.getSimpleName() + "()");
                if (creation != null) {
                    return creation;
                }
            }
        }
        for (TypeElement nested : ElementFilter.typesIn(type.getEnclosedElements())) {
            boolean isMade = nested.getSimpleName().toString().endsWith("Builder")
                    && nested.getModifiers().contains(Modifier.STATIC)
                    && !nested.getModifiers().contains(Modifier.ABSTRACT)
                    && nested.getTypeParameters().isEmpty()
                    && !accessors.isHidden(nested)
                    && constructors(nested).stream()
                            .anyMatch(each -> each.getParameters().isEmpty());
            Creation creation = isMade
                    ? built((DeclaredType) nested.asType(), "new " + JavaTypes.token(nested.asType()) + "()")
                    : null;
            if (creation != null) {
                return creation;
            }
        }
        return null;
    }

    private boolean isCallable(ExecutableElement method) {
        return method.getThrownTypes().isEmpty() && !accessors.isHidden(method);
    }

    /** Returns the way by a builder, or null if it lacks a setter or {@code build()}. */
    private @Nullable Creation built(DeclaredType builder, String start) {
        TypeElement element = (TypeElement) builder.asElement();
        if (accessors.isHidden(element)) {
            return null;
        }
        List<ExecutableElement> methods = ElementFilter.methodsIn(elements.getAllMembers(element)).stream()
                .filter(each -> isCallable(each) && !each.getModifiers().contains(Modifier.STATIC))
                .toList();
        boolean builds = methods.stream()
                .anyMatch(each -> each.getSimpleName().contentEquals("build")
                        && each.getParameters().isEmpty()
                        && isOf(accessors.result(builder, each), type.asType()));
        Map<VariableElement, String> setters = new HashMap<>();
        for (VariableElement field : fields) {
            setter(builder, methods, field).ifPresent(setter -> setters.put(field, setter));
        }
        return builds && setters.size() == fields.size()
                ? new Creation(
                        Form.BUILT, fields, setters, Optional.of(new BuilderRef(JavaTypes.token(builder), start)))
                : null;
    }

    /** Returns whether the objects of a type are of another one, whatever the arguments of both are. */
    private boolean isOf(TypeMirror one, TypeMirror other) {
        return types.isSubtype(types.erasure(one), types.erasure(other));
    }

    /** Returns the statement that gives a field to a builder. */
    private Optional<String> setter(DeclaredType builder, List<ExecutableElement> methods, VariableElement field) {
        TypeMirror value = accessors.type(field);
        List<String> names = Accessors.buildersSetters(field, value);
        List<ExecutableElement> found = new ArrayList<>();
        for (ExecutableElement method : methods) {
            if (names.contains(method.getSimpleName().toString())
                    && method.getParameters().size() == 1
                    && accessors.accepts(accessors.parameters(builder, method).get(0), value)) {
                boolean isExact =
                        types.isSameType(accessors.parameters(builder, method).get(0), value);
                found.add(isExact ? 0 : found.size(), method);
            }
        }
        return found.stream().findFirst().map(method -> {
            TypeMirror result = accessors.result(builder, method);
            boolean isChained = isOf(result, builder) && types.isAssignable(result, builder);
            return (isChained ? "objectBuilder = objectBuilder." : "objectBuilder.") + method.getSimpleName() + "(#v);";
        });
    }
}

package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.annotation.Compact;
import dev.touchstone.serialization.annotation.CompactField;
import dev.touchstone.serialization.processor.model.SealedModel;
import dev.touchstone.serialization.processor.model.TypeModel;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.Filer;
import javax.annotation.processing.FilerException;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ModuleElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.ElementFilter;
import javax.lang.model.util.Elements;
import javax.tools.Diagnostic;
import javax.tools.FileObject;
import javax.tools.StandardLocation;
import org.jspecify.annotations.Nullable;

/**
 * Generates what {@link Compact} says. The option {@code touchstone.compact.hazelcast} is {@code auto}, where Hazelcast's serializers are
 * generated if Hazelcast is on the class path, {@code true} or {@code false}. The option {@code touchstone.compact.lock} is the path of the
 * {@code compact.lock} against which schemas are held, if there is one; {@code touchstone.compact.accept=true} writes it instead.
 */
public final class CompactProcessor extends AbstractProcessor {
    static final String HAZELCAST = "touchstone.compact.hazelcast";
    private static final String GENERATED = "javax.annotation.processing.Generated";

    /** Types to be read in the next round, since they refer to what is not generated yet. */
    private final Set<String> deferred = new LinkedHashSet<>();

    /** Types that are read a round later than they were found, for Lombok to add members first. */
    private final Set<String> awaited = new HashSet<>();

    /** Types by the names of the classes that were generated for them. */
    private final Map<String, String> origins = new HashMap<>();

    private @Nullable LockGate gate;

    /** Creates a processor, for the compiler. */
    public CompactProcessor() {}

    @Override
    public synchronized void init(ProcessingEnvironment environment) {
        super.init(environment);
        try {
            gate = LockGate.of(environment.getOptions(), environment.getElementUtils());
        } catch (IOException e) {
            report("cannot read the lock: " + e);
        }
    }

    @Override
    public Set<String> getSupportedAnnotationTypes() {
        return Set.of(
                Compact.class.getName(), CompactField.class.getName(), GENERATED); // the latter is in what is generated
    }

    @Override
    public Set<String> getSupportedOptions() {
        return Set.of(HAZELCAST, LockGate.LOCK, LockGate.ACCEPT);
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    @SuppressWarnings(
            "DoNotClaimAnnotations") // no others look at them, and a build with all warnings as errors would fail
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        Elements elements = processingEnv.getElementUtils();
        List<TypeElement> types = new ArrayList<>();
        for (String name : deferred) {
            types.add(elements.getTypeElement(name));
        }
        deferred.clear();
        types.addAll(ElementFilter.typesIn(round.getElementsAnnotatedWith(Compact.class)));
        for (TypeElement type : types) {
            boolean isLast = round.processingOver();
            if (isComplete(type) && (isLast || !isAwaited(type))) {
                generate(type, isLast);
            } else {
                deferred.add(type.getQualifiedName().toString());
            }
        }
        if (round.processingOver() && gate != null) {
            finish(gate, !round.errorRaised());
        }
        return true;
    }

    private void finish(LockGate open, boolean isSound) {
        try {
            open.finish(isSound, this::report);
        } catch (IOException e) {
            report("cannot write the lock: " + e);
        }
    }

    private static boolean isComplete(TypeElement type) {
        List<VariableElement> fields = ElementFilter.fieldsIn(type.getEnclosedElements());
        return fields.stream().noneMatch(field -> FieldTypes.isUnknown(field.asType()));
    }

    /** Returns whether Lombok's members may be missing yet: in the round in which a class with its annotations was found. */
    private boolean isAwaited(TypeElement type) {
        return type.getKind() == ElementKind.CLASS
                && Lombok.isOn(type)
                && awaited.add(type.getQualifiedName().toString());
    }

    private void generate(TypeElement type, boolean isLast) {
        try {
            if (TypeChecks.isSealed(type)) {
                SealedModel model = new SealedReader(processingEnv.getElementUtils()).read(type);
                write(SealedCodecEmitter.emit(model, isKnown(type, GENERATED)), type);
            } else {
                generate(new TypeReader(processingEnv.getElementUtils(), processingEnv.getTypeUtils(), this::report)
                        .read(type));
            }
        } catch (Problem e) {
            report(
                    isLast && Lombok.isOn(type)
                            ? new Problem(
                                    e.element(),
                                    e.getMessage()
                                            + "; Lombok has added no members: name it among the annotation processors")
                            : e);
        }
    }

    private void generate(TypeModel model) throws Problem {
        TypeElement type = model.element();
        boolean isMarked = isKnown(type, GENERATED);
        write(CodecEmitter.emit(model, isMarked), type);
        write(ViewEmitter.emit(model, isMarked), type);
        if (wantsHazelcast(type)) {
            write(SerializerEmitter.emit(model, isMarked), type);
        }
        writeSchema(model);
        if (gate != null) {
            gate.add(model);
        }
    }

    private boolean wantsHazelcast(TypeElement type) {
        String option = processingEnv.getOptions().getOrDefault(HAZELCAST, "auto");
        return option.equals("auto") ? isKnown(type, SerializerEmitter.SERIALIZER) : Boolean.parseBoolean(option);
    }

    /** Returns whether the sources of a type can refer to a class. */
    private boolean isKnown(TypeElement type, String className) {
        Elements elements = processingEnv.getElementUtils();
        return elements.getTypeElement(elements.getModuleOf(type), className) != null;
    }

    private void write(GeneratedSource source, TypeElement origin) throws Problem {
        String name = source.type().qualified();
        String originName = origin.getQualifiedName().toString();
        String other = origins.putIfAbsent(name, originName);
        if (other != null && !other.equals(originName)) {
            throw new Problem(
                    origin,
                    "generated classes of two types have one name: class=" + name + " types=" + other + ", "
                            + originName + "; rename one of the types");
        }
        try (Writer out =
                processingEnv.getFiler().createSourceFile(name, origin).openWriter()) {
            out.write(source.text());
        } catch (FilerException e) {
            throw new Problem(
                    origin,
                    "class of this name is there already, and is to be generated: class=" + name + " type=" + originName
                            + "; rename one of them");
        } catch (IOException e) {
            report(new Problem(origin, "cannot write what is generated: class=" + name + "; " + e));
        }
    }

    private void writeSchema(TypeModel model) {
        TypeElement type = model.element();
        String name = "META-INF/compact/" + processingEnv.getElementUtils().getBinaryName(type) + TypeDescriptor.SUFFIX;
        try (OutputStream out = resource(name, type).openOutputStream()) {
            out.write(model.descriptor().text().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            report(new Problem(type, "cannot write what is generated: file=" + name + "; " + e));
        }
    }

    /** Creates a file beside the classes; where the compiler has several modules at once, beside those of the type's module. */
    private FileObject resource(String name, TypeElement origin) throws IOException {
        Filer filer = processingEnv.getFiler();
        try {
            return filer.createResource(StandardLocation.CLASS_OUTPUT, "", name, origin);
        } catch (FilerException e) {
            ModuleElement module = processingEnv.getElementUtils().getModuleOf(origin);
            if (module == null || module.isUnnamed()) {
                throw e;
            }
            return filer.createResource(StandardLocation.CLASS_OUTPUT, module.getQualifiedName() + "/", name, origin);
        }
    }

    private void report(String problem) {
        processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, problem);
    }

    private void report(Problem problem) {
        Element element = problem.element();
        processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, problem.getMessage(), element);
    }
}

package dev.touchstone.serialization.processor;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.nio.serialization.compact.CompactSerializer;
import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Types whose fields, superclasses and permitted types are in other packages, and in modules. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PackagesTest {
    private static final String IMPORT = ";\nimport dev.touchstone.serialization.annotation.*;\nimport java.util.*;\n";

    /** First parts of names of packages that are names of variables, too; {@code in} is the domain of a country. */
    private static final List<String> PACKAGES = List.of(
            "in",
            "out",
            "data",
            "table",
            "width",
            "depth",
            "limits",
            "none",
            "next",
            "offset",
            "shift",
            "value",
            "reader",
            "writer",
            "builder",
            "view",
            "text",
            "field",
            "record",
            "bytes",
            "serialization",
            "position",
            "index",
            "codec",
            "schema",
            "type",
            "object",
            "input",
            "output");

    /** Returns the types of a package that others have fields of, by the same simple names in each. */
    private static List<String> typesOf(String name) {
        String head = "package " + name + ".b" + IMPORT;
        return List.of(
                head + "@Compact(\"" + name + "\") public record T(int a) {}\n", head + "public enum E { A, B }\n");
    }

    private static String fields(String form) {
        return PACKAGES.stream().map(name -> form.replace("#", name)).collect(Collectors.joining());
    }

    /** Generated code has the whole name of one of two types of one simple name. That name begins with the first part of the name of a package. */
    @Test
    void typesOfOneName_inPackagesOfAnyName_roundTrip() {
        List<String> sources = new ArrayList<>();
        PACKAGES.forEach(name -> sources.addAll(typesOf(name)));
        String encode = ", encode = {Encoding.ENUM_AS_STRING, Encoding.OPTIONAL_AS_NULL})\n";
        for (String name : List.of("p", "q")) {
            sources.add("package " + name + ";\npublic enum E { A, B }\n");
        }
        sources.add("package p" + IMPORT + "@Compact(value = \"own-record\"" + encode + "public record T(E own"
                + fields(", #.b.T #One, #.b.T[] #All, #.b.E #E, Optional<#.b.E> #O")
                + ") { public static Object[] samples() { return new Object[] {new T(E.A"
                + fields(", new #.b.T(1), null, #.b.E.A, Optional.of(#.b.E.B)") + ")}; } }\n");
        sources.add("package q" + IMPORT + "@Compact(value = \"own-filled\"" + encode + "public class T { E own;"
                + fields("#.b.T #One; #.b.E #E; @CompactField(missing = \"B\") #.b.E #B;")
                + "public static Object[] samples() { T t = new T(); "
                + fields("t.#One = new #.b.T(3); t.#E = #.b.E.B; t.#B = #.b.E.A;")
                + "return new Object[] {t, new T()}; }\n"
                + "@Override public String toString() { return \"\" + own" + fields(" + #One + #E + #B") + "; } }\n");
        Loaded loaded = Compilation.of(sources.toArray(String[]::new)).load();
        List<String> names = new ArrayList<>(List.of("p.T", "q.T"));
        PACKAGES.forEach(name -> names.add(name + ".b.T"));
        CompactSerialization serialization = loaded.serialization(names.toArray(String[]::new));
        Peer peer = new Peer(names.stream().map(loaded::serializer).toArray(CompactSerializer<?>[]::new));
        for (String name : List.of("p.T", "q.T")) {
            CompactCodec<Object> byIndex = new ByIndex(loaded.codec(name));
            for (Object value : (Object[]) loaded.call(name, "samples")) {
                byte[] bytes = serialization.encode(value);
                assertThat(peer.encode(value)).isEqualTo(bytes);
                assertThat(serialization.encode(value, byIndex)).isEqualTo(bytes);
                assertThat(serialization.decode(bytes)).hasToString(value.toString());
                assertThat(serialization.decode(bytes, byIndex)).hasToString(value.toString());
                assertThat(peer.decode(bytes)).hasToString(value.toString());
            }
        }
    }

    /** A field of a superclass may be of a type that its subclasses can use, and classes beside them cannot. */
    @Test
    void typeThatOnlySubclassesCanUse_isRefusedWhereItStands() {
        String base = "package q" + IMPORT + "public abstract class Base { public Inner inner; public Level level;\n"
                + "@Compact(\"inner\") protected record Inner(int a) {} protected enum Level { LOW } }\n";
        String type = "package p" + IMPORT
                + "@Compact(value = \"t\", encode = Encoding.ENUM_AS_STRING) public class T extends q.Base { int own; }\n";
        assertThat(Compilation.of(base, type).messages())
                .hasSize(2)
                .anyMatch(message -> message.contains(
                        "type of field is not visible to generated code in package p: field=inner type=Base.Inner"))
                .anyMatch(message -> message.contains("field=level type=Base.Level"));
        String near = type.replace("package p", "package q").replace("q.Base", "Base");
        Compilation.of(base, near).clean();
    }

    private static Path codecFolder() throws URISyntaxException {
        return Path.of(CompactCodec.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    private static Compilation inModule(String moduleInfo, String... sources) throws URISyntaxException {
        List<String> all = new ArrayList<>(List.of(sources));
        all.add(moduleInfo);
        return Compilation.withClassPath(
                "", List.of("--module-path", codecFolder().toString(), "-Werror"), all.toArray(String[]::new));
    }

    /** Only in a module may permitted types be in other packages. */
    @Test
    void sealedTypes_acrossThePackagesOfAModule_roundTrip() throws URISyntaxException {
        List<String> sources = new ArrayList<>();
        for (String name : PACKAGES) {
            sources.add("package " + name + ".b" + IMPORT + "@Compact(\"" + name
                    + "\") public record T(int a) implements s.S {}\n");
        }
        sources.add("package deep" + IMPORT
                + "@Compact public sealed interface Mid extends s.S permits deep.low.Leaf {}\n");
        sources.add("package deep.low" + IMPORT + "@Compact(\"leaf\") public final class Leaf implements deep.Mid {\n"
                + "int a; @Override public String toString() { return \"leaf\" + a; } }\n");
        sources.add("package s" + IMPORT + "@Compact public sealed interface S permits deep.Mid, T" + fields(", #.b.T")
                + " {}\n");
        sources.add("package s" + IMPORT + "@Compact(\"own\") public record T(S inside, deep.Mid mid) implements S {\n"
                + "public static Object[] samples() { return new Object[] {new T(null, new deep.low.Leaf())"
                + fields(", new T(new #.b.T(7), null)") + "}; } }\n");
        Loaded loaded = inModule(
                        "module m { requires transitive dev.touchstone.serialization; exports s; exports deep; }",
                        sources.toArray(String[]::new))
                .load();
        List<String> names = new ArrayList<>(List.of("s.T", "deep.low.Leaf"));
        PACKAGES.forEach(name -> names.add(name + ".b.T"));
        CompactSerialization serialization = loaded.serialization(names.toArray(String[]::new));
        for (Object value : (Object[]) loaded.call("s.T", "samples")) {
            byte[] bytes = serialization.encode(value);
            assertThat(serialization.decode(bytes)).hasToString(value.toString());
        }
        assertThat((List<?>) loaded.constant("s.SCodec", "CODECS")).hasSize(PACKAGES.size() + 2);
    }

    @Test
    void permittedType_thatIsHiddenInAnotherPackage_isRefused() throws URISyntaxException {
        Compilation compilation = inModule(
                "module m { requires transitive dev.touchstone.serialization; }",
                "package s" + IMPORT + "@Compact public sealed interface S permits r.Mid {}\n",
                "package r" + IMPORT + "public sealed interface Mid extends s.S permits Hidden {}\n",
                "package r" + IMPORT + "@Compact(\"hidden\") record Hidden(int a) implements Mid {}\n");
        assertThat(compilation.messages())
                .singleElement()
                .asString()
                .contains(
                        "permitted type is not visible to generated code in the package of s.S, make it public: r.Hidden");
    }

    @Test
    void module_withoutHazelcast_getsNoSerializers() throws URISyntaxException {
        Compilation compilation = inModule(
                        "module m { requires transitive dev.touchstone.serialization; exports p; }",
                        "package p" + IMPORT + "@Compact(\"t\") public record T(int a, String b, T[] all) {}\n")
                .clean();
        assertThat(compilation.outputs.keySet())
                .contains("p/TCodec.class", "p/TView.class", "META-INF/compact/p.T.schema")
                .noneMatch(path -> path.contains("Serializer"));
        assertThat(Objects.requireNonNull(compilation.outputs.get("module-info.class")))
                .isNotEmpty();
    }

    /** The compiler takes several modules at once, and writes the files of each into a folder of its own. */
    @Test
    void severalModulesAtOnce_getTheirOwnFiles(@TempDir Path folder) throws IOException, URISyntaxException {
        Map<String, String> sources = Map.of(
                "a/module-info.java",
                "module a { requires transitive dev.touchstone.serialization; exports p; }",
                "a/p/T.java",
                "package p" + IMPORT + "@Compact(\"t\") public record T(int a, String b) {}",
                "b/module-info.java",
                "module b { requires transitive a; exports q; }",
                "b/q/U.java",
                "package q" + IMPORT + "@Compact(\"u\") public record U(p.T t, p.T[] all) {}");
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = folder.resolve("src").resolve(source.getKey());
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, source.getValue()));
        }
        Path out = Files.createDirectory(folder.resolve("out"));
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try (StandardJavaFileManager manager = javac.getStandardFileManager(diagnostics, null, null)) {
            JavaCompiler.CompilationTask task = javac.getTask(
                    null,
                    manager,
                    diagnostics,
                    List.of(
                            "--module-source-path",
                            folder.resolve("src").toString(),
                            "--module-path",
                            codecFolder().toString(),
                            "-d",
                            out.toString()),
                    null,
                    manager.getJavaFileObjectsFromPaths(files));
            task.setProcessors(List.of(new CompactProcessor()));
            assertThat(task.call()).as(diagnostics.getDiagnostics().toString()).isTrue();
        }
        assertThat(out.resolve("a/META-INF/compact/p.T.schema")).exists();
        assertThat(out.resolve("a/p/TCodec.class")).exists();
        assertThat(out.resolve("b/META-INF/compact/q.U.schema")).exists();
        assertThat(out.resolve("b/q/UView.class")).exists();
    }
}

package dev.touchstone.serialization.processor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.annotation.processing.Processor;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Sources that were compiled with the processor, in memory. */
final class Compilation {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern TYPE = Pattern.compile("\\b(?:record|class|enum|interface) (\\w+)");

    /** Bytes of what was written: classes, resources and generated sources by their paths. */
    final Map<String, byte[]> outputs = new TreeMap<>();

    final DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    boolean isSuccess;

    private Compilation() {}

    /** Compiles sources with all warnings; the first type of each gives its file the name. */
    static Compilation of(String... sources) {
        return of(List.of(new CompactProcessor()), List.of(), sources);
    }

    static Compilation of(List<? extends Processor> processors, List<String> options, String... sources) {
        Compilation compilation = new Compilation();
        compilation.compile(processors, options, System.getProperty("java.class.path"), sources);
        return compilation;
    }

    static Compilation withClassPath(String classPath, List<String> options, String... sources) {
        Compilation compilation = new Compilation();
        compilation.compile(List.of(new CompactProcessor()), options, classPath, sources);
        return compilation;
    }

    private void compile(
            List<? extends Processor> processors, List<String> options, String classPath, String... sources) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> files = new ArrayList<>();
        for (String source : sources) {
            files.add(new Source(source));
        }
        List<String> all = new ArrayList<>(List.of("-Xlint:all", "-classpath", classPath, "-parameters"));
        if (Runtime.version().feature() >= 21) {
            all.add("-proc:full");
        }
        all.addAll(options);
        try (StandardJavaFileManager standard =
                        javac.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8);
                JavaFileManager manager = new Outputs(standard)) {
            JavaCompiler.CompilationTask task =
                    javac.getTask(new StringWriter(), manager, diagnostics, all, null, files);
            if (!processors.isEmpty()) { // else the options have a path of processors
                task.setProcessors(processors);
            }
            isSuccess = task.call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that the compiler says, errors and warnings. */
    List<String> messages() {
        return diagnostics.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() != Diagnostic.Kind.NOTE)
                .map(diagnostic -> diagnostic.toString())
                .toList();
    }

    /** This, if there is neither an error nor a warning. */
    Compilation clean() {
        if (!isSuccess || !messages().isEmpty()) {
            throw new AssertionError(String.join("\n", messages()));
        }
        return this;
    }

    /** All generated sources, one behind the other. */
    String generated() {
        StringBuilder text = new StringBuilder();
        outputs.forEach((path, bytes) -> {
            if (path.endsWith(".java")) {
                text.append(new String(bytes, StandardCharsets.UTF_8)).append('\n');
            }
        });
        return text.toString();
    }

    String source(String path) {
        byte[] bytes = outputs.get(path);
        if (bytes == null) {
            throw new AssertionError(path + " is not among " + outputs.keySet());
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A loader of the compiled classes. */
    Loaded load() {
        return new Loaded(clean().outputs);
    }

    /** Writes the compiled classes into a folder. */
    void writeTo(Path folder) throws IOException {
        for (Map.Entry<String, byte[]> output : outputs.entrySet()) {
            Path file = folder.resolve(output.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, output.getValue());
        }
    }

    /** One that is kept in a string. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///" + path(text)), Kind.SOURCE);
            this.text = text;
        }

        private static String path(String text) {
            if (text.startsWith("module ")) {
                return "module-info.java";
            }
            Matcher owner = PACKAGE.matcher(text);
            String folder = owner.find() ? owner.group(1).replace('.', '/') + "/" : "";
            Matcher type = TYPE.matcher(text);
            return folder + (type.find() ? type.group(1) : "package-info") + ".java";
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {
        Outputs(JavaFileManager above) {
            super(above);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, @Nullable FileObject sibling) {
            return output(className.replace('.', '/') + kind.extension, kind);
        }

        @Override
        public FileObject getFileForOutput(
                Location location, String packageName, String name, @Nullable FileObject sibling) {
            return output(
                    (packageName.isEmpty() ? "" : packageName.replace('.', '/') + "/") + name,
                    JavaFileObject.Kind.OTHER);
        }

        @Override
        public boolean hasLocation(Location location) {
            return location == StandardLocation.CLASS_OUTPUT || super.hasLocation(location);
        }

        private JavaFileObject output(String path, JavaFileObject.Kind kind) {
            return new SimpleJavaFileObject(URI.create("memory:///" + path), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return new ByteArrayOutputStream() {
                        @Override
                        public void close() {
                            outputs.put(path, toByteArray());
                        }
                    };
                }

                @Override
                public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                    return source(path);
                }
            };
        }
    }
}

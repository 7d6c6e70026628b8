package dev.touchstone.benchmarks.docs;

import dev.touchstone.benchmarks.ServerClassPath;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The program {@code config/DocumentBlocks.java}, and the compiler and the JVM for the java blocks that it writes. */
final class DocumentTool {
    private static final Path SOURCE = Path.of("..", "config", "DocumentBlocks.java");
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final Duration TOOL_LIMIT = Duration.ofSeconds(60);

    /** The root pom's lints, without those that concern the class path, whose jars name jars that nobody needs. */
    private static final String LINT =
            "-Xlint:all,-processing,-serial,-options,-classfile,-requires-automatic,-exports,-path";

    private final Path classes;
    private final Path work;

    private DocumentTool(Path classes, Path work) {
        this.classes = classes;
        this.work = work;
    }

    /** An exit code, and standard output and standard error together. */
    record Outcome(int code, String output) {
        List<String> lines() {
            return output.lines().toList();
        }
    }

    /** Compiles the program; {@code work} is the folder for everything that is written. */
    static DocumentTool compiled(Path work) throws IOException {
        Path classes = Files.createDirectories(work.resolve("tool"));
        List<String> problems = compile(List.of(SOURCE), classes, List.of("-Xlint:all"));
        if (!problems.isEmpty()) {
            throw new IllegalStateException(SOURCE + " does not compile: " + problems);
        }
        return new DocumentTool(classes, work);
    }

    /** Runs the program in the folder {@code root}, from which documents are named. */
    Outcome run(Path root, List<String> arguments) throws IOException, InterruptedException {
        return runJava(root, classes.toString(), "DocumentBlocks", arguments, TOOL_LIMIT);
    }

    /** Compiles the java blocks of each document on their own, runs those with a main method, and returns the problems. */
    List<String> compileAndRun(Path root, List<String> documents, Duration limit) throws Exception {
        Path sources = Files.createTempDirectory(work, "java");
        Outcome written = run(root, concat(List.of("java", sources.toString()), documents));
        List<String> problems = new ArrayList<>();
        if (written.code != 0) {
            problems.addAll(written.lines());
        }
        Map<String, List<Path>> files = new TreeMap<>();
        List<String[]> rows = Files.readAllLines(sources.resolve("blocks.tsv")).stream()
                .map(row -> row.split("\t", -1))
                .toList();
        for (String[] row : rows) {
            files.computeIfAbsent(row[1].substring(0, row[1].lastIndexOf(':')), document -> new ArrayList<>())
                    .add(sources.resolve(row[0] + ".java"));
        }
        Path compiled = Files.createTempDirectory(work, "classes");
        for (Map.Entry<String, List<Path>> entry : files.entrySet()) {
            problems.addAll(compile(
                    entry.getValue(),
                    compiled,
                    List.of(
                            LINT,
                            "-processor",
                            "dev.touchstone.serialization.processor.CompactProcessor",
                            "-implicit:none",
                            "-classpath",
                            System.getProperty("java.class.path"))));
        }
        if (problems.isEmpty()) {
            problems.addAll(runMains(rows, compiled, limit));
        }
        return problems;
    }

    private List<String> runMains(List<String[]> rows, Path compiled, Duration limit) throws Exception {
        List<String> problems = new ArrayList<>();
        try (ServerClassPath artefacts = ServerClassPath.unpack()) {
            for (String[] row : rows) {
                if (row[2].equals("run")) {
                    Path empty = Files.createTempDirectory(work, "run");
                    Outcome outcome =
                            runJava(empty, compiled + File.pathSeparator + artefacts.text(), row[0], List.of(), limit);
                    if (outcome.code != 0) {
                        problems.add(row[1] + ": " + row[0] + " ended with exit code " + outcome.code + ": "
                                + outcome.output);
                    }
                }
            }
        }
        return problems;
    }

    private static List<String> compile(List<Path> sources, Path classes, List<String> options) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        List<String> all = concat(List.of("--release", "17", "-Werror", "-d", classes.toString()), options);
        try (StandardJavaFileManager files = compiler.getStandardFileManager(diagnostics, null, null)) {
            boolean done = compiler.getTask(
                            null, files, diagnostics, all, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            List<String> problems = diagnostics.getDiagnostics().stream()
                    .filter(diagnostic -> diagnostic.getKind() != Diagnostic.Kind.NOTE)
                    .map(DocumentTool::text)
                    .toList();
            return !done && problems.isEmpty() ? List.of("javac failed and said nothing: " + sources) : problems;
        }
    }

    /** Returns the text of a diagnostic with the name of the document, whose line numbers the written file has. */
    private static String text(Diagnostic<? extends JavaFileObject> diagnostic) {
        JavaFileObject source = diagnostic.getSource();
        if (source == null) {
            return diagnostic.toString();
        }
        try {
            String first =
                    source.getCharContent(true).toString().lines().findFirst().orElse("");
            String document = first.replaceFirst("^/\\* (.*?) \\*/.*", "$1");
            return diagnostic.toString().replace(source.getName(), document);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a main class in a JVM that starts fast; see {@link #start}. */
    Outcome runJava(Path folder, String classPath, String main, List<String> arguments, Duration limit)
            throws IOException, InterruptedException {
        List<String> java =
                List.of(JAVA.toString(), "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-classpath", classPath, main);
        return start(folder, concat(java, arguments), limit);
    }

    /** Runs a command and waits for its end; it and its descendants are killed at the limit, which is exit code -1. */
    Outcome start(Path folder, List<String> command, Duration limit) throws IOException, InterruptedException {
        Path output = Files.createTempFile(work, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        try {
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            String text = Files.readString(output);
            return ended
                    ? new Outcome(process.exitValue(), text)
                    : new Outcome(-1, "still running after " + limit.toSeconds() + " s; " + text);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Returns the strings of both lists. */
    static List<String> concat(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /** Returns the entries of the class path that the java blocks are compiled with. */
    static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().normalize())
                .toList();
    }
}

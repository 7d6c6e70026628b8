package dev.touchstone.buildsupport;

import com.sun.source.util.JavacTask;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Runs the compiler's check of javadoc over public and protected members. */
final class Doclint {
    private static final String MAX_REMARKS = "1000000";

    private Doclint() {}

    /**
     * Returns what doclint remarks in source files.
     *
     * @param classes the folder of the module's compiled classes; what else the files need is on the class path of the tests
     * @throws IllegalStateException if a file does not compile
     */
    static List<Offence> remarks(Path classes, List<Path> files) throws IOException {
        if (files.isEmpty()) {
            return List.of();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(diagnostics, null, null)) {
            List<String> options = List.of(
                    "-Xdoclint:all/protected",
                    "-Xmaxerrs",
                    MAX_REMARKS,
                    "-Xmaxwarns",
                    MAX_REMARKS,
                    "-proc:none",
                    "-implicit:none",
                    "-classpath",
                    classes + File.pathSeparator + System.getProperty("java.class.path"));
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, diagnostics, options, null, manager.getJavaFileObjectsFromPaths(files));
            task.analyze();
        }
        List<Offence> remarks = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
            if (diagnostic.getCode().endsWith(".proc.messager")) {
                remarks.add(remark(diagnostic));
            } else if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                throw new IllegalStateException("doclint cannot compile the module's API: " + diagnostic);
            }
        }
        return remarks;
    }

    private static Offence remark(Diagnostic<? extends JavaFileObject> diagnostic) {
        String firstLine = diagnostic.getMessage(null).lines().findFirst().orElse("");
        return new Offence(
                "doclint", Path.of(diagnostic.getSource().toUri()).toString(), diagnostic.getLineNumber(), firstLine);
    }
}

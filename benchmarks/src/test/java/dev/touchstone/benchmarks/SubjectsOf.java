package dev.touchstone.benchmarks;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Runs a parameterized test with the name of each subject of the workloads that a benchmark class times. */
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(SubjectsOf.Source.class)
public @interface SubjectsOf {
    /** Returns the benchmark class. */
    Class<?> value();

    /** Reads the names from the matrix. */
    final class Source implements ArgumentsProvider, AnnotationConsumer<SubjectsOf> {
        private Class<?> benchmark = Object.class;

        @Override
        public void accept(SubjectsOf annotation) {
            benchmark = annotation.value();
        }

        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            return Workloads.subjects(Workloads.of(benchmark)).map(Arguments::of);
        }
    }

    /** Looks workloads of the matrix up. */
    final class Workloads {
        private Workloads() {}

        /** Returns all workloads. */
        public static Stream<Matrix.Workload> all() {
            try {
                return MatrixReader.fromClassPath(SubjectsOf.class.getClassLoader()).workloads().stream();
            } catch (MatrixException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Returns the workloads that a benchmark class times. */
        public static Stream<Matrix.Workload> of(Class<?> benchmark) {
            return all().filter(workload -> workload.benchmark().startsWith(benchmark.getName() + "."));
        }

        /** Skips the test of a subject that lacks something of this machine. */
        public static void assumeRuns(String subject) {
            Optional<String> missing = DeclaredSubject.of(subject).missing();
            assumeTrue(missing.isEmpty(), () -> subject + ": " + missing.orElseThrow());
        }

        /** Returns the name of each subject of workloads once. */
        public static Stream<String> subjects(Stream<Matrix.Workload> workloads) {
            return workloads.flatMap(workload -> workload.subjects().stream()).distinct();
        }
    }
}

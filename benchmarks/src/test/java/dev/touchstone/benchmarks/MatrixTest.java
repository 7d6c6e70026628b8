package dev.touchstone.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.index.http.ServedSubject;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Comparisons;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.store.Annotations;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What the matrix says, of whichever part, holds together with the benchmarks and the subjects. */
@Timeout(60)
final class MatrixTest {
    private static Matrix matrix;

    @BeforeAll
    static void read() throws Exception {
        matrix = MatrixReader.fromClassPath(MatrixTest.class.getClassLoader());
    }

    @Test
    void workloads_eachNamesABenchmarkThatJmhKnows() {
        Set<String> known = BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT), List.of())
                .stream()
                .map(BenchmarkListEntry::getUsername)
                .collect(Collectors.toSet());
        assertThat(matrix.workloads())
                .isNotEmpty()
                .allSatisfy(workload -> assertThat(known).contains(workload.benchmark()));
    }

    @Test
    void workloads_eachSubject_isAValueThatTheBenchmarkTakes() throws Exception {
        for (Matrix.Workload workload : matrix.workloads()) {
            Field subject = type(workload).getField("subject");
            String[] values = subject.getAnnotation(Param.class).value();
            if (subject.getType().isEnum()) {
                assertThat(values).as(workload.id()).containsAll(workload.subjects());
            } else {
                assertThat(workload.subjects())
                        .as(workload.id())
                        .allSatisfy(name ->
                                assertThat(DeclaredSubject.of(name).adapters()).isNotEmpty());
                assertThat(SubjectsOf.Workloads.subjects(SubjectsOf.Workloads.of(type(workload))))
                        .containsAll(List.of(values));
            }
        }
    }

    @Test
    void declaredSubjects_eachIsTheOneOfTheMatrix() {
        matrix.subjects()
                .forEach((name, subject) -> assertThat(DeclaredSubject.of(name))
                        .isEqualTo(new DeclaredSubject(name, subject.level(), subject.adapters())));
    }

    @Test
    void workloads_eachParameter_isAValueThatTheBenchmarkTakes() throws Exception {
        for (Matrix.Workload workload : matrix.workloads()) {
            for (var param : workload.params().entrySet()) {
                if (param.getKey().equals(Cell.RATE)) {
                    continue;
                }
                Class<?> field = type(workload).getField(param.getKey()).getType();
                if (field.isEnum()) {
                    assertThat(Arrays.stream(field.getEnumConstants()).map(Object::toString))
                            .as(workload.id())
                            .contains(param.getValue());
                }
            }
        }
    }

    @Test
    void workloads_eachHasAnIdAndATitleOfItsOwn() {
        assertThat(matrix.workloads().stream().map(Matrix.Workload::id)).doesNotHaveDuplicates();
        assertThat(matrix.workloads().stream().map(Matrix.Workload::title)).doesNotHaveDuplicates();
    }

    @Test
    void quick_ofEachPart_fitsThreeMinutes() {
        List<Cell> cells = Comparisons.of(matrix, Selection.ALL, Comparisons.Extent.QUICK).stream()
                .flatMap(List::stream)
                .toList();
        assertThat(cells).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(24);
        assertThat(parts(matrix.workloads().stream().filter(workload -> workload.quick() != null)))
                .containsExactlyElementsOf(parts(matrix.workloads().stream()));
    }

    /** Checks the cells that are measured until all of them are decided, which takes some fifteen rounds. */
    @Test
    void headline_ofEachPart_fitsAnHour() {
        List<List<Cell>> comparisons = Comparisons.of(matrix, Selection.ALL, Comparisons.Extent.HEADLINE);
        assertThat(comparisons.stream().flatMap(List::stream))
                .doesNotHaveDuplicates()
                .hasSizeLessThanOrEqualTo(42);
        assertThat(parts(matrix.workloads().stream().filter(workload -> workload.headline() != null)))
                .containsExactlyElementsOf(parts(matrix.workloads().stream()));
        assertThat(matrix.workloads())
                .filteredOn(workload -> workload.headline() != null)
                .allSatisfy(workload -> assertThat(
                                Objects.requireNonNull(workload.headline()).peers())
                        .isNotEmpty());
    }

    @Test
    void annotations_eachIsOfSomeWorkload() throws Exception {
        assertThat(Annotations.read(Path.of("..", "results")).annotations())
                .isNotEmpty()
                .allSatisfy(annotation -> assertThat(matrix.workloads())
                        .anyMatch(workload -> Pattern.compile(annotation.cells())
                                .matcher(workload.id() + "/")
                                .find()));
    }

    @Test
    void subjects_levelIsTheOneInTheCode() {
        Stream.of(ServedSubject.values()).forEach(subject -> assertLevel(subject.name(), subject.level()));
    }

    private static List<String> parts(Stream<Matrix.Workload> workloads) {
        return workloads.map(Matrix.Workload::part).distinct().toList();
    }

    private static void assertLevel(String subject, String level) {
        assertThat(Objects.requireNonNull(matrix.subjects().get(subject), subject)
                        .level())
                .as(subject)
                .isEqualTo(level);
    }

    private static Class<?> type(Matrix.Workload workload) throws ClassNotFoundException {
        String benchmark = workload.benchmark();
        return Class.forName(benchmark.substring(0, benchmark.lastIndexOf('.')));
    }
}

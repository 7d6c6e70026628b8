package dev.touchstone.harness.run.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Comparisons;
import dev.touchstone.harness.run.Comparisons.Extent;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.ForkFlags;
import dev.touchstone.harness.run.Matrices;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.run.Timing;
import dev.touchstone.harness.run.fork.FixedRate;
import dev.touchstone.harness.run.fork.ForkSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final Timing TIMING =
            new Timing(false, 1, new Phase(1, Duration.ofMillis(100)), new Phase(2, Duration.ofMillis(100)));
    private final Matrix matrix = Matrices.sample();

    @Test
    void comparisons_sweptThreads_oneComparisonEach() {
        assertThat(ids(Comparisons.of(matrix, Selection.ALL, Extent.ALL)))
                .containsExactly(
                        List.of("write/t1/OURS", "write/t1/PEER", "write/t1/CEILING"),
                        List.of("write/t8/OURS", "write/t8/PEER"),
                        List.of("mixed/t0/size=SMALL/OURS", "mixed/t0/size=SMALL/PEER", "mixed/t4/size=SMALL/CEILING"));
    }

    @Test
    void comparisons_quick_quickWorkloadsAndThreadsOnly() {
        assertThat(ids(Comparisons.of(matrix, Selection.ALL, Extent.QUICK)))
                .as("the ceiling of one thread joins the only comparison there is")
                .containsExactly(List.of("write/t8/OURS", "write/t8/PEER", "write/t1/CEILING"));
    }

    @Test
    void comparisons_headline_itsWorkloadsAndPeersOnly() throws MatrixException {
        Matrix with = MatrixReader.parse(
                "sample",
                Matrices.SAMPLE.replace(
                        "\"params\": {\"size\"",
                        "\"headline\": {\"threads\": [], \"peers\": []}, \"params\": {\"size\""));
        assertThat(ids(Comparisons.of(with, Selection.ALL, Extent.HEADLINE)))
                .containsExactly(List.of("mixed/t0/size=SMALL/OURS", "mixed/t4/size=SMALL/CEILING"));
        assertThat(Comparisons.of(matrix, Selection.ALL, Extent.HEADLINE))
                .as("of a matrix without headline")
                .isEqualTo(Comparisons.of(matrix, Selection.ALL, Extent.QUICK));
    }

    @Test
    void comparisons_selection_narrows() {
        TreeMap<String, String> params = new TreeMap<>();
        params.put("size", "LARGE");
        Selection selection = new Selection(
                Set.of("queue"), List.of(Pattern.compile("mix")), Set.of("PEER"), List.of(), params, List.of());
        assertThat(ids(Comparisons.of(matrix, selection, Extent.ALL)))
                .containsExactly(List.of("mixed/t0/size=LARGE/PEER"));
    }

    @Test
    void round_oddRounds_runBackwardsAndSubjectsStayAdjacent() throws MatrixException {
        Plan plan = plan();
        assertThat(order(plan, 0)).containsExactlyElementsOf(plan.cellIds());
        assertThat(order(plan, 1))
                .containsExactly(
                        "mixed/t4/size=SMALL/CEILING",
                        "mixed/t0/size=SMALL/PEER",
                        "mixed/t0/size=SMALL/OURS",
                        "write/t8/PEER",
                        "write/t8/OURS",
                        "write/t1/CEILING",
                        "write/t1/PEER",
                        "write/t1/OURS");
        assertThat(plan.round(1).stream().flatMap(List::stream).map(ForkSpec::order))
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void round_threeForksOfAComparison_standInEachPlaceEquallyOften() throws MatrixException {
        Plan plan = plan();
        Map<String, Long> places = IntStream.range(0, 6)
                .mapToObj(plan::round)
                .flatMap(round ->
                        round.stream().filter(forks -> forks.get(0).cell().id().startsWith("write/t1/")))
                .flatMap(forks -> IntStream.range(0, 3)
                        .mapToObj(place -> forks.get(place).cell().subject() + place))
                .collect(Collectors.groupingBy(at -> at, Collectors.counting()));
        assertThat(places)
                .hasSize(9)
                .allSatisfy((at, times) -> assertThat(times).isEqualTo(2));
    }

    @Test
    void plan_flags_eachSubjectItsOwn() throws MatrixException {
        ForkSpec peer = plan().round(0).get(0).get(1);
        assertThat(peer.jvmFlags()).containsExactly("-Xmx1g", "--add-opens=a/b=ALL-UNNAMED");
        ForkSpec ours = plan().round(0).get(0).get(0);
        assertThat(ours.jvmFlags()).containsExactly("-Xmx1g");
        assertThat(new ForkFlags(matrix, 25).of("OURS"))
                .contains("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void plan_unknownBenchmark_refused() {
        Planner planner = new Planner(name -> Optional.empty(), new ForkFlags(matrix, 17));
        List<List<Cell>> comparisons = Comparisons.of(matrix, Selection.ALL, Extent.ALL);
        assertThatThrownBy(() -> planner.plan(comparisons, Settings.full(1, null, List.of())))
                .isInstanceOf(MatrixException.class)
                .hasMessageContaining("no benchmark 'b.Write.write'");
    }

    @Test
    void quick_moreCells_shorterIterationsSoThatThreeRoundsFit() {
        for (int cells : new int[] {1, 10, 20, 24}) {
            Settings settings = Settings.quick(cells, Duration.ofMinutes(3), List.of());
            Duration fork = TIMING.expected(settings.timed());
            assertThat(fork.multipliedBy(3L * cells)).as("cells=%d", cells).isLessThanOrEqualTo(Duration.ofMinutes(3));
        }
        assertThat(Settings.quick(4, Duration.ofMinutes(3), List.of()).timed())
                .hasToString("Sampling[warmup=1 x 500ms, measurement=2 x 500ms]");
    }

    @Test
    void quick_singleShot_takesShotsWhateverTheTime() {
        Timing single = new Timing(true, 1, new Phase(0, Duration.ZERO), new Phase(1, Duration.ZERO));
        Settings settings = Settings.quick(1, Duration.ofMinutes(3), List.of());
        assertThat(settings.samplingOf(single).measurement()).isEqualTo(new Phase(2, Duration.ZERO));
    }

    @Test
    void fixedRate_singleShot_onlyABatchHasARate() throws Exception {
        Cell cell = new Cell("w", "a.B.c", new TreeMap<>(Map.of(Cell.RATE, "100")), 1, "OURS");
        Phase shots = new Phase(1, Duration.ZERO);
        FixedRate.check(cell, new Timing(true, 2, shots, shots));
        assertThatThrownBy(() -> FixedRate.check(cell, new Timing(true, 1, shots, shots)))
                .isInstanceOf(MatrixException.class)
                .hasMessageContaining("batchSize");
    }

    @Test
    void parse_phaseAndDuration_roundTrip() {
        assertThat(Phase.parse("3x500ms")).isEqualTo(new Phase(3, Duration.ofMillis(500)));
        assertThat(Phase.parse("1 x 1m")).hasToString("1 x 1m");
        assertThat(Durations.about(Duration.ofSeconds(125))).isEqualTo("2 min 5 s");
        assertThatThrownBy(() -> Phase.parse("3 times")).hasMessageContaining("3x500ms");
        assertThatThrownBy(() -> Durations.parse("soon")).hasMessageContaining("got 'soon'");
    }

    private Plan plan() throws MatrixException {
        Planner planner = new Planner(name -> Optional.of(TIMING), new ForkFlags(matrix, 17));
        return planner.plan(Comparisons.of(matrix, Selection.ALL, Extent.ALL), Settings.full(3, null, List.of()));
    }

    private static List<String> order(Plan plan, int round) {
        return plan.round(round).stream()
                .flatMap(List::stream)
                .map(fork -> fork.cell().id())
                .toList();
    }

    private static List<List<String>> ids(List<List<Cell>> comparisons) {
        return comparisons.stream()
                .map(cells -> cells.stream().map(Cell::id).toList())
                .toList();
    }
}

package dev.touchstone.harness.cli;

import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.file.StrictJson;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Comparisons;
import dev.touchstone.harness.run.Comparisons.Extent;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.ForkFlags;
import dev.touchstone.harness.run.JmhCatalog;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.run.fork.ForkSpec;
import dev.touchstone.harness.run.plan.Plan;
import dev.touchstone.harness.run.plan.Planner;
import dev.touchstone.harness.run.plan.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code list}: shows what there is to measure, and how long a fork of it takes. */
@Command(
        name = "list",
        description = {
            "Shows the workloads of the matrix: their cells, subjects and times.",
            "",
            "A cell is one workload with one thread count, choice of parameters and subject. Cells are counted and timed "
                    + "as the quick and the full profile measure them; a time is that of one fork of each cell."
        })
final class ListCommand implements Callable<Integer> {
    private static final int MAX_WORKLOAD_ROWS = 60;

    private final Invocation invocation;

    @Parameters(
            arity = "0..*",
            paramLabel = "<workload>",
            description = "Regular expression that a workload's id or benchmark name must match. Default: all.")
    private List<String> workloads = new ArrayList<>();

    @Option(names = "--parts", paramLabel = "<part>", split = ",", description = "Only these parts. Default: all.")
    private Set<String> parts = new LinkedHashSet<>();

    @Option(
            names = "--subjects",
            paramLabel = "<name>",
            split = ",",
            description = "Only cells of these subjects. Default: all.")
    private Set<String> subjects = new LinkedHashSet<>();

    @Option(
            names = "--param",
            paramLabel = "<name=value>",
            description = "Only cells with this value of a benchmark parameter; may be repeated.")
    private Map<String, String> params = new LinkedHashMap<>();

    @Option(
            names = "--cells",
            description =
                    "Show every cell. By default: a row for each workload, or for each part if there are more than "
                            + MAX_WORKLOAD_ROWS + " workloads.")
    private boolean cells;

    @Option(names = "--json", description = "Print one JSON document with every cell on stdout instead of the table.")
    private boolean json;

    ListCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Matrix matrix = MatrixReader.fromClassPath(invocation.loader());
        Selection selection =
                new Selection(parts, Values.patterns(workloads), subjects, List.of(), new TreeMap<>(), List.of());
        ChosenNames.check(selection, matrix, JmhCatalog.load());
        Plan quick = plan(matrix, selection, true);
        Plan full = plan(matrix, selection, false);
        List<Row> rows = rows(quick, full);
        if (rows.isEmpty()) {
            throw new UsageException(
                    "no cell matches the options; 'touchstone list' without options shows what there is");
        }
        invocation.console().out().print(json ? StrictJson.pretty(rows) : table(rows, matrix, quick, full));
        invocation.console().out().flush();
        return ExitCode.OK;
    }

    private Plan plan(Matrix matrix, Selection selection, boolean quick) throws MatrixException {
        List<List<Cell>> comparisons = Comparisons.of(matrix, selection, quick ? Extent.QUICK : Extent.ALL).stream()
                .map(comparison -> comparison.stream()
                        .filter(cell -> cell.params().entrySet().containsAll(params.entrySet()))
                        .toList())
                .filter(comparison -> !comparison.isEmpty())
                .toList();
        int count = comparisons.stream().mapToInt(List::size).sum();
        Settings settings = quick
                ? Settings.quick(count, QuickCommand.BUDGET, List.of())
                : Settings.full(FullCommand.DEFAULT_ROUNDS, null, List.of());
        return new Planner(
                        JmhCatalog.load(),
                        new ForkFlags(matrix, Runtime.version().feature()))
                .plan(comparisons, settings);
    }

    private static List<Row> rows(Plan quick, Plan full) {
        Map<String, ForkSpec> quickForks = byId(quick);
        Map<String, ForkSpec> fullForks = byId(full);
        Set<String> ids = new LinkedHashSet<>(fullForks.keySet());
        ids.addAll(quickForks.keySet());
        List<Row> rows = new ArrayList<>();
        for (String id : ids) {
            ForkSpec quickFork = quickForks.get(id);
            ForkSpec fullFork = fullForks.get(id);
            ForkSpec any = fullFork == null ? quickFork : fullFork;
            if (any != null) {
                rows.add(new Row(id, any.cell().benchmark(), millis(quickFork), millis(fullFork)));
            }
        }
        return rows;
    }

    private String table(List<Row> rows, Matrix matrix, Plan quick, Plan full) {
        Map<String, List<Row>> byWorkload =
                grouped(rows, row -> row.cell().substring(0, row.cell().indexOf('/')));
        String table;
        if (cells) {
            table = cellTable(rows);
        } else if (byWorkload.size() <= MAX_WORKLOAD_ROWS) {
            table = workloadTable(byWorkload);
        } else {
            table = partTable(byWorkload, matrix);
        }
        return table
                + "\nquick: " + quick.cellIds().size() + " cells, about " + Durations.about(quick.roundTime())
                + " a round, 3 to 8 rounds within 3 min.\nfull: "
                + full.cellIds().size() + " cells, about "
                + Durations.about(full.roundTime()) + " a round, " + FullCommand.DEFAULT_ROUNDS + " rounds.\n"
                + (cells ? "" : "--parts, --subjects, --param and <workload> choose; --cells shows every cell.\n");
    }

    private static String cellTable(List<Row> rows) {
        Columns columns = new Columns("cell", "quick", "full", "benchmark");
        for (Row row : rows) {
            columns.row(row.cell(), about(row.quickMillis()), about(row.fullMillis()), method(row));
        }
        return columns.render();
    }

    private static String workloadTable(Map<String, List<Row>> byWorkload) {
        Columns columns = new Columns("workload", "subjects", "quick cells", "full cells", "full time");
        byWorkload.forEach((workload, rows) -> columns.row(
                workload,
                Integer.toString(subjects(rows)),
                count(rows, Row::quickMillis),
                count(rows, Row::fullMillis),
                about(sum(rows))));
        return columns.render();
    }

    private static String partTable(Map<String, List<Row>> byWorkload, Matrix matrix) {
        Columns sums = new Columns("part", "workloads", "subjects", "quick cells", "full cells", "full time");
        Columns names = new Columns("part", "workloads");
        Map<String, List<String>> byPart = new LinkedHashMap<>();
        for (Matrix.Workload workload : matrix.workloads()) {
            if (byWorkload.containsKey(workload.id())) {
                byPart.computeIfAbsent(workload.part(), part -> new ArrayList<>())
                        .add(workload.id());
            }
        }
        byPart.forEach((part, ids) -> {
            List<Row> rows = ids.stream()
                    .flatMap(id -> byWorkload.getOrDefault(id, List.of()).stream())
                    .toList();
            sums.row(
                    part,
                    Integer.toString(ids.size()),
                    Integer.toString(subjects(rows)),
                    count(rows, Row::quickMillis),
                    count(rows, Row::fullMillis),
                    about(sum(rows)));
            names.row(part, String.join(", ", ids));
        });
        return sums.render() + "\n" + names.render();
    }

    private static Map<String, List<Row>> grouped(List<Row> rows, Function<Row, String> key) {
        return rows.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
    }

    private static int subjects(List<Row> rows) {
        return grouped(rows, row -> row.cell().substring(row.cell().lastIndexOf('/') + 1))
                .size();
    }

    private static String count(List<Row> rows, Function<Row, @Nullable Long> millis) {
        long count = rows.stream().filter(row -> millis.apply(row) != null).count();
        return count == 0 ? "-" : Long.toString(count);
    }

    private static @Nullable Long sum(List<Row> rows) {
        long sum = 0;
        for (Row row : rows) {
            Long millis = row.fullMillis();
            sum += millis == null ? 0 : millis;
        }
        return sum == 0 ? null : sum;
    }

    private static String method(Row row) {
        String name = row.benchmark();
        return name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
    }

    private static Map<String, ForkSpec> byId(Plan plan) {
        return plan.comparisons().stream()
                .flatMap(List::stream)
                .collect(Collectors.toMap(
                        fork -> fork.cell().id(), Function.identity(), (first, second) -> first, LinkedHashMap::new));
    }

    private static @Nullable Long millis(@Nullable ForkSpec fork) {
        return fork == null ? null : fork.expected().toMillis();
    }

    private static String about(@Nullable Long millis) {
        return millis == null ? "-" : Durations.about(Duration.ofMillis(millis));
    }

    /**
     * A cell in the JSON list.
     *
     * @param cell id of the cell
     * @param benchmark fully qualified name of the benchmark method
     * @param quickMillis time of one fork in milliseconds; null if the quick profile does not measure the cell
     * @param fullMillis time of one fork in milliseconds; null if the full profile does not measure the cell
     */
    record Row(
            String cell,
            String benchmark,
            @Nullable Long quickMillis,
            @Nullable Long fullMillis) {}
}

package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.BenchmarkCatalog;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Comparisons;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.ForkFlags;
import dev.touchstone.harness.run.ForkSpec;
import dev.touchstone.harness.run.JmhCatalog;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.Plan;
import dev.touchstone.harness.run.Planner;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.run.Settings;
import dev.touchstone.harness.store.StrictJson;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code list}: what there is to measure, and how long a fork of it takes. */
@Command(
        name = "list",
        sortOptions = false,
        description = "The cells of the matrix with the estimated time of one fork.")
final class ListCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Option(names = "--parts", paramLabel = "<part>", split = ",", description = "Only these parts.")
    private Set<String> parts = new LinkedHashSet<>();

    @Option(names = "--json", description = "One JSON document on stdout in place of the table.")
    private boolean json;

    @Mixin
    HelpOption help = new HelpOption();

    ListCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Matrix matrix = MatrixReader.fromClassPath(invocation.loader());
        Choices.parts(parts, matrix);
        Selection selection = new Selection(parts, List.of(), Set.of(), List.of(), new TreeMap<>(), List.of());
        Plan quick = plan(matrix, Comparisons.of(matrix, selection, true), true);
        Plan full = plan(matrix, Comparisons.of(matrix, selection, false), false);
        invocation.console().out().print(json ? StrictJson.pretty(rows(quick, full)) : table(quick, full));
        invocation.console().out().flush();
        return ExitCode.OK;
    }

    private static Plan plan(Matrix matrix, List<List<Cell>> comparisons, boolean quick) throws MatrixException {
        int cells = comparisons.stream().mapToInt(List::size).sum();
        Settings settings = quick
                ? Settings.quick(cells, QuickCommand.BUDGET, List.of())
                : Settings.full(FullCommand.DEFAULT_ROUNDS, null, List.of());
        BenchmarkCatalog catalog = JmhCatalog.load();
        return new Planner(catalog, new ForkFlags(matrix, Runtime.version().feature())).plan(comparisons, settings);
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

    private static String table(Plan quick, Plan full) {
        Columns columns = new Columns("cell", "quick", "full", "benchmark");
        for (Row row : rows(quick, full)) {
            String name = row.benchmark();
            String method = name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
            columns.row(row.cell(), about(row.quickMillis()), about(row.fullMillis()), method);
        }
        return columns.render()
                + "\nOne fork each. quick: " + quick.cellIds().size() + " cells, about "
                + Durations.about(quick.roundTime()) + " a round, 3 to 8 rounds within 3 min.\nfull: "
                + full.cellIds().size() + " cells, about " + Durations.about(full.roundTime()) + " a round, "
                + FullCommand.DEFAULT_ROUNDS + " rounds.\n";
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

    /** One cell; the time is null where the profile does not measure it. */
    record Row(
            String cell,
            String benchmark,
            @Nullable Long quickMillis,
            @Nullable Long fullMillis) {}
}

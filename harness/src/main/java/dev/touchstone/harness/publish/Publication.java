package dev.touchstone.harness.publish;

import dev.touchstone.harness.file.AtomicFiles;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.SeedFigures;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.store.Published;
import dev.touchstone.harness.store.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** The files that a checkout publishes of its recorded runs, as {@code results/published.json} chooses them. */
public final class Publication {
    /** Folder of the pages, from the root of the checkout. */
    public static final String PAGES = "docs/results/";

    /** Folder of the plots, from the root of the checkout. */
    public static final String PLOTS = "docs/plots/";

    private Publication() {}

    /**
     * Makes the text of every published file.
     *
     * @param root of the checkout: the folder that holds {@code results/}
     * @return texts by path from the root
     * @throws IllegalArgumentException if the declaration names a workload that its run has not measured
     */
    public static SortedMap<String, String> files(Path root, Matrix matrix) throws IOException {
        Path results = root.resolve("results");
        Published published = Published.read(results);
        SortedMap<String, String> files = new TreeMap<>();
        SeedFigures seeds = SeedFigures.below(results.resolve("seed"));
        Map<String, ReportInput> inputs = new LinkedHashMap<>();
        for (String run : published.runs()) {
            inputs.put(run, ReportInput.read(RunFolder.open(results.resolve(run)), matrix, seeds));
        }
        for (Published.Part part : published.parts()) {
            List<ReportInput> runs =
                    part.tables().stream().map(table -> of(inputs, table.run())).toList();
            for (PlotColours colours : PlotColours.values()) {
                files.put(
                        PLOTS + plotName(part, colours),
                        ResultPlot.render(runs.get(0), part.plot(), part.part(), colours));
            }
            files.put(PAGES + part.part() + ".md", ResultPage.ofPart(part, runs));
        }
        files.put(PAGES + "README.md", ResultPage.overview(published, of(inputs, published.overview())));
        files.put(PAGES + "origin.md", OriginPage.of(published, inputs, seeds));
        return files;
    }

    private static ReportInput of(Map<String, ReportInput> inputs, String run) {
        return Objects.requireNonNull(inputs.get(run), run);
    }

    static String plotName(Published.Part part, PlotColours colours) {
        return part.part() + "-" + colours.suffix() + ".svg";
    }

    /** Writes every published file below the root of a checkout. */
    public static void write(Path root, Map<String, String> files) throws IOException {
        Files.createDirectories(root.resolve(PAGES));
        Files.createDirectories(root.resolve(PLOTS));
        for (Map.Entry<String, String> file : files.entrySet()) {
            AtomicFiles.write(root.resolve(file.getKey()), file.getValue());
        }
    }
}

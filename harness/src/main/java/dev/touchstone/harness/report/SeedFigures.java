package dev.touchstone.harness.report;

import dev.touchstone.harness.run.Matrix;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of the origin documents as data, by reference {@code file#table/row}. Immutable. */
public final class SeedFigures {
    /** Folder on the class path that holds a copy of {@code results/seed}. */
    public static final String RESOURCE_FOLDER = "META-INF/touchstone/seed/";

    private final SortedMap<String, SeedDocument> documents;
    private final List<String> missing;

    private SeedFigures(SortedMap<String, SeedDocument> documents, List<String> missing) {
        this.documents = documents;
        this.missing = List.copyOf(missing);
    }

    /** No figures at all. */
    public static SeedFigures none() {
        return new SeedFigures(new TreeMap<>(), List.of());
    }

    /** The files that a matrix's seed rows name; see {@link #load}. */
    public static SeedFigures of(Matrix matrix, Source source) throws SeedFormatException {
        TreeSet<String> files = new TreeSet<>();
        matrix.seedRows().forEach(row -> files.add(fileOf(row.seed())));
        return load(files, source);
    }

    /** Reads all files of a folder. */
    public static SeedFigures below(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<String> names = files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".json"))
                    .map(name -> name.substring(0, name.length() - ".json".length()))
                    .toList();
            return load(names, file -> Files.newInputStream(folder.resolve(file)));
        }
    }

    /**
     * Reads files by name, without {@code .json}. A file that isn't there is {@link #missing}: the report is made all the same.
     *
     * @throws SeedFormatException when a file isn't what it should be
     */
    public static SeedFigures load(Collection<String> files, Source source) throws SeedFormatException {
        SortedMap<String, SeedDocument> documents = new TreeMap<>();
        List<String> missing = new ArrayList<>();
        for (String file : files) {
            try (InputStream in = source.open(file + ".json")) {
                if (in == null) {
                    missing.add(file);
                } else {
                    documents.put(file, SeedReader.read(in, file + ".json"));
                }
            } catch (SeedFormatException e) {
                throw e;
            } catch (IOException e) {
                throw new SeedFormatException(file + ".json: can't be read: " + e.getMessage(), e);
            }
        }
        return new SeedFigures(documents, missing);
    }

    /** The files on a class path, below {@link #RESOURCE_FOLDER}. */
    public static Source onClassPath(ClassLoader loader) {
        return file -> loader.getResourceAsStream(RESOURCE_FOLDER + file);
    }

    /** Files that were asked for and aren't there. */
    public List<String> missing() {
        return missing;
    }

    /** Returns the documents by file name without {@code .json}. */
    public SortedMap<String, SeedDocument> documents() {
        return documents;
    }

    /** The row of a reference {@code file#table/row}. */
    Optional<Figure> find(String reference) {
        SeedDocument document = documents.get(fileOf(reference));
        String path = reference.substring(reference.indexOf('#') + 1);
        int slash = path.indexOf('/');
        if (document == null || slash < 0) {
            return Optional.empty();
        }
        String rowId = path.substring(slash + 1);
        return document.tables().stream()
                .filter(table -> table.id().equals(path.substring(0, slash)))
                .flatMap(table -> table.rows().stream()
                        .filter(row -> row.id().equals(rowId))
                        .map(row -> new Figure(document, table, row)))
                .findFirst();
    }

    private static String fileOf(String reference) {
        int hash = reference.indexOf('#');
        return hash < 0 ? reference : reference.substring(0, hash);
    }

    /** Opens the seed files. */
    @FunctionalInterface
    public interface Source {
        /** The bytes of a file, {@code queue-popout.json}; null where there is no such file. */
        @Nullable
        InputStream open(String file) throws IOException;
    }

    /** A row with what it stands in. */
    public record Figure(SeedDocument document, SeedDocument.Table table, SeedDocument.Row row) {}
}

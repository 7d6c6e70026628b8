package dev.touchstone.queue.migrate;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of one popout queue in the order of its elements: all {@code name-N.compressed} by number, then all {@code name-N.wal}.
 * Names are taken literally. After number 2147483647 popout writes {@code name--M}, and never finds such a file again. Neither does this
 * class: the file looks like one of a queue called {@code name-}.
 *
 * @param compressed files of the older elements
 * @param wals files of the newer elements
 */
record PopoutFiles(List<Path> compressed, List<Path> wals) {
    private static final Pattern NAME = Pattern.compile("(.*)-([0-9]+)\\.(wal|compressed)", Pattern.DOTALL);

    private record Named(String digits, Path file) {}

    private record Numbered(int number, Path file) {}

    /**
     * Finds the queue's files.
     *
     * @param name of the queue, or null for the only one in the folder
     * @throws NoSuchFileException if there is no such queue
     * @throws IllegalArgumentException if the folder holds several queues and no name was given
     */
    static PopoutFiles find(Path folder, @Nullable String name, DamageLog log) throws IOException {
        Map<String, List<Named>> queues = new TreeMap<>();
        for (Path file : SourceFile.list(folder)) {
            Matcher parts = NAME.matcher(file.getFileName().toString());
            if (parts.matches()) {
                queues.computeIfAbsent(parts.group(1), absent -> new ArrayList<>())
                        .add(new Named(parts.group(2), file));
            }
        }
        String chosen = name == null ? onlyOne(folder, queues.keySet()) : name.stripLeading(); // as popout does
        List<Named> files = queues.get(chosen);
        if (files == null) {
            String there = queues.isEmpty() ? "none" : String.join(", ", queues.keySet());
            throw new NoSuchFileException(
                    folder.toString(), null, "no popout queue '" + chosen + "' here; there are: " + there);
        }
        return new PopoutFiles(
                ordered(files, PopoutFormat.COMPRESSED_SUFFIX, log), ordered(files, PopoutFormat.WAL_SUFFIX, log));
    }

    private static String onlyOne(Path folder, Set<String> names) throws NoSuchFileException {
        if (names.isEmpty()) {
            throw new NoSuchFileException(folder.toString(), null, "no files of a popout queue here");
        }
        if (names.size() > 1) {
            throw new IllegalArgumentException(
                    folder + " holds several popout queues, name one of: " + String.join(", ", new TreeSet<>(names)));
        }
        return names.iterator().next();
    }

    private static List<Path> ordered(List<Named> files, String suffix, DamageLog log) throws CorruptSourceException {
        List<Numbered> numbered = new ArrayList<>();
        for (Named named : files) {
            Path file = named.file();
            if (file.getFileName().toString().endsWith(suffix)) {
                try {
                    numbered.add(new Numbered(Integer.parseInt(named.digits()), file));
                } catch (NumberFormatException e) {
                    String expected = "0.." + Integer.MAX_VALUE;
                    log.damage(
                            new CorruptSourceException(file, 0, "number in a file's name", expected, named.digits()),
                            "the file lost");
                }
            }
        }
        numbered.sort(Comparator.comparingInt(Numbered::number).thenComparing(Numbered::file));
        return numbered.stream().map(Numbered::file).toList();
    }
}

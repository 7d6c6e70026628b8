package dev.touchstone.buildsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The known offenders of one module in {@code config/rooms.txt}, whose head says what its lines mean. */
final class RoomsList {
    static final String PLACE = "config/rooms.txt";

    private final List<String[]> lines;

    RoomsList(Path root, String module) {
        try {
            lines = Files.readAllLines(root.resolve(PLACE)).stream()
                    .map(line -> line.strip().split("\\s+", 4))
                    .filter(words -> words[0].equals(module))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the offenders that a rule lists, each with its number. */
    Map<String, Integer> offenders(String rule) {
        Map<String, Integer> offenders = new TreeMap<>();
        of(rule).forEach(words -> offenders.put(words[2], Integer.parseInt(words[3])));
        return offenders;
    }

    /** Returns what a line of a kind allows for good; each such line ends with the reason. */
    Set<String> allowed(String kind) {
        return of(kind).stream().map(words -> words[2]).collect(Collectors.toSet());
    }

    /** Returns a message for each line of a kind that allows what nothing needs any more. */
    List<String> needless(String kind, Set<String> needed) {
        return of(kind).stream()
                .filter(words -> !needed.contains(words[2]))
                .map(words ->
                        words[0] + " " + kind + " " + words[2] + ": needed no more: strike its line from " + PLACE)
                .toList();
    }

    private List<String[]> of(String kind) {
        List<String[]> matching = lines.stream()
                .filter(words -> words.length > 1 && words[1].equals(kind))
                .toList();
        matching.forEach(words -> {
            if (words.length < 4) {
                throw new IllegalStateException(PLACE + ": line '" + String.join(" ", words)
                        + "' is too short: expected module, rule, offender, and a number or a reason");
            }
        });
        return matching;
    }
}

package dev.touchstone.queue.replicated.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Judgement of the notes of {@link LoadedMember}s, whose queue was empty at the end: what was lost, done twice or undone, for each kind of fault. */
final class LoadNotes {
    private static final int NUMBER_BITS = 40;

    private final TreeMap<Long, Fault> faults = new TreeMap<>();
    private final Map<Fault, Counts> counts = new EnumMap<>(Fault.class);
    private final Map<Long, Long> accepted = new HashMap<>(); // with the time
    private final Map<Long, Long> acknowledged = new HashMap<>();
    private final Set<Long> open = new HashSet<>(); // with an acknowledgement whose outcome is unknown
    private final Counts total = new Counts();

    /** Counts between the begin of faults of a kind and that of the next ones. */
    static final class Counts {
        int faults;
        int accepted;
        int acknowledged;
        int unknown;
        int lost;
        int twice;
        int undone;

        private String row(String name) {
            return String.format(
                    Locale.ROOT,
                    "%-14s %6d %9d %12d %8d %5d %6d %7d",
                    name,
                    faults,
                    accepted,
                    acknowledged,
                    unknown,
                    lost,
                    twice,
                    undone);
        }
    }

    /** A note; {@code element} is the number of its producer and its own. */
    private record Note(long begun, long time, char what, long element) {
        static Note of(String line) {
            String[] words = line.split(" ", -1);
            int dash = words[3].indexOf('-');
            long producer = Long.parseLong(words[3].substring(1, dash));
            long number = Long.parseLong(words[3].substring(dash + 1));
            return new Note(
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    words[2].charAt(0),
                    (producer << NUMBER_BITS) + number);
        }
    }

    /** Adds a fault. */
    void begins(Fault fault, long nanos) {
        faults.put(nanos, fault);
        of(nanos).faults++;
        total.faults++;
    }

    /** Returns the counts of the last fault that had begun at a time. */
    private Counts of(long nanos) {
        Map.Entry<Long, Fault> last = faults.floorEntry(nanos);
        return last == null ? new Counts() : counts.computeIfAbsent(last.getValue(), none -> new Counts());
    }

    /** Reads the notes of all members and counts. */
    Counts judge(List<Path> files) throws IOException {
        List<Note> notes = new ArrayList<>();
        for (Path file : files) {
            try (Stream<String> lines = Files.lines(file)) {
                lines.map(Note::of).forEach(notes::add);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        notes.sort(Comparator.comparingLong(Note::time));
        notes.forEach(this::take);
        open.removeAll(acknowledged.keySet());
        accepted.forEach((element, time) -> {
            if (!acknowledged.containsKey(element)) {
                if (open.contains(element)) {
                    of(time).unknown++;
                    total.unknown++;
                } else {
                    of(time).lost++;
                    total.lost++;
                }
            }
        });
        return total;
    }

    private void take(Note note) {
        Counts here = of(note.time);
        switch (note.what) {
            case 'P' -> {
                accepted.put(note.element, note.time);
                here.accepted++;
                total.accepted++;
            }
            case 'L' -> {
                open.add(note.element);
                Long done = acknowledged.get(note.element);
                if (done != null && note.begun > done) { // asked for after the acknowledgement was accepted
                    here.undone++;
                    total.undone++;
                }
            }
            case 'A' -> {
                here.acknowledged++;
                total.acknowledged++;
                if (acknowledged.putIfAbsent(note.element, note.time) != null) {
                    here.twice++;
                    total.twice++;
                }
            }
            case 'R' -> open.remove(note.element);
            default -> {}
        }
    }

    /** Returns a line for each kind of fault. */
    String table() {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%-14s %6s %9s %12s %8s %5s %6s %7s%n",
                "fault",
                "count",
                "accepted",
                "acknowledged",
                "unknown",
                "lost",
                "twice",
                "undone"));
        counts.forEach((fault, each) ->
                table.append(each.row(fault.name().toLowerCase(Locale.ROOT))).append(System.lineSeparator()));
        return table.append(total.row("all")).append(System.lineSeparator()).toString();
    }
}

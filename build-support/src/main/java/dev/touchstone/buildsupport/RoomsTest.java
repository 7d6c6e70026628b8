package dev.touchstone.buildsupport;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds a module's packages to the rules for rooms; known offenders stand in {@code config/rooms.txt}. */
class RoomsTest {
    private final ModuleFiles module = new ModuleFiles();
    private final RoomsList list = new RoomsList(module.root(), module.name());

    @Test
    @Tag("sweep")
    void rooms_offendersAreThoseListed() {
        JavaClasses classes = Rooms.importClasses(module.classes());
        Map<String, Map<String, String>> cycles = Rooms.cycles(classes);
        Map<String, Set<String>> engine = Rooms.apiOnEngine(classes, module.exportedPackages(), list.allowed("door"));
        Map<String, Map<String, Integer>> now = new TreeMap<>();
        now.put("cycle", sizes(cycles));
        now.put(
                "crowd",
                Rooms.crowds(module.sources(), module.sourceFiles(), list.allowed("large"), list.allowed("dictated")));
        now.put("name", Rooms.sharedNames(module.sources(), module.sourceFiles()));
        now.put("engine", countByPackage(engine.keySet()));

        List<String> report = new ArrayList<>();
        List<String> messages = new ArrayList<>(needless(classes));
        now.forEach((rule, offenders) -> {
            offenders.forEach(
                    (offender, number) -> report.add(module.name() + " " + rule + " " + offender + " " + number));
            messages.addAll(
                    Ratchet.compare(module.name() + " " + rule, offenders, list.offenders(rule), RoomsList.PLACE));
        });
        cycles.forEach((user, used) ->
                used.forEach((other, example) -> report.add("cycle: " + user + " -> " + other + ": " + example)));
        engine.forEach((type, internals) -> report.add("engine: " + type + " uses " + internals));
        module.writeReport("rooms.txt", report);
        assertThat(messages).isEmpty();
    }

    private List<String> needless(JavaClasses classes) {
        Map<String, Integer> crowds = Rooms.crowds(module.sources(), module.sourceFiles(), Set.of(), Set.of());
        List<String> messages = new ArrayList<>(list.needless("large", crowds.keySet()));
        messages.addAll(list.needless("dictated", crowds.keySet()));
        messages.addAll(list.needless(
                "door",
                Rooms.apiOnEngine(classes, module.exportedPackages(), Set.of()).keySet()));
        return messages;
    }

    private static Map<String, Integer> sizes(Map<String, Map<String, String>> maps) {
        Map<String, Integer> sizes = new TreeMap<>();
        maps.forEach((key, map) -> sizes.put(key, map.size()));
        return sizes;
    }

    private static Map<String, Integer> countByPackage(Set<String> types) {
        Map<String, Integer> counts = new TreeMap<>();
        types.forEach(type -> counts.merge(type.substring(0, type.lastIndexOf('.')), 1, Integer::sum));
        return counts;
    }
}

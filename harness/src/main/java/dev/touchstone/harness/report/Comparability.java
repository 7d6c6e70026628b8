package dev.touchstone.harness.report;

import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.RunInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Finds what differs between two runs beside their builds. Figures of unlike runs are no comparison. */
public final class Comparability {
    private static final List<String> SETTINGS = List.of("warmup", "measurement", "jmh", Changes.PROFILERS);

    private final List<Difference> differences = new ArrayList<>();

    private Comparability() {}

    /** Returns the lasting differences between two machines and their software; what changes from minute to minute is left out. */
    public static List<Difference> of(Environment one, Environment other) {
        Comparability likeness = new Comparability();
        likeness.same("CPU model", one.cpuModel(), other.cpuModel());
        likeness.same("number of cores", one.cores(), other.cores());
        likeness.same("kernel", one.kernel(), other.kernel());
        likeness.same("system", one.os(), other.os());
        likeness.same("JDK", one.jdkVersion(), other.jdkVersion());
        likeness.same("JVM", one.vm(), other.vm());
        likeness.same("file system", one.fileSystem(), other.fileSystem());
        likeness.same("mount options", one.mountOptions(), other.mountOptions());
        likeness.same("device", one.device(), other.device());
        likeness.same("write cache", one.writeCache(), other.writeCache());
        likeness.same("frequency governor", one.governor(), other.governor());
        return likeness.differences;
    }

    /**
     * Returns the reasons why two recorded runs cannot be compared: differences of machine, settings or flags, and builds that no commit describes.
     */
    public static List<Difference> of(ReportInput one, ReportInput other) {
        Comparability likeness = new Comparability();
        likeness.differences.addAll(of(one.environment(), other.environment()));
        likeness.same("JVM of the forks", one.run().jdk(), other.run().jdk());
        likeness.same("tmpfs", one.run().tmpfs(), other.run().tmpfs());
        SETTINGS.forEach(name -> likeness.same(name, setting(one.run(), name), setting(other.run(), name)));
        Map<String, List<String>> flags = flags(one.forks());
        flags(other.forks()).forEach((cell, theirs) -> {
            List<String> ours = flags.get(cell);
            if (ours != null) {
                likeness.same("JVM flags of " + cell, String.join(" ", ours), String.join(" ", theirs));
            }
        });
        likeness.clean("the first", one.run());
        likeness.clean("the second", other.run());
        return likeness.differences;
    }

    private static String setting(RunInfo run, String name) {
        SortedMap<String, String> settings = run.settings();
        return settings.getOrDefault(name, "none");
    }

    private static Map<String, List<String>> flags(List<ForkResult> forks) {
        Map<String, List<String>> flags = new HashMap<>();
        forks.stream()
                .filter(fork -> fork.build() == Build.OWN)
                .forEach(fork -> flags.put(fork.cell(), fork.jvmFlags()));
        return flags;
    }

    private void clean(String which, RunInfo run) {
        if (run.dirty()) {
            differences.add(
                    new Difference("dirty", which + " is of a build with uncommitted changes", "expected none"));
        }
    }

    private void same(String field, @Nullable Object one, @Nullable Object other) {
        if (!Objects.equals(one, other)) {
            differences.add(new Difference(field, String.valueOf(one), String.valueOf(other)));
        }
    }

    /** A field with its different values. */
    public record Difference(String field, String one, String other) {
        /** Returns the field's name and both values. */
        @Override
        public String toString() {
            return field + ": " + one + ", " + other;
        }
    }
}

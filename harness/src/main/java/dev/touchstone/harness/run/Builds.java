package dev.touchstone.harness.run;

import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The builds that a run measures.
 *
 * @param order of their forks in round 0
 * @param classPaths of those that this process is not itself
 * @param own which build the run is of
 * @param baseline what it is compared with; null where it is with nothing
 */
public record Builds(
        List<Build> order,
        Map<Build, String> classPaths,
        BuildInfo own,
        @Nullable BuildInfo baseline) {
    /** This process's own build alone. */
    public static Builds only(BuildInfo own) {
        return new Builds(List.of(Build.OWN), Map.of(), own, null);
    }

    /**
     * A build beside a baseline, or beside itself, or both.
     *
     * @param here this process's own build
     * @param jar of the run's build; null where that is this process's own
     */
    public static Builds of(List<Build> order, BuildInfo here, @Nullable BuildJar jar, @Nullable BuildJar baseline) {
        Map<Build, String> classPaths = new EnumMap<>(Build.class);
        if (jar != null) {
            classPaths.put(Build.OWN, jar.classPath());
            classPaths.put(Build.AGAIN, jar.classPath());
        }
        if (baseline != null) {
            classPaths.put(Build.BASELINE, baseline.classPath());
        }
        return new Builds(
                order, classPaths, jar == null ? here : jar.info(), baseline == null ? null : baseline.info());
    }

    /** Makes them ready. */
    @FunctionalInterface
    public interface Source {
        /** Unpacks what needs it into the folder, which is deleted when the run has ended. */
        Builds open(Path folder) throws IOException;
    }
}

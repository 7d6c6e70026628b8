package dev.touchstone.harness.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JVM flags of each subject's forks, from the matrix and from the JDK in use: a peer's flags go to its own forks only. */
public final class ForkFlags {
    /** System property by which a fork learns the data folder. */
    public static final String DATA_PROPERTY = "touchstone.data";

    /** The first JDK that warns of operations of JMH and some peers; later ones refuse them. */
    private static final int FEATURE_THAT_WARNS = 24;

    private final Matrix matrix;
    private final int jdkFeature;

    /**
     * Creates the flags for forks of one JDK.
     *
     * @param matrix names the flags of subjects and workloads
     * @param jdkFeature feature version of the forks' JDK, such as 17
     */
    public ForkFlags(Matrix matrix, int jdkFeature) {
        this.matrix = matrix;
        this.jdkFeature = jdkFeature;
    }

    /**
     * Returns the flag that tells a fork its data folder. It is not recorded, since it differs between machines and says nothing of the figures.
     *
     * @param folder existing folder
     * @return the flag
     */
    public static String data(Path folder) {
        return "-D" + DATA_PROPERTY + "=" + folder;
    }

    /**
     * Returns the flags of a cell's fork that bear on its figures.
     *
     * @param cell a cell of the matrix; of an unknown workload only the subject's flags are returned
     * @return all flags in the order of the command line
     */
    public List<String> of(Cell cell) {
        return matrix.workloads().stream()
                .filter(workload -> workload.id().equals(cell.workload()))
                .findFirst()
                .map(workload -> of(cell.subject(), workload.flags()))
                .orElseGet(() -> of(cell.subject()));
    }

    /**
     * Returns the flags that a subject's forks have, whatever the workload.
     *
     * @param subject name in the matrix; an unknown one has only the common flags
     * @return all flags in the order of the command line
     */
    public List<String> of(String subject) {
        return of(subject, null);
    }

    private List<String> of(String subject, @Nullable String workloadFlags) {
        List<String> flags = new ArrayList<>(matrix.commonFlags());
        addSet(flags, workloadFlags);
        Matrix.Subject known = matrix.subjects().get(subject);
        addSet(flags, known == null ? null : known.flags());
        if (jdkFeature >= FEATURE_THAT_WARNS) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        return List.copyOf(flags);
    }

    private void addSet(List<String> flags, @Nullable String name) {
        if (name != null) {
            flags.addAll(matrix.flagSets().getOrDefault(name, List.of()));
        }
    }
}

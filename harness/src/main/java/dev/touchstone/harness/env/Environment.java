package dev.touchstone.harness.env;

import dev.touchstone.harness.file.Bounded;
import dev.touchstone.harness.file.JsonProblem;
import dev.touchstone.harness.file.ResultFormatException;
import dev.touchstone.harness.file.StrictJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The machine that a run was made on, as far as it bears on the figures: the content of {@code env.json}. Immutable. Texts that the
 * system doesn't tell are {@value #UNKNOWN}, numbers -1.
 *
 * @param schema version of the file's form, {@link #SCHEMA}
 * @param cpuModel as {@code /proc/cpuinfo} prints it
 * @param cores processors that this JVM may use
 * @param memoryBytes the machine's memory
 * @param kernel name and release
 * @param os the distribution's name
 * @param jdkVersion full version, {@code 17.0.15+6}
 * @param vm name and mode of the virtual machine
 * @param fileSystem type of the file system below the data folder, {@code ext4}
 * @param mountOptions those of its options that bear on the figures, comma separated
 * @param device the block device it's mounted from; the type where it's mounted from something else, whose name says too much
 * @param writeCache {@code write back} or {@code write through} of the block device; null where the system doesn't tell
 * @param freeBytes free below the data folder
 * @param governor frequency governor of the first processor; null where there is none
 * @param hypervisor whether the processor says that it is virtual
 * @param tmpfs whether the data folder is memory rather than disk
 * @param loadAverage over the last minute
 * @param stealPercent share of processor time that the hypervisor took since the machine started
 * @param force time of a force of 512 B in the data folder; null where it wasn't measured
 */
public record Environment(
        int schema,
        String cpuModel,
        int cores,
        long memoryBytes,
        String kernel,
        String os,
        String jdkVersion,
        String jdkVendor,
        String vm,
        String fileSystem,
        String mountOptions,
        String device,
        @Nullable String writeCache,
        long freeBytes,
        @Nullable String governor,
        boolean hypervisor,
        boolean tmpfs,
        double loadAverage,
        double stealPercent,
        @Nullable ForceLatency force) {

    /** The version that this harness writes and reads. */
    public static final int SCHEMA = 1;

    /** Name of the file in a run's folder. */
    public static final String FILE = "env.json";

    /** Placeholder for a text that the system does not tell. */
    public static final String UNKNOWN = "unknown";

    private static final long MAX_FILE_BYTES = 1 << 20;
    private static final Set<String> NULLABLE =
            Set.of("Environment.writeCache", "Environment.governor", "Environment.force");

    /** The text of {@code env.json}. */
    public String toJson() {
        return StrictJson.pretty(this);
    }

    /**
     * Reads what {@link #toJson} wrote.
     *
     * @param file for messages
     * @throws ResultFormatException that names the file and the position when the text isn't such a file's
     */
    public static Environment parse(String json, Path file) throws ResultFormatException {
        try {
            return StrictJson.read(json, Environment.class, NULLABLE, SCHEMA);
        } catch (JsonProblem e) {
            throw new ResultFormatException(file, 0, String.valueOf(e.getMessage()));
        }
    }

    /** Reads {@code env.json}; throws as {@link #parse}. */
    public static Environment read(Path file) throws IOException {
        return parse(new String(Bounded.read(file, MAX_FILE_BYTES), StandardCharsets.UTF_8), file);
    }
}

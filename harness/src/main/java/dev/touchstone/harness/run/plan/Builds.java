package dev.touchstone.harness.run.plan;

import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The builds that a run measures.
 *
 * @param order of their forks in round 0
 * @param classPaths of those that this process is not itself
 * @param own identity of the build that the run is of
 * @param baseline identity of the build that it is compared with; null if there is none
 */
public record Builds(
        List<Build> order,
        Map<Build, String> classPaths,
        BuildInfo own,
        @Nullable BuildInfo baseline) {
    /** Name of the setting that a run records {@link #digest} under. */
    public static final String DIGEST = "builds";

    private static final int DIGEST_BYTES = 8;

    /**
     * Returns this process's own build alone.
     *
     * @param own its identity
     * @return one build, whose forks use this process's class path
     */
    public static Builds only(BuildInfo own) {
        return new Builds(List.of(Build.OWN), Map.of(), own, null);
    }

    /**
     * Returns a build beside a baseline, beside itself, or both.
     *
     * @param order roles of the builds in the order of their forks in round 0
     * @param here identity of this process's own build
     * @param jar the run's build; null if that is this process's own
     * @param baseline the build to compare with; null if the run's build is compared with itself alone
     * @return the builds with their class paths
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

    /**
     * Returns a hash of all that is on the class paths of the builds. It tells builds apart that name no commit, or a dirty one.
     *
     * @return the same text for the same files, wherever they lie
     * @throws IOException if a file cannot be read
     */
    public String digest() throws IOException {
        MessageDigest hash = sha256();
        for (Build build : order) {
            String classPath = classPaths.getOrDefault(build, System.getProperty("java.class.path"));
            for (String element : classPath.split(File.pathSeparator, -1)) {
                if (!element.isEmpty() && Files.exists(Path.of(element))) {
                    add(hash, Path.of(element));
                }
            }
        }
        return HexFormat.of().formatHex(hash.digest(), 0, DIGEST_BYTES);
    }

    private static void add(MessageDigest hash, Path element) throws IOException {
        try (Stream<Path> files = Files.walk(element)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                hash.update(element.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
                hash.update(Files.readAllBytes(file));
            }
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** A provider of the builds, asked when the run starts. */
    @FunctionalInterface
    public interface Source {
        /**
         * Provides the builds, and unpacks jars where needed.
         *
         * @param folder for unpacked files; deleted when the run has ended
         * @return builds that are ready to be run
         * @throws IOException if a build cannot be read or unpacked
         */
        Builds open(Path folder) throws IOException;
    }
}

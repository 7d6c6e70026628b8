package dev.touchstone.harness.report;

import org.jspecify.annotations.Nullable;

/**
 * Where a page finds what stands beside it. Relative, so that a copy of the repository will do.
 *
 * @param files whether the page lies in the run's own folder, beside its JSON files
 * @param sources prefix of the benchmarks' sources as seen from there, ending with a slash; null where they aren't known
 */
public record Links(boolean files, @Nullable String sources) {
    /** Of a page that lies anywhere. */
    public static final Links NONE = new Links(false, null);

    /** From {@code results/<host>/<run>/} to the root of the repository. */
    private static final String ROOT = "../../../";

    /** Of a page in a run's own folder below the repository's {@code results/}. */
    public static Links inRunFolder(@Nullable String sources) {
        return new Links(true, sources == null ? null : ROOT + sources + "/");
    }

    /** The source file of a benchmark, {@code package.Class.method}; null where sources aren't known. */
    @Nullable
    String source(String benchmark) {
        int method = benchmark.lastIndexOf('.');
        return sources == null || method < 0
                ? null
                : sources
                        + benchmark
                                .substring(0, method)
                                .replaceFirst("[$].*", "")
                                .replace('.', '/') + ".java";
    }
}

package dev.touchstone.harness.report.text;

import org.jspecify.annotations.Nullable;

/**
 * Link targets of a report page. They are relative, so that they also work in a copy of the repository.
 *
 * @param files whether the page lies in the run's own folder, beside its JSON files
 * @param sources path from the page to the benchmarks' sources, ending with a slash; null if unknown
 */
public record Links(boolean files, @Nullable String sources) {
    /** Links of a page that may lie anywhere: there are none. */
    public static final Links NONE = new Links(false, null);

    /** Path from {@code results/<host>/<run>/} to the root of the repository. */
    private static final String ROOT = "../../../";

    /**
     * Returns the links of a page in a run's own folder below the repository's {@code results/}.
     *
     * @param sources the folder of the benchmarks' sources below the repository's root; null if unknown
     */
    public static Links inRunFolder(@Nullable String sources) {
        return new Links(true, sources == null ? null : ROOT + sources + "/");
    }

    /** The source file of a benchmark, {@code package.Class.method}; null where sources aren't known. */
    @Nullable
    public String source(String benchmark) {
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

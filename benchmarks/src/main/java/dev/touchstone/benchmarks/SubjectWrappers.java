package dev.touchstone.benchmarks;

import java.util.List;
import java.util.ServiceLoader;

/**
 * The place between benchmarks and their subjects. Nothing stands there when something is measured: only tests have wrappers, which break a
 * subject on purpose to see whether its check notices.
 */
public final class SubjectWrappers {
    private static final List<Wrapper> WRAPPERS = ServiceLoader.load(Wrapper.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    private SubjectWrappers() {}

    /** Replaces subjects; found with {@link ServiceLoader}. */
    public interface Wrapper {
        /**
         * Returns what stands for a subject.
         *
         * @param subject name of the subject in the matrix
         * @param role type that the benchmark knows the subject by
         * @param opened the subject
         */
        <T> T wrap(String subject, Class<T> role, T opened);
    }

    /** Returns what a benchmark uses as the subject of a name: {@code opened} itself where there is no wrapper. */
    public static <T> T wrapped(String subject, Class<T> role, T opened) {
        T outermost = opened;
        for (Wrapper wrapper : WRAPPERS) {
            outermost = wrapper.wrap(subject, role, outermost);
        }
        return outermost;
    }
}

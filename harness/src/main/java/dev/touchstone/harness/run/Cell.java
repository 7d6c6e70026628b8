package dev.touchstone.harness.run;

import java.util.SortedMap;

/**
 * One workload with one choice of parameters, threads and subject: the unit that a fork measures.
 *
 * @param workload id of the workload in the matrix, {@code queue-write-synced}
 * @param benchmark fully qualified JMH benchmark, {@code package.Class.method}
 * @param params the benchmark's {@code @Param} values other than {@code subject}, by name
 * @param threads JMH worker threads, or 0 where the benchmark's own {@code @GroupThreads} count
 * @param subject value of the {@code subject} parameter
 */
public record Cell(String workload, String benchmark, SortedMap<String, String> params, int threads, String subject) {

    /** The name that result files and {@code --resume} know this cell by: {@code workload/t8[/name=value]/SUBJECT}. */
    public String id() {
        StringBuilder id = new StringBuilder(workload).append("/t").append(threads);
        params.forEach((name, value) -> id.append('/').append(name).append('=').append(value));
        return id.append('/').append(subject).toString();
    }
}

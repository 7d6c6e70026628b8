package dev.touchstone.harness.run;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A workload with one choice of parameters, threads and subject: the unit that a fork measures.
 *
 * @param workload id of the workload in the matrix, {@code queue-write-synced}
 * @param benchmark fully qualified JMH benchmark, {@code package.Class.method}
 * @param params the benchmark's {@code @Param} values other than {@link #SUBJECT}, by name; and {@link #RATE}
 * @param threads JMH worker threads, or 0 where the benchmark's own {@code @GroupThreads} count
 * @param subject value of the parameter {@link #SUBJECT}
 */
public record Cell(String workload, String benchmark, SortedMap<String, String> params, int threads, String subject) {
    /** The parameter of benchmarks that chooses the subject. */
    public static final String SUBJECT = "subject";

    /** The parameter that is no benchmark's: calls a second of all threads together, in place of JMH's own modes. */
    public static final String RATE = "rate";

    private static final int MAX_CHOICE_CHARS = 300;
    /** Characters that would end a value in an id, or make a path that climbs. */
    private static final Pattern ESCAPED = Pattern.compile("[/\\\\%\\p{Cntrl}]|(?<=\\.)\\.");

    /**
     * Returns the name of this cell in result files and for {@code --resume}: {@code workload/t8[/name=value]/SUBJECT}. Slashes and the like in values are
     * escaped as in URLs; a hash stands for values that are too long.
     *
     * @return the id; equal cells have equal ids
     */
    public String id() {
        StringBuilder choice = new StringBuilder();
        params.forEach(
                (name, value) -> choice.append('/').append(name).append('=').append(escaped(value)));
        String shown = choice.length() <= MAX_CHOICE_CHARS
                ? choice.toString()
                : "/params=" + UUID.nameUUIDFromBytes(choice.toString().getBytes(StandardCharsets.UTF_8));
        return workload + "/t" + threads + shown + "/" + subject;
    }

    private static String escaped(String value) {
        return ESCAPED.matcher(value)
                .replaceAll(match ->
                        String.format(Locale.ROOT, "%%%02X", (int) match.group().charAt(0)));
    }

    /**
     * Returns the parameters that the benchmark itself has.
     *
     * @return a new map, without {@link #RATE}
     */
    public SortedMap<String, String> benchmarkParams() {
        SortedMap<String, String> own = new TreeMap<>(params);
        own.remove(RATE);
        return own;
    }

    /**
     * Returns the fixed rate.
     *
     * @return calls a second of all threads together; 0 if a mode of JMH's own measures
     */
    public int ratePerSecond() {
        return Integer.parseInt(params.getOrDefault(RATE, "0"));
    }
}

package dev.touchstone.harness.store;

import dev.touchstone.harness.file.Bounded;
import dev.touchstone.harness.file.JsonProblem;
import dev.touchstone.harness.file.ResultFormatException;
import dev.touchstone.harness.file.StrictJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The form of {@code forks.jsonl}: one JSON object a line, every line ended by a line feed, so that a line without one is a line that a crash
 * tore. Reading is strict and bounded: the file may come from anywhere.
 *
 * @param forks the complete lines
 * @param completeBytes length of the file up to the last line feed
 * @param torn whether bytes follow it
 */
record ForkLines(List<ForkResult> forks, long completeBytes, boolean torn) {
    static final long MAX_FILE_BYTES = 32L << 20;
    static final int MAX_LINE_BYTES = 1 << 20;
    private static final int MAX_VALUES = 2_000_000;
    private static final int METRIC_VALUES = 8; // what its objects take, in values
    private static final int MAX_THREADS = 10_000;
    private static final int MAX_ROUNDS = 100_000;
    private static final int MAX_LOCAL = 20_000;

    private static final Set<String> NULLABLE = Set.of(
            "ForkResult.error", "ForkResult.primary", "ForkResult.dirty", "ForkResult.ruler", "ForkResult.latency");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    /** A fork as its line, line feed included. */
    static String encode(ForkResult fork) {
        return StrictJson.line(fork) + "\n";
    }

    static ForkLines read(Path file) throws IOException {
        byte[] bytes = Bounded.read(file, MAX_FILE_BYTES);
        List<ForkResult> forks = new ArrayList<>();
        int start = 0;
        long values = 0;
        for (int end = indexOfLineFeed(bytes, start); end >= 0; end = indexOfLineFeed(bytes, start)) {
            ForkResult fork = decode(file, forks.size() + 1, bytes, start, end);
            forks.add(fork);
            values += values(fork);
            if (values > MAX_VALUES) {
                throw new ResultFormatException(
                        file, forks.size(), "expected at most " + MAX_VALUES + " values in all lines, got more");
            }
            start = end + 1;
        }
        return new ForkLines(List.copyOf(forks), start, start < bytes.length);
    }

    private static ForkResult decode(Path file, int line, byte[] bytes, int start, int end) throws IOException {
        if (end - start > MAX_LINE_BYTES) {
            throw new ResultFormatException(
                    file, line, "expected a line of at most " + MAX_LINE_BYTES + " bytes, got " + (end - start));
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, start, end - start))
                    .toString();
            ForkResult fork = StrictJson.read(text, ForkResult.class, NULLABLE);
            check(fork);
            return fork;
        } catch (CharacterCodingException e) {
            throw new ResultFormatException(file, line, "expected UTF-8, got other bytes");
        } catch (JsonProblem e) {
            String problem = String.valueOf(e.getMessage());
            throw new ResultFormatException(file, line, problem.replaceFirst("^line 1 ", ""));
        }
    }

    /** A measure of the memory that it takes: small values take much more than they do in the file. */
    private static long values(ForkResult fork) {
        long values =
                METRIC_VALUES * (1L + fork.params().size() + fork.jvmFlags().size());
        for (Metric metric : fork.secondary().values()) {
            values += METRIC_VALUES + metric.iterations().size();
        }
        Metric primary = fork.primary();
        return primary == null
                ? values
                : values + METRIC_VALUES + primary.iterations().size();
    }

    private static void check(ForkResult fork) throws JsonProblem {
        CellIds.check("cell", fork.cell());
        if (!WORD.matcher(fork.workload()).matches()) {
            throw new JsonProblem("workload: expected a word, got '" + fork.workload() + "'");
        }
        if (!WORD.matcher(fork.subject()).matches()) {
            throw new JsonProblem("subject: expected a word, got '" + fork.subject() + "'");
        }
        for (String name : fork.secondary().keySet()) {
            if (name.isBlank()) {
                throw new JsonProblem("secondary: expected a name, got '" + name + "'");
            }
        }
        try {
            Instant.parse(fork.startedAt());
        } catch (DateTimeParseException e) {
            throw new JsonProblem("startedAt: expected an instant, got '" + fork.startedAt() + "'");
        }
        range("threads", fork.threads(), MAX_THREADS);
        range("round", fork.round(), MAX_ROUNDS);
        range("order", fork.order(), MAX_LOCAL);
        range("rerun", fork.rerun(), MAX_ROUNDS);
        range("wallMillis", fork.wallMillis(), Long.MAX_VALUE);
        if ((fork.primary() == null) == (fork.error() == null)) {
            throw new JsonProblem(
                    "expected either primary or error, got " + (fork.error() == null ? "neither" : "both"));
        }
        Latency latency = fork.latency();
        if (latency != null) {
            check(latency);
        }
    }

    private static void check(Latency latency) throws JsonProblem {
        range("latency.ratePerSecond", latency.ratePerSecond(), Integer.MAX_VALUE);
        range("latency.made", latency.made(), Long.MAX_VALUE);
        range("latency.omitted", latency.omitted(), Long.MAX_VALUE);
        try {
            latency.times();
        } catch (IllegalArgumentException e) {
            throw new JsonProblem("latency.nanos: " + e.getMessage());
        }
    }

    private static void range(String name, long value, long max) throws JsonProblem {
        if (value < 0 || value > max) {
            throw new JsonProblem(name + ": expected 0.." + max + ", got " + value);
        }
    }

    private static int indexOfLineFeed(byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        return -1;
    }
}

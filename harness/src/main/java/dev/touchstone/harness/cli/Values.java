package dev.touchstone.harness.cli;

import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.run.fork.FixedRate;
import dev.touchstone.harness.stats.Verdict;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Values of options, checked before anything is made of them. */
final class Values {
    private static final int MAX_ROUNDS = 1_000;
    private static final double MAX_MARGIN = 50;
    private static final int MAX_THREADS = 10_000;

    private Values() {}

    static int rounds(int rounds) {
        if (rounds < 1 || rounds > MAX_ROUNDS) {
            throw new UsageException("--rounds: expected 1.." + MAX_ROUNDS + ", got " + rounds);
        }
        return rounds;
    }

    static double margin(double percent) {
        if (!(percent >= Verdict.MIN_FLOOR_PERCENT && percent <= MAX_MARGIN)) {
            throw new UsageException("--margin: expected " + Verdict.MIN_FLOOR_PERCENT + ".." + MAX_MARGIN
                    + " percent, got " + percent + "; below, a shift of the code's layout alone would decide");
        }
        return percent;
    }

    static List<Integer> threads(List<Integer> threads) {
        for (int count : threads) {
            if (count < 1 || count > MAX_THREADS) {
                throw new UsageException("--threads: expected 1.." + MAX_THREADS + ", got " + count);
            }
        }
        return threads;
    }

    static List<Integer> rates(List<Integer> rates) {
        for (int rate : rates) {
            if (rate < 1 || rate > FixedRate.MAX) {
                throw new UsageException("--rate: expected 1.." + FixedRate.MAX + " calls a second, got " + rate);
            }
        }
        return rates;
    }

    static List<Pattern> patterns(List<String> expressions) {
        return expressions.stream().map(Values::pattern).toList();
    }

    private static Pattern pattern(String expression) {
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw new UsageException("not a regular expression: '" + expression + "': " + e.getDescription());
        }
    }

    /** Values that a cell's id can carry. */
    static Map<String, String> params(Map<String, String> params) {
        params.forEach((name, value) -> {
            boolean usable = name.matches("[A-Za-z0-9][A-Za-z0-9._-]*") && value.matches("[^/\\\\\\p{Cntrl}]*");
            if (!usable || name.equals("subject") || (name + value).contains("..")) {
                throw new UsageException("--param: expected name=value without slashes (subjects have --subjects), got "
                        + name + "=" + value);
            }
        });
        return params;
    }
}

package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures as reports print them. */
public final class Format {
    /** Stands where there is no figure. */
    public static final String NONE = "–";

    private static final String[] LARGE = {"", " k", " M", " G", " T"};

    private Format() {}

    /** Three significant digits, with k, M, G or T: {@code 484 k}. */
    public static String score(double value) {
        double size = Math.abs(value);
        if (!Double.isFinite(value)) {
            return NONE;
        }
        if (size != 0 && size < 0.001) {
            return String.format(Locale.ROOT, "%.2e", value);
        }
        int step = 0;
        while (size >= 999.5 && step < LARGE.length - 1) {
            size /= 1000;
            step++;
        }
        return (value < 0 ? "-" : "") + digits(size) + LARGE[step];
    }

    /** A round value as an axis names it: {@link #score} without zeros at its end. */
    public static String tick(double value) {
        return score(value).replaceFirst("(\\.\\d*?)0+(?=$| )", "$1").replaceFirst("\\.(?=$| )", "");
    }

    /** Without zeros that say nothing: {@code 99.9}, {@code 50}. */
    static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** The median, or {@link #NONE}. */
    public static String score(@Nullable Summary summary) {
        return summary == null ? NONE : score(summary.median());
    }

    /** Returns how far the farthest fork lies from the median, as in {@code ±4 %}; empty without a summary. */
    public static String spread(@Nullable Summary summary) {
        if (summary == null) {
            return "";
        }
        return Double.isNaN(summary.spreadPercent()) ? "n=1" : "±" + percent(summary.spreadPercent());
    }

    /** {@code 12.3x [10.9, 14.0]}; in parentheses the lowest and the highest where there are too few rounds for an interval. */
    public static String ratio(@Nullable PairedRatio ratio) {
        if (ratio == null) {
            return NONE;
        }
        return factor(ratio.ratio()) + "x " + ends(ratio);
    }

    /** Returns the text in brackets after a ratio: its interval, or that there was only one round. */
    public static String ends(PairedRatio ratio) {
        if (ratio.n() == 1) {
            return "(1 round)";
        }
        return ratio.coverage() >= PairedRatio.WISHED
                ? "[" + factor(ratio.low()) + ", " + factor(ratio.high()) + "]"
                : "(" + factor(ratio.low()) + "–" + factor(ratio.high()) + ")";
    }

    /** Returns a ratio with digits enough to tell it from 1. */
    public static String factor(double ratio) {
        if (ratio < 0.001) {
            return score(ratio).replace(" ", "");
        }
        String form = ratio >= 99.95 ? "%.0f" : ratio >= 9.995 ? "%.1f" : ratio >= 0.0995 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, form, ratio);
    }

    /** {@code 4 %}; below 10 with one digit more. */
    public static String percent(double percent) {
        return String.format(Locale.ROOT, Math.abs(percent) < 9.95 ? "%.1f %%" : "%.0f %%", percent);
    }

    /** A counter's number per operation, and how many operations share one where it is below 1. */
    public static String perOperation(double ratio) {
        return ratio > 0 && ratio < 0.995 ? score(ratio) + " (1 in " + score(1 / ratio) + ")" : score(ratio);
    }

    /** {@code more is better} or {@code less is better}. */
    public static String direction(boolean higherIsBetter) {
        return higherIsBetter ? "more is better" : "less is better";
    }

    private static String digits(double size) {
        if (size == Math.rint(size) && size < 1000) {
            return Long.toString(Math.round(size));
        }
        String form = size >= 99.95
                ? "%.0f"
                : size >= 9.995 ? "%.1f" : size >= 0.9995 ? "%.2f" : size >= 0.09995 ? "%.3f" : "%.4f";
        return String.format(Locale.ROOT, form, size);
    }
}

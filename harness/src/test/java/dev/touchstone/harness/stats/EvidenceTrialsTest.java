package dev.touchstone.harness.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nights of generated forks, judged as {@code compare} and {@code nightly} judge. The slow test writes a table of all scenarios, the former judge
 * beside this one, to {@code target/evidence-trials.md}.
 */
class EvidenceTrialsTest {
    private static final long SEED = 20261127;
    private static final int PAIRS = 40;
    private static final int NIGHT = 20;
    private static final int TRIALS = 2_000;
    private static final int FEW_TRIALS = 200;
    private static final double[] EFFECTS = {3, 5, 10, 20};
    private static final Path TABLE = Path.of("target", "evidence-trials.md");

    /** Scatter of the logarithms of two builds' times in one round. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
    enum Scenario {
        NORMAL_1("normal, 1 %", 0.01, random -> 0, random -> 0),
        NORMAL_5("normal, 5 %", 0.05, random -> 0, random -> 0),
        NORMAL_10("normal, 10 %", 0.1, random -> 0, random -> 0),
        HEAVY_TAILS(
                "heavy tails (Student, 2 degrees), 5 %",
                0, random -> 0.05 * student(random), random -> 0.05 * student(random)),
        SLOW_10("10 % slow forks on both sides", 0.05, random -> slow(random, 0.1), random -> slow(random, 0.1)),
        SLOW_30("30 % slow forks on both sides", 0.05, random -> slow(random, 0.3), random -> slow(random, 0.3)),
        ONE_SIDE_10("10 % slow forks on one side", 0.05, random -> slow(random, 0.1), random -> 0),
        ONE_SIDE_30("30 % slow forks on one side", 0.05, random -> slow(random, 0.3), random -> 0),
        CONTAMINATED("10 % pairs with a slow fork on either side", 0.05, random -> 0, random -> 0) {
            @Override
            double[] shared(Random random, double[] theirs) {
                return generate(i -> {
                    double extra = slow(random, 0.1);
                    if (random.nextBoolean()) {
                        return extra;
                    }
                    theirs[i] += extra;
                    return 0;
                });
            }
        },
        LAYOUT_1("layout 3 % off, 1 %", 0.01, random -> 0, random -> 0) {
            @Override
            double[] shared(Random random, double[] theirs) {
                return layout(random);
            }
        },
        LAYOUT_5("layout 3 % off, 5 %", 0.05, random -> 0, random -> 0) {
            @Override
            double[] shared(Random random, double[] theirs) {
                return layout(random);
            }
        },
        DRIFT("drift from fork to fork, 10 % around 5 %", 0.05, random -> 0, random -> 0) {
            @Override
            double[] shared(Random random, double[] theirs) {
                double[] level = new double[2 * PAIRS];
                for (int i = 0; i < level.length; i++) {
                    double before = i == 0 ? 0 : level[i - 1];
                    level[i] = 0.65 * before + 0.1 * Math.sqrt(1 - 0.65 * 0.65) * random.nextGaussian();
                }
                for (int i = 0; i < PAIRS; i++) {
                    theirs[i] += level[2 * i + 1 - i % 2]; // the order of the sides changes with each round
                }
                return generate(i -> level[2 * i + i % 2]);
            }
        },
        BIMODAL("two modes 10 % apart", 0.05, random -> 0.1 * random.nextInt(2), random -> 0.1 * random.nextInt(2));

        private final String label;
        private final double noise;
        private final ToDoubleFunction<Random> ours;
        private final ToDoubleFunction<Random> theirs;

        Scenario(String label, double noise, ToDoubleFunction<Random> ours, ToDoubleFunction<Random> theirs) {
            this.label = label;
            this.noise = noise;
            this.ours = ours;
            this.theirs = theirs;
        }

        /** Returns what a round's sides have in common, or share out; may change {@code theirs}. */
        double[] shared(Random random, double[] theirs) {
            return new double[PAIRS];
        }

        /** Returns the logarithms of the speeds of ours and of the other side. */
        double[][] cell(Random random, double slowerPercent) {
            double[] other = generate(i -> noise * random.nextGaussian() + theirs.applyAsDouble(random));
            double[] common = shared(random, other);
            double[] own = generate(i -> common[i]
                    + noise * random.nextGaussian()
                    + ours.applyAsDouble(random)
                    + Math.log1p(slowerPercent / 100));
            return new double[][] {generate(i -> -own[i]), generate(i -> -other[i])};
        }

        private static double[] generate(java.util.function.IntToDoubleFunction value) {
            double[] values = new double[PAIRS];
            Arrays.setAll(values, value);
            return values;
        }

        private static double[] layout(Random random) {
            double shift = (random.nextBoolean() ? 1 : -1) * Math.log(1.03);
            return generate(i -> shift);
        }

        private static double slow(Random random, double share) {
            return random.nextDouble() < share ? Math.log(1.2 + 1.8 * random.nextDouble()) : 0;
        }

        private static double student(Random random) {
            double squares = Math.pow(random.nextGaussian(), 2) + Math.pow(random.nextGaussian(), 2);
            return random.nextGaussian() / Math.sqrt(squares / 2);
        }
    }

    /** Without any change, a night of one cell has a false verdict in at most 1 of 100, and one of 20 cells too. */
    @ParameterizedTest
    @EnumSource(Scenario.class)
    void of_nothingChanged_fewFalseVerdicts(Scenario scenario) {
        Tally one = Tally.of(scenario, 1, 0, FEW_TRIALS);
        // 1 of 100 expected at most: 9 of 200 have a probability below 1 in 4,000.
        assertThat(one.falseNights).as("seed=%d %s", SEED, scenario).isLessThan(9);
    }

    @Test
    void of_tenPercentSlower_found() {
        assertThat(Tally.of(Scenario.NORMAL_5, 1, 10, FEW_TRIALS).slower)
                .as("seed=%d", SEED)
                .isGreaterThan(180);
        assertThat(Tally.of(Scenario.SLOW_10, 1, 10, FEW_TRIALS).slower)
                .as("seed=%d", SEED)
                .isGreaterThan(140);
        assertThat(Tally.of(Scenario.NORMAL_1, NIGHT, 5, FEW_TRIALS).slower)
                .as("seed=%d", SEED)
                .isGreaterThan(195);
    }

    /** Prediction before measuring and trials agree. */
    @Test
    void power_normalScatter_isThatOfTheTrials() {
        for (double effect : new double[] {5, 10}) {
            Looks looks = Looks.of(1, PAIRS);
            double predicted = Power.of(0.05 * Math.sqrt(2), effect, Verdict.MIN_FLOOR_PERCENT, looks.error(), PAIRS);
            double found = Tally.of(Scenario.NORMAL_5, 1, effect, 1_000).slower / 1_000.0;
            assertThat(found).as("seed=%d effect=%s", SEED, effect).isEqualTo(predicted, within(0.08));
        }
        int pairs = Power.pairs(0.1, 10, 3, 0.01);
        assertThat(Power.of(0.1, 10, 3, 0.01, pairs)).isEqualTo(0.8, within(0.01));
    }

    @ParameterizedTest
    @EnumSource(Scenario.class)
    @Tag("slow")
    void table_allScenarios_oldBesideNew(Scenario scenario) throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int cells : new int[] {1, NIGHT}) {
            Tally none = Tally.of(scenario, cells, 0, TRIALS);
            rows.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %s / %s | ",
                    scenario.label,
                    cells,
                    percent(none.formerFalseNights),
                    percent(none.falseNights)));
            int wrong = none.falseNights;
            int same = 0;
            for (double effect : EFFECTS) {
                Tally tally = Tally.of(scenario, cells, effect, TRIALS);
                wrong = Math.max(wrong, tally.falseNights);
                same = effect == 5 ? tally.same : same;
                rows.append(percent(tally.formerSlower))
                        .append(" / ")
                        .append(percent(tally.slower))
                        .append(" | ");
            }
            rows.append(String.format(
                    Locale.ROOT,
                    "%s / %s | %s | %.0f |%n",
                    percent(none.formerSame),
                    percent(none.same),
                    percent(same),
                    none.pairs / (double) TRIALS));
            assertThat(wrong).as("seed=%d %s cells=%d", SEED, scenario, cells).isLessThanOrEqualTo(TRIALS / 100);
        }
        Files.writeString(TABLE, rows, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String percent(int trials) {
        return String.format(Locale.ROOT, "%.1f", 100.0 * trials / TRIALS);
    }

    /**
     * Counts of trials. The first cell of each night has the effect, the others none.
     *
     * @param falseNights nights in which some cell has a false verdict
     * @param slower nights in which the first cell is slower
     * @param same nights in which the first cell is the same
     * @param pairs of the first cell, all nights together
     */
    private record Tally(
            int falseNights,
            int slower,
            int same,
            long pairs,
            int formerFalseNights,
            int formerSlower,
            int formerSame) {
        static Tally of(Scenario scenario, int cells, double slowerPercent, int trials) {
            Random random = new Random(SEED);
            Looks looks = Looks.of(cells, PAIRS);
            int[] counts = new int[6];
            long pairs = 0;
            for (int trial = 0; trial < trials; trial++) {
                double[][] former = new double[cells][];
                boolean wrong = false;
                boolean formerWrong = false;
                for (int cell = 0; cell < cells; cell++) {
                    double effect = cell == 0 ? slowerPercent : 0;
                    double[][] logs = scenario.cell(random, effect);
                    former[cell] = new double[FormerJudge.SCREEN + FormerJudge.CONFIRM];
                    Arrays.setAll(former[cell], i -> logs[0][i] - logs[1][i]);
                    // Nights with an effect show power: their other cells are those of the nights without.
                    if (cell == 0 || slowerPercent == 0) {
                        int look = lastLook(looks, logs);
                        Verdict verdict = verdict(looks, look, logs);
                        wrong |= isFalse(verdict, effect);
                        if (cell == 0) {
                            counts[0] += verdict == Verdict.SLOWER ? 1 : 0;
                            counts[1] += verdict == Verdict.SAME ? 1 : 0;
                            pairs += looks.rounds().get(look);
                        }
                    }
                }
                Verdict[] verdicts = FormerJudge.judge(former);
                for (int cell = 0; cell < cells; cell++) {
                    formerWrong |= isFalse(verdicts[cell], cell == 0 ? slowerPercent : 0);
                }
                counts[2] += wrong ? 1 : 0;
                counts[3] += formerWrong ? 1 : 0;
                counts[4] += verdicts[0] == Verdict.SLOWER ? 1 : 0;
                counts[5] += verdicts[0] == Verdict.SAME ? 1 : 0;
            }
            return new Tally(counts[2], counts[0], counts[1], pairs, counts[3], counts[4], counts[5]);
        }

        private static boolean isFalse(Verdict verdict, double slowerPercent) {
            return verdict == Verdict.FASTER
                    || (verdict == Verdict.SLOWER && slowerPercent == 0)
                    || (verdict == Verdict.SAME && slowerPercent > Verdict.MARGIN_PERCENT);
        }

        private static int lastLook(Looks looks, double[][] logs) {
            int look = 0;
            while (look < looks.rounds().size() - 1 && verdict(looks, look, logs) == Verdict.UNKNOWN) {
                look++;
            }
            return look;
        }

        private static Verdict verdict(Looks looks, int look, double[][] logs) {
            int pairs = looks.rounds().get(look);
            PairedRatio ratio = PairedRatio.ofLogs(
                    Arrays.copyOf(logs[0], pairs), Arrays.copyOf(logs[1], pairs), 1 - looks.error(look));
            return Verdict.of(ratio, looks.error(look), Verdict.MIN_FLOOR_PERCENT, Verdict.MARGIN_PERCENT);
        }
    }
}

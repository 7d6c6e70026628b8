package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.data.Requests;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The prices of the seed in answers in JSON, by their values, which are their numbers. Pure functions. */
final class AnsweredPrices {
    private static final Pattern VALUE = Pattern.compile("\"value\":([0-9]+),\"currency\"");

    private AnsweredPrices() {}

    /**
     * Returns the numbers of the prices that the first full requests ask for, by a comparison of each price.
     *
     * @param fields an index that has the fields
     * @param numbered the prices that requests are made of
     * @param prices the same, as they are compared
     */
    static List<Long> expected(PriceIndex fields, PriceData.Numbered numbered, Iterable<Price> prices, int searches) {
        return Requests.FULL.make(fields, numbered, searches).stream()
                .map(request -> ScanModel.answer(request, prices))
                .map(answer -> answer - SearchUnderTest.answer(1, 0))
                .toList();
    }

    /** Checks that an answer has these prices, in this order, and no others. */
    static void demand(String what, byte[] answer, List<Long> expected) throws CheckFailedException {
        String text = new String(answer, StandardCharsets.UTF_8);
        List<Long> found = VALUE.matcher(text)
                .results()
                .map(match -> Long.parseLong(match.group(1)))
                .toList();
        if (!found.equals(expected)) {
            throw new CheckFailedException(what + ": expected prices " + start(expected.toString()) + ", got "
                    + start(found.toString()) + " in " + start(text));
        }
    }

    private static String start(String text) {
        return text.substring(0, Math.min(200, text.length()));
    }
}

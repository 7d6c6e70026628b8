package dev.touchstone.benchmarks.serialization.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that each alphabet's strings have the characters that its name promises. */
@Timeout(60)
final class AlphabetTest {
    private static final int STRINGS = 1000;

    @ParameterizedTest
    @CsvSource({"ASCII, 15, 0, 0, 0", "LATIN1, 12, 3, 0, 0", "MIXED, 9, 2, 2, 1", "CJK, 0, 0, 15, 0"})
    void string_eachAlphabet_hasItsCharacters(
            Alphabet alphabet, long ascii, long latin1, long cjk, long supplementary) {
        assertThat(strings(alphabet)).hasSize(STRINGS).doesNotHaveDuplicates().allSatisfy(string -> {
            assertThat(string).hasSize(Alphabet.LENGTH);
            assertThat(string.codePoints().filter(point -> point < 0x80)).hasSize((int) ascii);
            assertThat(string.codePoints().filter(point -> point >= 0xC0 && point <= 0xFF && Character.isLetter(point)))
                    .hasSize((int) latin1);
            assertThat(string.codePoints().filter(Character::isIdeographic)).hasSize((int) cjk);
            assertThat(string.codePoints().filter(Character::isSupplementaryCodePoint))
                    .hasSize((int) supplementary);
        });
    }

    @ParameterizedTest
    @CsvSource({"ASCII, 15", "LATIN1, 18", "MIXED, 23", "CJK, 45"})
    void string_eachAlphabet_alwaysAsManyBytes(Alphabet alphabet, int bytes) {
        assertThat(strings(alphabet))
                .allSatisfy(string ->
                        assertThat(string.getBytes(StandardCharsets.UTF_8)).hasSize(bytes));
    }

    @Test
    void random_ascii_recordsOfFormerResults() {
        assertThat(RecordSize.SMALL.random(1).get(0))
                .isEqualTo(RecordSize.SMALL.random(1, Alphabet.ASCII).get(0))
                .isEqualTo(new SmallRecord(-1170105035, 0.05466526274716077, 884324181205335268L, "x3WN3Y0CwwoEqnJ"));
    }

    private static List<String> strings(Alphabet alphabet) {
        Random random = new Random(SampleRecords.SEED);
        return Stream.generate(() -> alphabet.string(random)).limit(STRINGS).toList();
    }
}

package dev.touchstone.builds.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Random;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns match what those of the JDK match, in a time that does not grow with what they could match. */
class FilePatternTest {
    private static final String[] PARTS = {
        "a",
        "b",
        "c",
        "/",
        "*",
        "**",
        "?",
        "[a-b]",
        "[!b]",
        "[!a-bc]",
        "{a,bc}",
        "{*,a/b}",
        "\\*",
        ".",
        "\u20ac",
        "\ud83d\ude00"
    };

    @Test
    void matches_asThePathMatcherOfTheJdk() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        int compared = 0;
        int matched = 0;
        for (int i = 0; i < 200_000; i++) {
            String text = text(random, PARTS.length);
            String path = path(random);
            PathMatcher theirs;
            FilePattern ours;
            try {
                theirs = FileSystems.getDefault().getPathMatcher("glob:" + text);
                ours = FilePattern.parse(text);
            } catch (IllegalArgumentException e) { // too many alternatives, or absolute
                continue;
            }
            boolean expected = theirs.matches(Path.of(path));
            assertThat(ours.matches(path))
                    .as("seed=%d pattern=%s path=%s", seed, text, path)
                    .isEqualTo(expected);
            int slash = path.lastIndexOf('/');
            if (expected && slash > 0) {
                assertThat(ours.mayMatchIn(path.substring(0, slash)))
                        .as("seed=%d pattern=%s folder of path=%s", seed, text, path)
                        .isTrue();
            }
            compared++;
            matched += expected ? 1 : 0;
        }
        assertThat(compared).as("seed=%d", seed).isGreaterThan(10_000);
        assertThat(matched).as("seed=%d", seed).isGreaterThan(500);
    }

    private static String text(Random random, int parts) {
        StringBuilder text = new StringBuilder();
        for (int n = 1 + random.nextInt(6); n > 0; n--) {
            text.append(PARTS[random.nextInt(parts)]);
        }
        return text.toString();
    }

    private static String path(Random random) {
        String[] steps = {"a", "b", "c", "ab", "bc", ".", "*", "\u20ac", "\ud83d\ude00"};
        StringBuilder path = new StringBuilder();
        for (int n = 1 + random.nextInt(4); n > 0; n--) {
            path.append(path.length() == 0 || random.nextBoolean() ? "" : "/")
                    .append(steps[random.nextInt(steps.length)]);
        }
        return path.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/a", "../a", "a/..", "{a,..}/b", "{a", "[a", "a\\", "[/]", "[b-a]", "{a,{b,c}}", "a\0"})
    void parse_whatIsNoPatternOrLeadsOut_isRefused(String text) {
        assertThatThrownBy(() -> FilePattern.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .isNotInstanceOf(PatternSyntaxException.class)
                .hasMessageContaining("pattern=");
    }

    @Test
    void parse_alternativesWithoutEnd_areRefused() {
        assertThatThrownBy(() -> FilePattern.parse("{a,b}".repeat(7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("64");
        assertThatThrownBy(() -> FilePattern.parse("{a,b}".repeat(6) + "c".repeat(100)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4000");
    }

    @Test
    void matches_manyStars_isDoneInProportionToTheText() {
        FilePattern pattern = FilePattern.parse("*a".repeat(100) + "b");
        assertThat(pattern.matches("a".repeat(4000))).isFalse(); // a matcher that tries all ways would not end
        assertThat(pattern.matches("a".repeat(4000) + "b")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"target/*.jar, target, true", "target/*.jar, other, false", "**/x, any/where, true", "a/b/c, a, true"})
    void mayMatchIn_prunesFolders(String pattern, String folder, boolean expected) {
        assertThat(FilePattern.parse(pattern).mayMatchIn(folder)).isEqualTo(expected);
    }
}

package dev.touchstone.builds.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.builds.Token;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForgeTest {
    private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

    private static JsonNode json(String text) throws Exception {
        return new ObjectMapper().readTree(text);
    }

    /** The example of GitHub's documentation. */
    @Test
    void signature_isThatOfTheDocumentation() {
        byte[] body = "Hello, World!".getBytes(StandardCharsets.UTF_8);
        String hex = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        String secret = "It's a Secret to Everybody";
        assertThat(HexFormat.of().formatHex(Forge.sign(body, secret))).isEqualTo(hex);
        Map<String, String> headers = Map.of("X-Hub-Signature-256", "sha256=" + hex);
        assertThat(Forge.GITHUB.isAuthentic(headers::get, body, secret)).isTrue();
        assertThat(Forge.GITHUB.isAuthentic(headers::get, body, "another")).isFalse();
        assertThat(Forge.GITHUB.isAuthentic(headers::get, new byte[] {1}, secret))
                .isFalse();
        assertThat(Forge.GITHUB.isAuthentic(name -> null, body, secret)).isFalse();
        assertThat(Forge.GITHUB.isAuthentic(name -> "", body, secret)).isFalse();
        assertThat(Forge.GITLAB.isAuthentic(Map.of("X-Gitlab-Token", secret)::get, body, secret))
                .isTrue();
        assertThat(Forge.GITLAB.isAuthentic(Map.of("X-Gitlab-Token", secret + "x")::get, body, secret))
                .isFalse();
    }

    @Test
    void pushes_ofEachForge_areBranchAndCommit() throws Exception {
        String plain = "{\"ref\": \"refs/heads/a/b\", \"after\": \"" + COMMIT + "\", ";
        String named = plain + "\"repository\": {\"full_name\": \"me/it\"}}";
        assertThat(Forge.GITHUB.pushes(json(named))).containsExactly(new Push("me/it", "a/b", COMMIT));
        assertThat(Forge.GITEA.pushes(json(named))).containsExactly(new Push("me/it", "a/b", COMMIT));
        assertThat(Forge.GITLAB.pushes(json(plain + "\"project\": {\"path_with_namespace\": \"a/b/c\"}}")))
                .containsExactly(new Push("a/b/c", "a/b", COMMIT));
        assertThat(Forge.BITBUCKET.pushes(json("{\"repository\": {\"full_name\": \"me/it\"}, \"push\": {\"changes\": ["
                        + "{\"new\": {\"type\": \"branch\", \"name\": \"x\", \"target\": {\"hash\": \"" + COMMIT
                        + "\"}}},"
                        + "{\"new\": null}, {\"new\": {\"type\": \"tag\", \"name\": \"t\"}}]}}")))
                .containsExactly(new Push("me/it", "x", COMMIT));
    }

    @Test
    void pushes_ofTagsAndDeletedBranches_areNone() throws Exception {
        String project = "\"repository\": {\"full_name\": \"me/it\"}}";
        assertThat(Forge.GITHUB.pushes(json("{\"ref\": \"refs/tags/v1\", \"after\": \"" + COMMIT + "\", " + project)))
                .isEmpty();
        assertThat(Forge.GITHUB.pushes(
                        json("{\"ref\": \"refs/heads/x\", \"after\": \"" + "0".repeat(40) + "\", " + project)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"me", "../it", "me/..", "me/it?x=1", "me/it#", "me//it", "/me/it", "me/i t", "me/it\n"})
    void project_thatIsNoPath_isRefused(String project) {
        assertThatThrownBy(() -> new Push(project, "b", COMMIT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("project");
    }

    @Test
    void commit_thatIsNone_isRefused() {
        assertThatThrownBy(() -> new Push("me/it", "b", "HEAD")).hasMessageContaining("commit");
    }

    @ParameterizedTest
    @CsvSource({
        "main, main, true",
        "main, mainx, false",
        "release/*, release/1.2, true",
        "release/*, release, false",
        "*, anything/at/all, true",
        "a.c, abc, false",
        "*-fix, a-fix, true",
        "*-fix, a-fixed, false",
    })
    void branches_matchTheirPattern(String pattern, String branch, boolean isWanted) {
        Hook hook = hook(pattern);
        assertThat(hook.takes(branch)).isEqualTo(isWanted);
        assertThat(hook.toString()).doesNotContain("Token");
    }

    private static Hook hook(String pattern) {
        return new Hook(
                "h",
                Forge.GITHUB,
                "me",
                Token.of("s"),
                "git+file:///r",
                "s",
                "bash",
                "any",
                Map.of(),
                List.of("never", pattern),
                Optional.empty());
    }

    @Test
    void branches_atRandom_matchAsByARegularExpression() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int matching = 0;
        for (int i = 0; i < 50_000; i++) {
            String pattern = text(random, "ab*", 6);
            String branch = text(random, "ab", 8);
            boolean expected = branch.matches(pattern.replace("*", ".*"));
            matching += expected ? 1 : 0;
            assertThat(hook(pattern).takes(branch))
                    .as("seed=%d pattern=%s branch=%s", seed, pattern, branch)
                    .isEqualTo(expected);
        }
        assertThat(matching).isBetween(5_000, 45_000);
    }

    private static String text(Random random, String of, int most) {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(most + 1); left > 0; left--) {
            text.append(of.charAt(random.nextInt(of.length())));
        }
        return text.toString();
    }

    /** A regular expression would try 4,000^6 ways: whoever may push would hold a thread for ever. */
    @Test
    @Timeout(60)
    void branch_ofALongName_isComparedSoon() {
        assertThat(hook("*-*-*-*-*-*-*x").takes("-".repeat(4_000))).isFalse();
        assertThat(hook("*-*-*-*-*-*-*x").takes("-".repeat(4_000) + "x")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"https://forge/api, true", "http://localhost:1/api, true", "http://forge/api, false", "file:///x, false"
    })
    void target_inClearOverANetwork_isRefused(String api, boolean isGood) {
        if (isGood) {
            assertThat(new Hook.Target(URI.create(api), Token.of("t"), null).link())
                    .isNull();
        } else {
            assertThatThrownBy(() -> new Hook.Target(URI.create(api), Token.of("t"), null))
                    .hasMessageContaining("https");
        }
    }

    @Test
    void retryAfter_isSecondsUpToTenMinutes() {
        assertThat(StatusReporter.wantedMillis(Optional.empty())).isZero();
        assertThat(StatusReporter.wantedMillis(Optional.of("7"))).isEqualTo(7_000);
        assertThat(StatusReporter.wantedMillis(Optional.of("999999999"))).isEqualTo(600_000);
        for (String none : List.of("", "-1", "1.5", "9999999999", "Fri, 27 Nov 2026 13:00:00 GMT")) {
            assertThat(StatusReporter.wantedMillis(Optional.of(none))).as(none).isZero();
        }
    }
}

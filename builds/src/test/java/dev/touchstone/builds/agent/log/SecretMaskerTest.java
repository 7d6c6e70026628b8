package dev.touchstone.builds.agent.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretMaskerTest {
    private static final String TOKEN = "s3cr3t-T0ken/with+signs";

    @Test
    void mask_secretInText_leavesTheRest() {
        assertThat(masked(TOKEN, "a " + TOKEN + " b")).isEqualTo("a **** b");
        assertThat(masked(TOKEN, TOKEN + TOKEN)).isEqualTo("****");
        assertThat(masked(TOKEN, TOKEN.substring(1))).isEqualTo(TOKEN.substring(1));
        assertThat(masked(TOKEN, "s3cr3t-" + TOKEN)).isEqualTo("s3cr3t-****");
    }

    @Test
    void mask_overlappingSecrets_masksTheUnion() {
        Secrets secrets = Secrets.of(Map.of("A", "abcdef", "B", "defghi"), Set.of("A", "B"));
        assertThat(secrets.mask("1 abcdefghi 2 defghi 3 abcdef")).isEqualTo("1 **** 2 **** 3 ****");
    }

    @Test
    void mask_secretWithinSecret_masksTheLonger() {
        Secrets secrets = Secrets.of(Map.of("A", "aaaa", "B", "xaaaaay"), Set.of("A", "B"));
        assertThat(secrets.mask("xaaaaay xaaaaaz aaaaaaaaaaaa aaa")).isEqualTo("**** x****z **** aaa");
    }

    @Test
    void mask_multiLineSecret_masksWholeAndLineByLine() {
        String key = "-----BEGIN KEY-----\nAbCdEfGh0123\n  indented-line\n-----END KEY-----\n";
        assertThat(masked(key, "x" + key + "y")).isEqualTo("x****y");
        assertThat(masked(key, key.replace("\n", "\r\n")))
                .doesNotContain("AbCdEfGh")
                .doesNotContain("KEY");
        assertThat(masked(key, "> AbCdEfGh0123\n> indented-line\n")).isEqualTo("> ****\n> ****\n");
        assertThat(masked(key, key.replace("\n", "\\n"))).isEqualTo("****");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                TOKEN,
                "abcd",
                "ünïcödé-pass",
                "0123456789012345678901234567890123456789012345678901234567890123456789"
            })
    void mask_base64_masksAtEveryAlignment(String secret) {
        for (String before : List.of("", "u", "us", "user:", "user:x")) {
            for (String after : List.of("", "\n", "@h", "@host")) {
                String plain = before + secret + after;
                for (Base64.Encoder encoder : List.of(
                        Base64.getEncoder(), Base64.getUrlEncoder(), Base64.getMimeEncoder(76, new byte[] {'\n'}))) {
                    String encoded = encoder.encodeToString(plain.getBytes(StandardCharsets.UTF_8));
                    String shown = masked(secret, "Basic " + encoded + " end");
                    assertThat(showsOnlyWhatIsAround(shown, encoded, before, after))
                            .as("%s -> %s", plain, shown)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void mask_base64FoldedAnywhere_masksOverLineEnds() {
        String token = "t0k3n".repeat(30);
        for (int before = 0; before < 90; before++) {
            String encoded = Base64.getMimeEncoder(76, new byte[] {'\r', '\n'})
                    .encodeToString(("x".repeat(before) + token + "end").getBytes(StandardCharsets.UTF_8));
            byte[] text = encoded.getBytes(StandardCharsets.UTF_8);
            Secrets secrets = Secrets.of(Map.of("A", token), Set.of("A"));
            byte[] shown = masked(secrets, text, List.of(text.length / 3, text.length - text.length / 3));
            assertThat(shown.length).isLessThan(before * 4 / 3 + 20);
        }
    }

    @Test
    void mask_lineEndsWithoutEnd_areNotHeldBack() {
        SecretMasker masker = new SecretMasker(Secrets.of(Map.of("A", "aaaaaaaa"), Set.of("A")));
        String begun = Base64.getEncoder()
                .encodeToString("aaaaaaa".getBytes(StandardCharsets.UTF_8))
                .substring(0, 8);
        byte[] text = (begun + "\n".repeat(10_000)).getBytes(StandardCharsets.UTF_8);
        assertThat(masker.mask(text, text.length).remaining()).isEqualTo(text.length);
    }

    @Test
    void mask_urlEncoded_masks() {
        assertThat(masked("p&ss w=rd", "q=p%26ss+w%3Drd&r=p%26ss%20w%3Drd")).isEqualTo("q=****&r=****");
    }

    @Test
    void mask_anySplit_isAsInOnePiece() {
        long seed = 20261122;
        Random random = new Random(seed);
        Secrets secrets = Secrets.of(
                Map.of("A", TOKEN, "B", "aabaab", "C", "line one\nline two\n", "D", "abab"),
                Set.of("A", "B", "C", "D"));
        for (int round = 0; round < 10_000; round++) {
            byte[] text = randomText(random);
            byte[] whole = masked(secrets, text, List.of(text.length));
            byte[] split = masked(secrets, text, splits(random, text.length));
            assertThat(split).as("seed=%d round=%d", seed, round).isEqualTo(whole);
            String shown = new String(whole, StandardCharsets.ISO_8859_1);
            assertThat(shown).doesNotContain(TOKEN, "aabaab", "line one", "line two", "abab");
        }
    }

    @Test
    void mask_randomText_agreesWithPlainSearch() {
        long seed = 42;
        Random random = new Random(seed);
        List<String> values = List.of("aabaab", "abab", "bbbb", "abba");
        Secrets secrets = Secrets.of(
                Map.of("A", values.get(0), "B", values.get(1), "C", values.get(2), "D", values.get(3)),
                Set.of("A", "B", "C", "D"));
        for (int round = 0; round < 5_000; round++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(60);
            for (int i = 0; i < length; i++) {
                text.append((char) ('a' + random.nextInt(2)));
            }
            String found = secrets.mask(text.toString());
            assertThat(found).as("seed=%d text=%s", seed, text).isEqualTo(plainly(text.toString(), values));
        }
    }

    @Test
    void mask_bytesOfAllKinds_staysByteExact() {
        byte[] all = new byte[512];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        Secrets secrets = Secrets.of(Map.of("A", TOKEN), Set.of("A"));
        assertThat(masked(secrets, all, List.of(3, 200, 309))).isEqualTo(all);
    }

    @Test
    void cut_inTheMiddleOfASecret_hidesItsBeginning() {
        SecretMasker masker = new SecretMasker(Secrets.of(Map.of("A", TOKEN), Set.of("A")));
        byte[] begun = ("x " + TOKEN.substring(0, 9)).getBytes(StandardCharsets.UTF_8);
        assertThat(text(masker.mask(begun, begun.length)) + text(masker.cut())).isEqualTo("x ****");
        byte[] next = " next".getBytes(StandardCharsets.UTF_8);
        assertThat(text(masker.mask(next, next.length)) + text(masker.finish())).isEqualTo(" next");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "abc", " abc \n"})
    void of_shortSecret_isRefusedByName(String value) {
        assertThatThrownBy(() -> Secrets.of(Map.of("TOKEN", value), Set.of("TOKEN")))
                .isInstanceOf(SecretRefusedException.class)
                .hasMessageContaining("TOKEN");
    }

    @Test
    void of_secretWithoutValue_isRefused() {
        assertThatThrownBy(() -> Secrets.of(Map.of(), Set.of("TOKEN"))).isInstanceOf(SecretRefusedException.class);
    }

    @Test
    void of_hugeSecret_isRefusedWithoutItsValue() {
        String huge = "q".repeat(2_000_000);
        assertThatThrownBy(() -> Secrets.of(Map.of("TOKEN", huge), Set.of("TOKEN")))
                .isInstanceOf(SecretRefusedException.class)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("qqqq"));
    }

    private static String masked(String secret, String text) {
        return Secrets.of(Map.of("S", secret), Set.of("S")).mask(text);
    }

    private static byte[] masked(Secrets secrets, byte[] text, List<Integer> lengths) {
        SecretMasker masker = new SecretMasker(secrets);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = 0;
        for (int length : lengths) {
            write(out, masker.mask(Arrays.copyOfRange(text, at, at + length), length));
            at += length;
        }
        write(out, masker.finish());
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, ByteBuffer bytes) {
        byte[] part = new byte[bytes.remaining()];
        bytes.get(part);
        out.writeBytes(part);
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    private static List<Integer> splits(Random random, int length) {
        List<Integer> lengths = new java.util.ArrayList<>();
        for (int left = length; left > 0; ) {
            int part = Math.min(left, random.nextInt(random.nextBoolean() ? 3 : 20));
            lengths.add(part);
            left -= part;
        }
        return lengths;
    }

    private static byte[] randomText(Random random) {
        List<String> words = List.of(
                TOKEN,
                "aabaab",
                "aab",
                "aabaabaab",
                "line one\nline two\n",
                "line one",
                "ab",
                "s3cr3t",
                " ",
                "\n",
                "é");
        StringBuilder text = new StringBuilder();
        int count = random.nextInt(20);
        for (int i = 0; i < count; i++) {
            String word = words.get(random.nextInt(words.size()));
            text.append(random.nextInt(5) == 0 ? word.substring(0, random.nextInt(word.length())) : word);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Every byte of every occurrence is covered; a run of covered bytes is four stars. */
    private static String plainly(String text, List<String> values) {
        boolean[] covered = new boolean[text.length()];
        for (String value : values) {
            for (int at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
                Arrays.fill(covered, at, at + value.length(), true);
            }
        }
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < covered.length; i++) {
            if (!covered[i]) {
                shown.append(text.charAt(i));
            } else if (i == 0 || !covered[i - 1]) {
                shown.append("****");
            }
        }
        return shown.toString();
    }

    /** Whether no more is seen of the encoding than what stands, in whole or in part, for what is around the secret. */
    private static boolean showsOnlyWhatIsAround(String shown, String encoded, String before, String after) {
        String left = shown.replace("Basic ", "")
                .replace(" end", "")
                .replace("****", "")
                .replace("\n", "");
        int around = (before.length() + 2) / 3 * 4 + (after.length() + 2) / 3 * 4 + 4;
        return !shown.contains(encoded) && left.length() <= around;
    }
}

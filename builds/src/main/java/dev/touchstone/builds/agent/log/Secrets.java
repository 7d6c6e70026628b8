package dev.touchstone.builds.agent.log;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The values that must not be seen in a log: secrets in all the forms in which scripts commonly print them. Immutable. */
public final class Secrets {
    /** A shorter secret would mask much of any log, and could be read from where it does. */
    public static final int MIN_CHARS = 4;

    /** No secrets. */
    public static final Secrets NONE = new Secrets(new Forms());

    private static final int MAX_PATTERN_BYTES = 1 << 20;

    private final PatternTrie plain;
    private final PatternTrie folded;
    private final boolean any;

    private Secrets(Forms forms) {
        any = !forms.plain.isEmpty();
        plain = new PatternTrie(forms.plain.values());
        folded = new PatternTrie(forms.folded.values());
    }

    /**
     * Returns the values of the named variables.
     *
     * @throws SecretRefusedException if one has no value, a value of less than four characters, or all are too long together
     */
    public static Secrets of(Map<String, String> environment, Set<String> names) {
        if (names.isEmpty()) {
            return NONE;
        }
        Forms forms = new Forms();
        for (String name : names) {
            String value = environment.get(name);
            if (value == null) {
                throw new SecretRefusedException("secret name=" + name + " is not in the environment");
            }
            if (value.strip().length() < MIN_CHARS) {
                throw new SecretRefusedException("secret name=" + name + " has less than " + MIN_CHARS + " characters");
            }
            forms.addAll(value);
            if (forms.bytes > MAX_PATTERN_BYTES) {
                throw new SecretRefusedException(
                        "secret name=" + name + " goes over " + MAX_PATTERN_BYTES + " bytes in all forms");
            }
        }
        return new Secrets(forms);
    }

    public boolean isEmpty() {
        return !any;
    }

    /** Returns a short text of the agent's own with its secrets masked. */
    public String mask(String text) {
        if (!any) {
            return text;
        }
        SecretMasker masker = new SecretMasker(this);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        StringBuilder masked = new StringBuilder();
        masked.append(StandardCharsets.UTF_8.decode(masker.mask(bytes, bytes.length)));
        return masked.append(StandardCharsets.UTF_8.decode(masker.finish())).toString();
    }

    /** Forms that stand in the log as they are. */
    PatternTrie plain() {
        return plain;
    }

    /** Forms that may be broken into lines anywhere. */
    PatternTrie folded() {
        return folded;
    }

    /** The forms of values, each once. */
    private static final class Forms {
        final Map<String, byte[]> plain = new LinkedHashMap<>();
        final Map<String, byte[]> folded = new LinkedHashMap<>();
        long bytes;

        void addAll(String value) {
            addText(value);
            addText(value.strip());
            addText(value.replace("\n", "\r\n"));
            addText(value.replace("\n", "\\n"));
            addText(value.replace("\"", "\\\""));
            for (String line : value.split("\n", -1)) {
                addText(line.strip());
            }
            addText(URLEncoder.encode(value, StandardCharsets.UTF_8));
            addText(URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
            addBase64(value);
            addBase64(value + "\n");
        }

        private void addBase64(String value) {
            byte[] bytesOfValue = value.getBytes(StandardCharsets.UTF_8);
            for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
                add(folded, encoder.encodeToString(bytesOfValue));
                for (int before = 0; before < 3; before++) {
                    add(folded, inner(encoder, bytesOfValue, before));
                }
            }
        }

        /** Returns the characters that stand for the secret alone when {@code before} bytes, modulo 3, and anything behind are encoded with it. */
        private static String inner(Base64.Encoder encoder, byte[] plain, int before) {
            byte[] shifted = new byte[before + plain.length];
            System.arraycopy(plain, 0, shifted, before, plain.length);
            String encoded = encoder.withoutPadding().encodeToString(shifted);
            int from = (before * 8 + 5) / 6;
            int to = shifted.length * 8 / 6;
            return encoded.substring(from, to);
        }

        private void addText(String text) {
            add(plain, text);
        }

        private void add(Map<String, byte[]> patterns, String text) {
            byte[] pattern = text.getBytes(StandardCharsets.UTF_8);
            if (pattern.length >= MIN_CHARS && patterns.putIfAbsent(text, pattern) == null) {
                bytes += pattern.length;
            }
        }
    }
}

package dev.touchstone.builds.file;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of relative paths, in the glob syntax of {@link java.nio.file.FileSystem#getPathMatcher}. Matching takes time in proportion to the lengths of
 * pattern and path, whatever these are. Immutable.
 */
public final class FilePattern {
    /** Maximum length of a pattern in characters. */
    public static final int MAX_LENGTH = 1000;

    private static final int MAX_ALTERNATIVES = 64;
    private static final int MAX_TOKENS = 4 * MAX_LENGTH;

    private final String text;
    private final List<List<Token>> alternatives;

    /** Matches one character, or any number of them. */
    private interface Token {
        boolean matches(int character);

        default boolean isRepeated() {
            return false;
        }
    }

    private record Literal(int character) implements Token {
        @Override
        public boolean matches(int other) {
            return character == other;
        }
    }

    /** Matches any character of a name, or any number of them, and with {@code crosses} also those of folders below. */
    private record Any(boolean isRepeated, boolean crosses) implements Token {
        @Override
        public boolean matches(int character) {
            return crosses || character != '/';
        }
    }

    private record OneOf(List<int[]> ranges, boolean isNegated) implements Token {
        @Override
        public boolean matches(int character) {
            boolean isListed = ranges.stream().anyMatch(range -> range[0] <= character && character <= range[1]);
            return character != '/' && isListed != isNegated;
        }
    }

    private FilePattern(String text, List<List<Token>> alternatives) {
        this.text = text;
        this.alternatives = alternatives;
    }

    /**
     * Reads a pattern.
     *
     * @param text the pattern; not null
     * @return the pattern
     * @throws IllegalArgumentException if it is no pattern, absolute, has a step {@code ..}, or is too long
     */
    public static FilePattern parse(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH || text.indexOf('\0') >= 0) {
            throw RelativePath.refused("pattern", text, "expected 1 to " + MAX_LENGTH + " characters");
        }
        if (text.startsWith("/")) {
            throw RelativePath.refused("pattern", text, "expected a pattern relative to the sources");
        }
        for (String step : text.split("[/{},]", -1)) {
            if (step.equals("..")) {
                throw RelativePath.refused("pattern", text, "expected no step ..");
            }
        }
        return new FilePattern(text, new Parser(text).alternatives());
    }

    /** Returns whether the pattern matches all of a relative path. */
    public boolean matches(String path) {
        return alternatives.stream().anyMatch(tokens -> {
            boolean[] states = run(tokens, path);
            return states != null && states[tokens.size()];
        });
    }

    /** Returns whether the pattern may match a path in a folder, which is given as a relative path. */
    public boolean mayMatchIn(String folder) {
        return alternatives.stream().anyMatch(tokens -> run(tokens, folder + "/") != null);
    }

    /** Returns which tokens may come next behind a text, and whether none has to; null if the text cannot be continued. */
    private static boolean @Nullable [] run(List<Token> tokens, String read) {
        boolean[] states = new boolean[tokens.size() + 1];
        states[0] = true;
        skip(tokens, states);
        for (int i = 0; i < read.length(); i = read.offsetByCodePoints(i, 1)) {
            int character = read.codePointAt(i);
            boolean[] next = new boolean[states.length];
            boolean isAlive = false;
            for (int at = 0; at < tokens.size(); at++) {
                Token token = tokens.get(at);
                if (states[at] && token.matches(character)) {
                    next[token.isRepeated() ? at : at + 1] = true;
                    isAlive = true;
                }
            }
            if (!isAlive) {
                return null;
            }
            skip(tokens, next);
            states = next;
        }
        return states;
    }

    /** Adds the states that repeated tokens lead to without a character. */
    private static void skip(List<Token> tokens, boolean[] states) {
        for (int at = 0; at < tokens.size(); at++) {
            states[at + 1] |= states[at] && tokens.get(at).isRepeated();
        }
    }

    @Override
    public String toString() {
        return text;
    }

    /** Reads one pattern. */
    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        List<List<Token>> alternatives() {
            List<List<Token>> all = new ArrayList<>();
            all.add(new ArrayList<>());
            while (at < text.length()) {
                if (text.charAt(at) == '{') {
                    all = append(all, group());
                } else {
                    Token token = token();
                    all.forEach(tokens -> tokens.add(token));
                }
                if (all.stream().mapToInt(List::size).sum() > MAX_TOKENS) {
                    throw wrong("expected alternatives of at most " + MAX_TOKENS + " characters in all combinations");
                }
            }
            return all;
        }

        private List<List<Token>> append(List<List<Token>> heads, List<List<Token>> tails) {
            if (heads.size() * tails.size() > MAX_ALTERNATIVES) {
                throw wrong("expected at most " + MAX_ALTERNATIVES + " combinations of alternatives");
            }
            List<List<Token>> all = new ArrayList<>();
            for (List<Token> head : heads) {
                for (List<Token> tail : tails) {
                    List<Token> both = new ArrayList<>(head);
                    both.addAll(tail);
                    all.add(both);
                }
            }
            return all;
        }

        private List<List<Token>> group() {
            at++;
            List<List<Token>> group = new ArrayList<>();
            List<Token> one = new ArrayList<>();
            while (at < text.length() && text.charAt(at) != '}') {
                if (text.charAt(at) == '{') {
                    throw wrong("expected no group in a group");
                }
                if (text.charAt(at) == ',') {
                    at++;
                    group.add(one);
                    one = new ArrayList<>();
                } else {
                    one.add(token());
                }
            }
            if (at == text.length()) {
                throw wrong("expected } for each {");
            }
            at++;
            group.add(one);
            return group;
        }

        private Token token() {
            int character = next();
            return switch (character) {
                case '\\' -> {
                    if (at == text.length()) {
                        throw wrong("expected a character behind the last \\");
                    }
                    yield new Literal(next());
                }
                case '*' -> {
                    boolean crosses = at < text.length() && text.charAt(at) == '*';
                    at += crosses ? 1 : 0;
                    yield new Any(true, crosses);
                }
                case '?' -> new Any(false, false);
                case '[' -> oneOf();
                default -> new Literal(character);
            };
        }

        private int next() {
            int character = text.codePointAt(at);
            at += Character.charCount(character);
            return character;
        }

        private Token oneOf() {
            boolean isNegated = at < text.length() && text.charAt(at) == '!';
            at += isNegated ? 1 : 0;
            List<int[]> ranges = new ArrayList<>();
            while (at < text.length() && (text.charAt(at) != ']' || ranges.isEmpty())) {
                int first = next();
                boolean isRange = at + 1 < text.length() && text.charAt(at) == '-' && text.charAt(at + 1) != ']';
                at += isRange ? 1 : 0;
                int last = isRange ? next() : first;
                if (first == '/' || last == '/' || last < first) {
                    throw wrong("expected characters or ranges of them in [], without a slash");
                }
                ranges.add(new int[] {first, last});
            }
            if (at == text.length()) {
                throw wrong("expected ] for each [");
            }
            at++;
            return new OneOf(ranges, isNegated);
        }

        private IllegalArgumentException wrong(String expected) {
            return RelativePath.refused("pattern", text, expected);
        }
    }
}

package dev.touchstone.benchmarks.serialization.records;

import java.util.Random;

/**
 * The characters of the records' random strings, by the value of the parameter {@code alphabet}. The strings of all alphabets are {@value
 * #LENGTH} {@code char}s long, and all strings of one alphabet have the same number of bytes in UTF-8.
 */
public enum Alphabet {
    /** Digits and letters of ASCII; 15 bytes in UTF-8. */
    ASCII(0, 0, 0),
    /** ASCII with three letters of U+00C0 to U+00FF; 18 bytes. */
    LATIN1(3, 0, 0),
    /** ASCII with two letters of Latin-1, two Chinese characters and one supplementary character; 23 bytes. */
    MIXED(2, 2, 1),
    /** Chinese characters alone; 45 bytes. */
    CJK(0, 15, 0);

    /** The number of {@code char}s of a string; a supplementary character takes two. */
    static final int LENGTH = 15;

    private static final String ASCII_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int LATIN1_FROM = 0xC0;
    private static final int LATIN1_COUNT = 0x40;
    private static final int MULTIPLICATION_SIGN = 0xD7;
    private static final int DIVISION_SIGN = 0xF7;
    private static final int CJK_FROM = 0x4E00;
    private static final int CJK_COUNT = 0x5000;
    private static final int EMOTICONS_FROM = 0x1F600;
    private static final int EMOTICONS_COUNT = 0x50;

    private final int latin1;
    private final int cjk;
    private final int supplementary;

    Alphabet(int latin1, int cjk, int supplementary) {
        this.latin1 = latin1;
        this.cjk = cjk;
        this.supplementary = supplementary;
    }

    /** Returns a random string whose characters beyond ASCII are at random places. */
    String string(Random random) {
        int[] points = new int[LENGTH - supplementary];
        int end = 0;
        for (int i = 0; i < supplementary; i++) {
            points[end++] = EMOTICONS_FROM + random.nextInt(EMOTICONS_COUNT);
        }
        for (int i = 0; i < cjk; i++) {
            points[end++] = CJK_FROM + random.nextInt(CJK_COUNT);
        }
        for (int i = 0; i < latin1; i++) {
            points[end++] = latin1Letter(random);
        }
        int beyondAscii = end;
        while (end < points.length) {
            points[end++] = ASCII_CHARACTERS.charAt(random.nextInt(ASCII_CHARACTERS.length()));
        }
        // The order of ASCII characters is random already, and the strings of ASCII must stay those of former versions.
        for (int i = 0; i < beyondAscii; i++) {
            int other = i + random.nextInt(points.length - i);
            int point = points[other];
            points[other] = points[i];
            points[i] = point;
        }
        return new String(points, 0, points.length);
    }

    private static int latin1Letter(Random random) {
        int letter;
        do {
            letter = LATIN1_FROM + random.nextInt(LATIN1_COUNT);
        } while (letter == MULTIPLICATION_SIGN || letter == DIVISION_SIGN);
        return letter;
    }
}

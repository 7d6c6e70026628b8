package dev.touchstone.serialization.schema;

import dev.touchstone.serialization.exception.CompactLockException;
import java.util.HexFormat;

/**
 * A name in a line of a lock, plain or in quotes.
 *
 * @param value name without quotes and escapes
 * @param end index in the line, behind the name
 */
record LockName(String value, int end) {
    private static final String PLAIN_SIGNS = "_.$-";
    private static final char QUOTE = '"';
    private static final char ESCAPE = '\\';
    private static final int HEX_DIGITS = 4;
    /** Ranges of characters that are escaped, each as its first and last: controls, blanks, marks of direction, surrogates, private use, specials. */
    private static final char[] HIDDEN = {
        0, 0x1f, 0x7f, 0xa0, 0xad, 0xad, 0x2000, 0x206f, 0x3000, 0x3000, 0xd800, 0xf8ff, 0xfeff, 0xfeff, 0xfff0, 0xffff
    };

    /** Returns the form in which a lock has a name: plain if possible, else in quotes. */
    static String text(String name) {
        if (!name.isEmpty() && name.chars().allMatch(LockName::isPlain)) {
            return name;
        }
        StringBuilder text = new StringBuilder().append(QUOTE);
        for (int i = 0; i < name.length(); i++) {
            char each = name.charAt(i);
            if (each == QUOTE || each == ESCAPE) {
                text.append(ESCAPE).append(each);
            } else if (isHidden(each)) {
                text.append(ESCAPE).append('u').append(HexFormat.of().toHexDigits(each));
            } else {
                text.append(each);
            }
        }
        return text.append(QUOTE).toString();
    }

    /** Reads the name that begins at an index of a line; {@code number} is the number of the line, for messages. */
    static LockName parse(String line, int from, int number) {
        if (from < line.length() && line.charAt(from) == QUOTE) {
            return parseQuoted(line, from + 1, number);
        }
        int end = from;
        while (end < line.length() && isPlain(line.charAt(end))) {
            end++;
        }
        if (end == from || (end < line.length() && line.charAt(end) != ' ')) {
            throw new CompactLockException("not a name: column=" + (end + 1), number);
        }
        return new LockName(line.substring(from, end), end);
    }

    private static LockName parseQuoted(String line, int from, int number) {
        StringBuilder name = new StringBuilder();
        for (int i = from; i < line.length(); i++) {
            char each = line.charAt(i);
            if (each == QUOTE) {
                return new LockName(name.toString(), i + 1);
            }
            if (each == ESCAPE) {
                i++;
                if (i < line.length() && line.charAt(i) == 'u') {
                    name.append(hex(line, i + 1, number));
                    i += HEX_DIGITS;
                } else if (i < line.length()) {
                    name.append(line.charAt(i));
                }
            } else {
                name.append(each);
            }
        }
        throw new CompactLockException("name without a closing quote: column=" + from, number);
    }

    private static char hex(String line, int at, int number) {
        int end = at + HEX_DIGITS;
        if (end > line.length() || !line.substring(at, end).chars().allMatch(HexFormat::isHexDigit)) {
            throw new CompactLockException("no four hexadecimal digits: column=" + (at + 1), number);
        }
        return (char) HexFormat.fromHexDigits(line, at, end);
    }

    private static boolean isPlain(int each) {
        return (each >= 'a' && each <= 'z')
                || (each >= 'A' && each <= 'Z')
                || (each >= '0' && each <= '9')
                || PLAIN_SIGNS.indexOf(each) >= 0;
    }

    private static boolean isHidden(char each) {
        for (int i = 0; i < HIDDEN.length; i += 2) {
            if (each >= HIDDEN[i] && each <= HIDDEN[i + 1]) {
                return true;
            }
        }
        return false;
    }
}

package dev.touchstone.serialization.json;

import java.util.HexFormat;

/** Texts from outside in messages: in quotes, short, and on one line. */
final class Quoted {
    private static final int MAX_CHARS = 80;
    private static final String MORE = "...";

    private Quoted() {}

    static String of(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < Math.min(text.length(), MAX_CHARS); i++) {
            char each = text.charAt(i);
            boolean isHidden = Character.isISOControl(each)
                    || Character.isSurrogate(each)
                    || Character.getType(each) == Character.FORMAT
                    || (each != ' ' && Character.isSpaceChar(each));
            quoted.append(isHidden ? "\\u" + HexFormat.of().toHexDigits(each) : String.valueOf(each));
        }
        return quoted.append(text.length() > MAX_CHARS ? MORE : "").append('"').toString();
    }
}

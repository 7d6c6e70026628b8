package dev.touchstone.messaging.term;

/** Text in quotes, escaped as Erlang reads it. */
final class Quoted {
    private Quoted() {}

    static String of(String text, char quote) {
        StringBuilder out = new StringBuilder(text.length() + 2).append(quote);
        for (int i = 0; i < text.length(); i++) {
            append(out, text.charAt(i), quote);
        }
        return out.append(quote).toString();
    }

    private static void append(StringBuilder out, char c, char quote) {
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '\\' -> out.append("\\\\");
            default -> {
                if (c == quote) {
                    out.append('\\').append(c);
                } else if (c < ' ' || c == 127) {
                    out.append("\\x{").append(Integer.toHexString(c)).append('}');
                } else {
                    out.append(c);
                }
            }
        }
    }

    /** Returns whether the bytes are printable ASCII, with tabs and line ends; false for no bytes. */
    static boolean isText(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            byte b = bytes[i];
            if ((b < ' ' || b == 127) && b != '\n' && b != '\r' && b != '\t') {
                return false;
            }
        }
        return length > 0;
    }
}

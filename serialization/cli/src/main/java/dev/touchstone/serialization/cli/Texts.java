package dev.touchstone.serialization.cli;

import dev.touchstone.serialization.schema.FieldKind;
import java.util.HexFormat;
import java.util.Optional;

/** Text forms of ids, field kinds and names. */
final class Texts {
    private Texts() {}

    static String id(long id) {
        return HexFormat.of().toHexDigits(id);
    }

    static String kind(Optional<FieldKind> kind) {
        return kind.map(FieldKind::name).orElse("-");
    }

    /** Returns a detail on one line, or the sign that there is none. */
    static String detail(String detail) {
        return detail.isEmpty() ? "-" : name(detail);
    }

    /** Returns a name on one line, with escapes for control characters and for blanks other than the common space. */
    static String name(String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char each = name.charAt(i);
            boolean isHidden = Character.isISOControl(each)
                    || Character.isSurrogate(each)
                    || Character.getType(each) == Character.FORMAT
                    || (each != ' ' && Character.isSpaceChar(each));
            text.append(isHidden ? "\\u" + HexFormat.of().toHexDigits(each) : String.valueOf(each));
        }
        return text.length() == 0 ? "\"\"" : text.toString();
    }
}

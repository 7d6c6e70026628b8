package dev.touchstone.serialization.cli;

import dev.touchstone.serialization.schema.FieldKind;
import java.util.HexFormat;
import java.util.Optional;

/** How things are shown. */
final class Texts {
    private Texts() {}

    static String id(long id) {
        return HexFormat.of().toHexDigits(id);
    }

    static String kind(Optional<FieldKind> kind) {
        return kind.map(FieldKind::name).orElse("-");
    }

    /** A name as one line: controls, and blanks other than the common one, as escapes. */
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

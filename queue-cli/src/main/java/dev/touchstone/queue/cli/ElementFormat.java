package dev.touchstone.queue.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Ways to show the bytes of an element in one line. */
enum ElementFormat {
    /** Hexadecimal digits. */
    HEX {
        @Override
        String text(byte[] element) {
            return HexFormat.of().formatHex(element);
        }
    },
    /** UTF-8, with backslashes and control characters escaped. */
    TEXT {
        @Override
        String text(byte[] element) {
            StringBuilder text = new StringBuilder();
            new String(element, StandardCharsets.UTF_8).codePoints().forEach(c -> {
                if (c == '\\') {
                    text.append("\\\\");
                } else if (Character.isISOControl(c)) {
                    text.append("\\u").append(HexFormat.of().toHexDigits((char) c));
                } else {
                    text.appendCodePoint(c);
                }
            });
            return text.toString();
        }
    },
    /** Base 64. */
    BASE64 {
        @Override
        String text(byte[] element) {
            return Base64.getEncoder().encodeToString(element);
        }
    },
    /** An object with the element as text or, where it is none, in base 64. */
    JSON {
        @Override
        String text(byte[] element) {
            String text = decoded(element);
            return text == null ? BASE64.text(element) : text;
        }
    };

    /** Returns the element in characters. */
    abstract String text(byte[] element);

    /** Returns the element as UTF-8, or null where the bytes are not UTF-8. */
    static @Nullable String decoded(byte[] element) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(element))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}

package dev.touchstone.index.loader;

import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Text in UTF-8 of which damaged bytes become a character that no text has, so that the row that has them can be told. */
final class Utf8 {
    /** Stands for bytes that are no UTF-8: a code point that Unicode keeps for a program's own use. */
    static final char DAMAGED = '\uFFFF';

    static final char BYTE_ORDER_MARK = '\uFEFF';

    /** What a report says of a row with {@link #DAMAGED}. */
    static final String REASON = "bytes that are no UTF-8";

    private Utf8() {}

    static Reader reader(InputStream in) {
        return new InputStreamReader(
                in,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE)
                        .replaceWith(String.valueOf(DAMAGED)));
    }
}

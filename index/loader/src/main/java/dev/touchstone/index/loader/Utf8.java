package dev.touchstone.index.loader;

import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Text in UTF-8 whose damaged bytes are replaced by a character that no text has, so that the rows with damaged bytes can be found. */
final class Utf8 {
    /** Character that replaces bytes that are not UTF-8: Unicode reserves this code point for the internal use of programs. */
    static final char DAMAGED = '\uFFFF';

    static final char BYTE_ORDER_MARK = '\uFEFF';

    /** Reason that a report gives for a row with {@link #DAMAGED}. */
    static final String REASON = "bytes that are no UTF-8";

    private Utf8() {}

    /**
     * Returns a reader of text, which may be compressed by gzip.
     *
     * @param in stream to read from, closed with the reader
     */
    static Reader reader(InputStream in, LoadOptions options) {
        return new InputStreamReader(
                new Unpacked(in, options.maxUnpackedBytes()),
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE)
                        .replaceWith(String.valueOf(DAMAGED)));
    }
}

package com.ericsson.otp.erlang;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Bytes that were compressed by zlib, inflated to exactly the size that was stated for them. */
final class Deflated {
    private static final int FIRST_BYTES = 64 << 10;

    private final byte[] bytes;
    private final int consumed;

    /** Inflates; memory grows with the bytes that come out, not with the size that was stated. */
    Deflated(byte[] source, int offset, int length, int size) throws OtpErlangDecodeException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(source, offset, length);
            byte[] target = new byte[Math.min(size + 1, FIRST_BYTES)];
            int filled = 0;
            while (!inflater.finished() && filled <= size) {
                if (filled == target.length) {
                    target = Arrays.copyOf(target, (int) Math.min(size + 1L, 2L * target.length));
                }
                int more = inflater.inflate(target, filled, target.length - filled);
                if (more == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    throw new OtpErlangDecodeException("Cannot read from input stream");
                }
                filled += more;
            }
            if (filled != size) {
                throw new OtpErlangDecodeException(
                        "Decompression gave " + (filled > size ? "more" : filled) + " bytes, not " + size);
            }
            bytes = Arrays.copyOf(target, size);
            consumed = (int) inflater.getBytesRead();
        } catch (DataFormatException e) {
            throw new OtpErlangDecodeException("compressed term is damaged: " + e.getMessage());
        } finally {
            inflater.end();
        }
    }

    byte[] bytes() {
        return bytes;
    }

    /** Returns the number of compressed bytes. */
    int consumed() {
        return consumed;
    }
}

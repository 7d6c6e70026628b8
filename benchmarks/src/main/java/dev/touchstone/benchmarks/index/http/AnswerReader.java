package dev.touchstone.benchmarks.index.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Finds the end of each HTTP/1.1 answer in what a server sends, and its status. For one connection, not thread-safe. */
final class AnswerReader {
    private static final int LONGEST_LINE = 8 << 10;
    private static final String LENGTH = "content-length:";
    private static final String ENCODING = "transfer-encoding:";
    private static final String CONNECTION = "connection:";
    private static final int HEX = 16;

    private enum Part {
        STATUS,
        HEADERS,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS
    }

    private final byte[] line = new byte[LONGEST_LINE];
    private int lineSize;
    private Part part = Part.STATUS;
    private long left; // bytes of the body, or of the chunk
    private long bodyBytes;
    private int status;
    private boolean isChunked;
    private boolean isLast;

    int status() {
        return status;
    }

    /** Bytes of the last answer's body. */
    long bodyBytes() {
        return bodyBytes;
    }

    /** Returns whether the server closes the connection after this answer. */
    boolean isLast() {
        return isLast;
    }

    /** Takes what there is up to the end of an answer; whether there was an end. */
    boolean read(ByteBuffer in) throws IOException {
        while (in.hasRemaining()) {
            if (part == Part.BODY || part == Part.CHUNK) {
                int count = (int) Math.min(left, in.remaining());
                in.position(in.position() + count);
                left -= count;
                bodyBytes += count;
                if (left == 0 && bodyEnds()) {
                    return true;
                }
            } else if (takeLine(in) && lineEnds()) {
                return true;
            }
        }
        return false;
    }

    private boolean bodyEnds() {
        if (part == Part.CHUNK) {
            part = Part.CHUNK_END;
            return false;
        }
        part = Part.STATUS;
        return true;
    }

    private boolean takeLine(ByteBuffer in) throws IOException {
        while (in.hasRemaining()) {
            byte one = in.get();
            if (one == '\n') {
                return true;
            }
            if (one != '\r') {
                if (lineSize == line.length) {
                    throw new IOException("a line of more than " + LONGEST_LINE + " bytes in an answer's head");
                }
                line[lineSize++] = one;
            }
        }
        return false;
    }

    /** Takes a complete line; returns whether it was the last one of an answer. */
    private boolean lineEnds() throws IOException {
        int size = lineSize;
        lineSize = 0;
        switch (part) {
            case STATUS -> begin(size);
            case HEADERS -> {
                return size == 0 ? headEnds() : header(size);
            }
            case CHUNK_SIZE -> {
                left = number(text(size).split(";", 2)[0], HEX);
                part = left == 0 ? Part.TRAILERS : Part.CHUNK;
            }
            case CHUNK_END -> part = Part.CHUNK_SIZE;
            case TRAILERS -> {
                if (size == 0) {
                    part = Part.STATUS;
                    return true;
                }
            }
            case BODY, CHUNK -> throw new IllegalStateException(part.toString());
        }
        return false;
    }

    private void begin(int size) throws IOException {
        if (size < "HTTP/1.1 200".length() || line[0] != 'H') {
            throw new IOException("no HTTP answer: " + text(size));
        }
        status = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
        isChunked = false;
        isLast = false;
        left = 0;
        bodyBytes = 0;
        part = Part.HEADERS;
    }

    private boolean header(int size) throws IOException {
        switch (line[0] | ' ') { // most lines need no look at their text
            case 'c' -> {
                if (isName(LENGTH, size)) {
                    left = number(value(LENGTH, size), 10);
                } else if (isName(CONNECTION, size)) {
                    isLast = value(CONNECTION, size).equals("close");
                }
            }
            case 't' -> {
                if (isName(ENCODING, size)) {
                    isChunked = value(ENCODING, size).equals("chunked");
                }
            }
            default -> {}
        }
        return false;
    }

    private boolean headEnds() {
        if (isChunked) {
            part = Part.CHUNK_SIZE;
            return false;
        }
        part = left > 0 ? Part.BODY : Part.STATUS;
        return left == 0;
    }

    private boolean isName(String name, int size) {
        if (size < name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.toLowerCase((char) line[i]) != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private String value(String name, int size) {
        return text(size).substring(name.length()).strip().toLowerCase(Locale.ROOT);
    }

    private String text(int size) {
        return new String(line, 0, size, StandardCharsets.ISO_8859_1);
    }

    private static long number(String text, int radix) throws IOException {
        try {
            long number = Long.parseLong(text.strip(), radix);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new IOException("no length in an answer's head: " + text);
    }
}

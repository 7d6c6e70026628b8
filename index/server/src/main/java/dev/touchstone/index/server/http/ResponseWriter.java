package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.ContentType;
import dev.touchstone.index.server.api.Response;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** A writer of answers as HTTP/1.1. For one thread. */
final class ResponseWriter {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final byte[] LENGTH = ascii("content-length: ");
    private static final byte[] CHUNKED = ascii("transfer-encoding: chunked");
    private static final byte[] VERSION = ascii("x-index-version: ");
    private static final byte[] TAG = ascii("\r\netag: \"");
    private static final byte[] WEAK_TAG = ascii("\r\netag: W/\"");
    private static final byte[] TAG_END = ascii("\"\r\n");
    private static final byte[] PACKED = ascii("content-encoding: gzip\r\n");
    private static final byte[] VARY = ascii("vary: accept-encoding\r\n");
    private static final byte[] CLOSE = ascii("connection: close\r\n");
    private static final byte[] KEEP = ascii("connection: keep-alive\r\n");
    private static final byte[] END = ascii("\r\n");
    private static final byte[] LAST_CHUNK = ascii("0\r\n\r\n");
    private static final int HEAD_BYTES = 320;
    private static final int CHUNK_BYTES = 16; // the size of a chunk in digits, and line ends
    private static final int STATUSES = 600;

    private final Map<ContentType, byte[][]> begins = new EnumMap<>(ContentType.class); // by status
    private final byte[] digits = new byte[20];
    private byte[] date = {};
    private long dateSecond = -1;

    /**
     * The form of a response on its connection.
     *
     * @param isKept whether the connection stays open
     * @param isOld whether the request was HTTP/1.0
     * @param isHead whether only the head was asked for
     * @param isChunked whether the body is sent in chunks
     * @param mayPack whether the client takes a body that is compressed by gzip
     * @param headers further headers, as lines with their line ends; usually empty
     */
    record Form(boolean isKept, boolean isOld, boolean isHead, boolean isChunked, boolean mayPack, String headers) {
        /** The form of a complete response on a connection that stays open. */
        static final Form PLAIN = new Form(true, false, false, false, false, "");
        /** The form of a complete response that is the last one of its connection. */
        static final Form LAST = new Form(false, false, false, false, false, "");

        /** Returns this form, changed to close the connection if {@code isLast} is true. */
        Form lastIf(boolean isLast) {
            return isKept && isLast ? new Form(false, isOld, isHead, isChunked, mayPack, headers) : this;
        }

        /** Returns this form without chunks. */
        Form whole() {
            return isChunked ? new Form(isKept, isOld, isHead, false, mayPack, headers) : this;
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the bytes of a complete response. */
    ByteBuf write(ByteBufAllocator memory, Response answer, Form form) {
        int size = form.isHead ? 0 : answer.size();
        ByteBuf out = memory.directBuffer(
                HEAD_BYTES + answer.headers().length() + form.headers.length() + size + 2 * CHUNK_BYTES);
        head(answer, form, out);
        if (form.isHead) {
            return out;
        }
        if (form.isChunked) {
            chunk(answer, 0, size, true, out);
        } else {
            out.writeBytes(answer.bytes(), 0, size);
        }
        return out;
    }

    /** Returns the bytes of the head of a response. */
    ByteBuf head(ByteBufAllocator memory, Response answer, Form form) {
        ByteBuf out = memory.directBuffer(HEAD_BYTES + answer.headers().length() + form.headers.length());
        head(answer, form, out);
        return out;
    }

    /** Returns some bytes of a part of a body as a chunk. */
    ByteBuf chunk(ByteBufAllocator memory, Response part, int from, int to, boolean isLast) {
        ByteBuf out = memory.directBuffer(to - from + 2 * CHUNK_BYTES);
        chunk(part, from, to, isLast, out);
        return out;
    }

    private static void chunk(Response part, int from, int to, boolean isLast, ByteBuf out) {
        if (to > from) { // an empty chunk would be the last one
            out.writeCharSequence(Integer.toHexString(to - from), StandardCharsets.US_ASCII);
            out.writeBytes(END).writeBytes(part.bytes(), from, to - from).writeBytes(END);
        }
        if (isLast) {
            out.writeBytes(LAST_CHUNK);
        }
    }

    private void head(Response answer, Form form, ByteBuf out) {
        String headers = answer.headers();
        out.writeBytes(begin(answer.status(), answer.type()));
        if (form.isChunked) {
            out.writeBytes(CHUNKED);
        } else {
            out.writeBytes(LENGTH);
            number(answer.size(), out);
        }
        out.writeBytes(date());
        if (answer.version() > 0) {
            out.writeBytes(VERSION);
            number(answer.version(), out);
            out.writeBytes(answer.isPacked() ? WEAK_TAG : TAG);
            number(answer.version(), out);
            out.writeBytes(TAG_END);
        }
        if (answer.isPacked()) {
            out.writeBytes(PACKED);
        }
        if (answer.isPacked() || answer.size() >= Gzip.MIN_BYTES) {
            out.writeBytes(VARY);
        }
        if (!headers.isEmpty()) {
            out.writeCharSequence(headers, StandardCharsets.US_ASCII);
        }
        if (!form.headers.isEmpty()) {
            out.writeCharSequence(form.headers, StandardCharsets.US_ASCII);
        }
        if (!form.isKept) {
            out.writeBytes(CLOSE);
        } else if (form.isOld) {
            out.writeBytes(KEEP);
        }
        out.writeBytes(END);
    }

    private byte[] begin(int status, ContentType type) {
        byte[][] ofType = begins.computeIfAbsent(type, any -> new byte[STATUSES][]);
        byte[] found = ofType[status];
        if (found == null) {
            found = ascii(
                    "HTTP/1.1 " + HttpResponseStatus.valueOf(status) + "\r\ncontent-type: " + type.header() + "\r\n");
            ofType[status] = found;
        }
        return found;
    }

    private byte[] date() {
        long second = System.currentTimeMillis() / 1000;
        if (second != dateSecond) {
            dateSecond = second;
            date = ascii("\r\ndate: " + DATE.format(Instant.ofEpochSecond(second)) + " GMT\r\n");
        }
        return date;
    }

    private void number(long value, ByteBuf out) {
        int at = digits.length;
        long left = value;
        do {
            digits[--at] = (byte) ('0' + left % 10);
            left /= 10;
        } while (left > 0);
        out.writeBytes(digits, at, digits.length - at);
    }
}

package dev.touchstone.builds.origin;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one value of MessagePack. Strings and byte strings are both text in UTF-8, since older programs write the one as the other. Numbers with a fraction, and
 * types of extensions, do not occur in the protocol and are refused. For one thread.
 */
final class PackReader {
    private static final int MAX_DEPTH = 8;

    private final ByteBuffer in;

    private PackReader(ByteBuffer in) {
        this.in = in;
    }

    /**
     * Reads a map whose keys are texts.
     *
     * @param bytes all of the value, whose position is not changed; not null
     * @return the map, with values of type {@code Map}, {@code List}, {@code String}, {@code Long}, {@code Boolean} or null
     * @throws MalformedMessageException if it is none, or bytes follow
     */
    static Map<?, ?> map(ByteBuffer bytes) throws MalformedMessageException {
        PackReader reader = new PackReader(bytes.asReadOnlyBuffer());
        Object value = reader.value(0);
        if (!(value instanceof Map<?, ?> map)) {
            throw new MalformedMessageException("value is not a map");
        }
        if (reader.in.hasRemaining()) {
            throw new MalformedMessageException("bytes behind the value: bytes=" + reader.in.remaining());
        }
        return map;
    }

    private @Nullable Object value(int depth) throws MalformedMessageException {
        if (depth > MAX_DEPTH) {
            throw new MalformedMessageException("value is too deep: most=" + MAX_DEPTH);
        }
        int type = Byte.toUnsignedInt(need(1).get());
        if (type < 0x80 || type >= 0xe0) {
            return (long) (byte) type;
        } else if (type < 0x90) {
            return entries(type & 0x0f, depth);
        } else if (type < 0xa0) {
            return elements(type & 0x0f, depth);
        } else if (type < 0xc0) {
            return text(type & 0x1f);
        }
        return switch (type) {
            case 0xc0 -> null;
            case 0xc2 -> false;
            case 0xc3 -> true;
            case 0xc4, 0xd9 -> text(Byte.toUnsignedLong(need(1).get()));
            case 0xc5, 0xda -> text(Short.toUnsignedLong(need(2).getShort()));
            case 0xc6, 0xdb -> text(Integer.toUnsignedLong(need(4).getInt()));
            case 0xcc -> Byte.toUnsignedLong(need(1).get());
            case 0xcd -> Short.toUnsignedLong(need(2).getShort());
            case 0xce -> Integer.toUnsignedLong(need(4).getInt());
            case 0xd0 -> (long) need(1).get();
            case 0xd1 -> (long) need(2).getShort();
            case 0xd2 -> (long) need(4).getInt();
            case 0xcf, 0xd3 -> need(8).getLong();
            case 0xdc -> elements(Short.toUnsignedLong(need(2).getShort()), depth);
            case 0xdd -> elements(Integer.toUnsignedLong(need(4).getInt()), depth);
            case 0xde -> entries(Short.toUnsignedLong(need(2).getShort()), depth);
            case 0xdf -> entries(Integer.toUnsignedLong(need(4).getInt()), depth);
            default -> throw new MalformedMessageException("no type of a value here: type=" + type);
        };
    }

    private List<@Nullable Object> elements(long count, int depth) throws MalformedMessageException {
        ByteBuffer unused = need(count); // each has a byte or more
        List<@Nullable Object> elements = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            elements.add(value(depth + 1));
        }
        return elements;
    }

    private Map<String, @Nullable Object> entries(long count, int depth) throws MalformedMessageException {
        ByteBuffer unused = need(2 * count);
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        for (long i = 0; i < count; i++) {
            if (!(value(depth + 1) instanceof String key)) {
                throw new MalformedMessageException("key of a map is not a text");
            }
            entries.put(key, value(depth + 1));
        }
        return entries;
    }

    private String text(long bytes) throws MalformedMessageException {
        int length = (int) Math.min(Integer.MAX_VALUE, bytes);
        ByteBuffer text = need(bytes).slice(in.position(), length);
        in.position(in.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedMessageException("text is not UTF-8: bytes=" + bytes);
        }
    }

    /** Returns the input, if it has so many bytes. */
    private ByteBuffer need(long bytes) throws MalformedMessageException {
        if (bytes > in.remaining()) {
            throw new MalformedMessageException(
                    "value is longer than its frame: bytes=" + bytes + " left=" + in.remaining());
        }
        return in;
    }
}

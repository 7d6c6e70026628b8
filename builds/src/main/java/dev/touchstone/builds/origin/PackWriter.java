package dev.touchstone.builds.origin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes values of MessagePack, in the forms that older readers know: no texts with a length of one byte, and no byte strings. For one thread. */
final class PackWriter {
    private ByteBuffer out = ByteBuffer.allocate(256);

    /** Begins a map of so many keys and values, 0 to 15. */
    PackWriter map(int entries) {
        return one(0x80 | entries);
    }

    /** Begins an array of so many elements, 0 to 65,535. */
    PackWriter array(int elements) {
        if (elements < 16) {
            return one(0x90 | elements);
        }
        room(3).put((byte) 0xdc).putShort((short) elements);
        return this;
    }

    /** Writes a text in UTF-8. */
    PackWriter text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < 32) {
            one(0xa0 | bytes.length);
        } else if (bytes.length < 1 << 16) {
            room(3).put((byte) 0xda).putShort((short) bytes.length);
        } else {
            room(5).put((byte) 0xdb).putInt(bytes.length);
        }
        room(bytes.length).put(bytes);
        return this;
    }

    /** Writes a number. */
    PackWriter number(long number) {
        if (number >= 0 && number < 0x80) {
            return one((int) number);
        }
        room(9).put((byte) 0xd3).putLong(number);
        return this;
    }

    /** Writes true or false. */
    PackWriter bool(boolean value) {
        return one(value ? 0xc3 : 0xc2);
    }

    private PackWriter one(int type) {
        room(1).put((byte) type);
        return this;
    }

    private ByteBuffer room(int bytes) {
        if (out.remaining() < bytes) {
            out = ByteBuffer.allocate(2 * out.capacity() + bytes).put(out.flip());
        }
        return out;
    }

    /** Returns what was written; the writer is not used any more. */
    ByteBuffer done() {
        return out.flip();
    }
}

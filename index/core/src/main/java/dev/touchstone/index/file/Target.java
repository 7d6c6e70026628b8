package dev.touchstone.index.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/** A place for the bytes of an index. Not thread-safe. */
interface Target {
    /** Writes the remaining bytes at an offset. */
    void write(ByteBuffer bytes, long offset) throws IOException;

    /** A file. */
    record OfChannel(FileChannel channel) implements Target {
        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            long at = offset;
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
        }
    }

    /** An array that grows. */
    final class OfBytes implements Target {
        private static final int MAX_BYTES = Integer.MAX_VALUE - 16;

        private byte[] array = new byte[1024];
        private int length;

        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            long end = offset + bytes.remaining();
            if (end > MAX_BYTES) {
                throw new IOException("index is longer than an array: bytes=" + end + " expected=at most " + MAX_BYTES
                        + "; write it to a file");
            }
            if (end > array.length) {
                array = Arrays.copyOf(array, (int) Math.max(end, Math.min(2L * array.length, MAX_BYTES)));
            }
            bytes.get(array, (int) offset, bytes.remaining());
            length = Math.max(length, (int) end);
        }

        byte[] toByteArray() {
            return Arrays.copyOf(array, length);
        }
    }
}

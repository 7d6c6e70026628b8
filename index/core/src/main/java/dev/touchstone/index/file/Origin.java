package dev.touchstone.index.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/** A place that holds the bytes of an index. Not thread-safe. */
interface Origin {
    /** Returns the number of bytes. */
    long size() throws IOException;

    /** Returns whether prices without their conditions stay where they are, so that {@link #map} is asked for them. */
    boolean isMapped();

    /** Returns a copy of some bytes, little-endian. */
    ByteBuffer read(long offset, int length) throws IOException;

    /** Returns some bytes where they are. */
    ByteBuffer map(long offset, int length) throws IOException;

    /** A file. */
    final class OfChannel implements Origin {
        /** Maximum length of one mapping, in bytes. Each section is within one mapping; a longer section has a mapping of its own. */
        private static final long MAPPED_BYTES = 1L << 30;

        private final FileChannel channel;
        private final boolean isMapped;
        private ByteBuffer mapped = ByteBuffer.allocate(0);
        private long mappedFrom;

        OfChannel(FileChannel channel, boolean isMapped) {
            this.channel = channel;
            this.isMapped = isMapped;
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public boolean isMapped() {
            return isMapped;
        }

        @Override
        public ByteBuffer read(long offset, int length) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, offset + bytes.position()) < 0) {
                    throw new EOFException("file became shorter: offset=" + (offset + bytes.position()));
                }
            }
            return bytes.flip();
        }

        @Override
        public ByteBuffer map(long offset, int length) throws IOException {
            if (offset + length > mappedFrom + mapped.capacity()) {
                mappedFrom = offset;
                long most = Math.max(MAPPED_BYTES, length);
                mapped = channel.map(
                        FileChannel.MapMode.READ_ONLY, mappedFrom, Math.min(most, channel.size() - mappedFrom));
            }
            return mapped.slice((int) (offset - mappedFrom), length);
        }
    }

    /** An array. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record OfBytes(byte[] array) implements Origin {
        @Override
        public long size() {
            return array.length;
        }

        @Override
        public boolean isMapped() {
            return false;
        }

        @Override
        public ByteBuffer read(long offset, int length) {
            ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
            return bytes.put(array, Math.toIntExact(offset), length).flip();
        }

        @Override
        public ByteBuffer map(long offset, int length) {
            return read(offset, length);
        }
    }
}

package dev.touchstone.queue.log;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4's block format by the Java code of lz4-java, an optional dependency without which this class cannot be loaded. Immutable. */
public final class Lz4Codec implements BlockCodec {
    /** The number by which files name this codec. */
    static final int ID = 2;

    private final LZ4Compressor compressor = LZ4Factory.fastestJavaInstance().fastCompressor();
    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestJavaInstance().safeDecompressor();

    @Override
    public int id() {
        return ID;
    }

    @Override
    public byte[] compress(byte[] block) {
        return compressor.compress(block);
    }

    @Override
    public byte[] decompress(byte[] compressed, int bytes) {
        byte[] block = new byte[bytes];
        int count = decompressor.decompress(compressed, block);
        if (count != bytes) {
            throw new IllegalArgumentException("LZ4 bytes: expected=" + bytes + " got=" + count);
        }
        return block;
    }
}

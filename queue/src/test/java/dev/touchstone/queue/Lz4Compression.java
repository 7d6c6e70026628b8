package dev.touchstone.queue;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4's block format, as an example of a {@link Compression} over another library. */
final class Lz4Compression implements Compression {
    private final LZ4Compressor compressor = LZ4Factory.fastestJavaInstance().fastCompressor();
    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestJavaInstance().safeDecompressor();

    @Override
    public int id() {
        return 2;
    }

    @Override
    public byte[] compress(byte[] block) {
        return compressor.compress(block);
    }

    @Override
    public byte[] decompress(byte[] compressed, int bytes) {
        return decompressor.decompress(compressed, bytes);
    }
}

package dev.touchstone.benchmarks.queue;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Records that differ from one another in every byte, the same ones in every run. */
final class Records {

    /** Size of the origin document's records. */
    static final int RECORD_BYTES = 512;

    private static final long SEED = 0x70_6f_70_6f_75_74L;
    private static final int COUNT = 1 << 10;
    private static final byte[][] RECORDS = make();

    private Records() {}

    /** Returns record {@code index}; they repeat after some, and nobody may change them. */
    static byte[] at(long index) {
        return RECORDS[(int) index & COUNT - 1];
    }

    /** A number that depends on the record's first and last bytes and its length: cheap, and reads what was delivered. */
    static long checksum(byte[] record) {
        ByteBuffer bytes = ByteBuffer.wrap(record);
        return bytes.getLong(0) * 31 + bytes.getLong(record.length - Long.BYTES) + record.length;
    }

    private static byte[][] make() {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[][] records = new byte[COUNT][RECORD_BYTES];
        for (byte[] record : records) {
            random.nextBytes(record);
        }
        return records;
    }
}

package dev.touchstone.benchmarks.queue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Records that differ from one another in every byte, the same ones in every run. */
final class Records {

    /** Size of the origin document's records. */
    static final int RECORD_BYTES = 512;

    /** Records that are written with one commit where many are: 64 KiB. */
    static final int BULK_RECORDS = 128;

    private static final long SEED = 0x70_6f_70_6f_75_74L;
    private static final int COUNT = 1 << 10;
    private static final byte[][] RECORDS = make();
    private static final List<List<byte[]>> BULKS = bulks();

    private Records() {}

    /** Returns record {@code index}; they repeat after some, and nobody may change them. */
    static byte[] at(long index) {
        return RECORDS[(int) index & COUNT - 1];
    }

    /** Returns {@link #BULK_RECORDS} records from {@code index} on, a multiple of that. */
    static List<byte[]> bulkAt(long index) {
        return BULKS.get((int) (index / BULK_RECORDS % BULKS.size()));
    }

    /** A number that depends on the record's first and last bytes and its length: cheap, and reads what was delivered. */
    static long checksum(byte[] record) {
        ByteBuffer bytes = ByteBuffer.wrap(record);
        return bytes.getLong(0) * 31 + bytes.getLong(record.length - Long.BYTES) + record.length;
    }

    private static List<List<byte[]>> bulks() {
        List<List<byte[]>> bulks = new ArrayList<>();
        for (int first = 0; first < COUNT; first += BULK_RECORDS) {
            bulks.add(List.of(Arrays.copyOfRange(RECORDS, first, first + BULK_RECORDS)));
        }
        return List.copyOf(bulks);
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

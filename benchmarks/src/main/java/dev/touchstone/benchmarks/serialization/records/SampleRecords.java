package dev.touchstone.benchmarks.serialization.records;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;

/** The values of the seed's objects. */
final class SampleRecords {

    static final int SEED = 42;

    private static final String LOREM = "Lorem ipsum dolor sit amet.";
    private static final byte[] LOREM_BYTES = LOREM.getBytes(StandardCharsets.US_ASCII);

    static final SmallRecord WRITTEN_SMALL = new SmallRecord(42, -420.42, 1234567890, LOREM);

    private SampleRecords() {}

    static LargeRecord writtenLarge() {
        return new LargeRecord(
                true,
                new boolean[] {true, false, true},
                (byte) -99,
                LOREM_BYTES.clone(),
                Short.MIN_VALUE,
                new short[] {0, 1, 2, 3, -5, Short.MAX_VALUE},
                42,
                new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE},
                1234567890,
                new long[] {0, -1, 1},
                13.5f,
                new float[0],
                -420.42,
                new double[] {0, -0.1, Double.MAX_VALUE, Double.MIN_VALUE},
                LOREM,
                new String[] {"Lorem", "ipsum", "dolor", "sit", "amet", "\uD83D\uDE07"},
                WRITTEN_SMALL,
                new SmallRecord[] {WRITTEN_SMALL});
    }

    static SmallRecord small(Random random, Alphabet alphabet) {
        return new SmallRecord(random.nextInt(), random.nextDouble(), random.nextLong(), alphabet.string(random));
    }

    static LargeRecord large(Random random, Alphabet alphabet) {
        byte[] bytes = new byte[20];
        random.nextBytes(bytes);
        return new LargeRecord(
                random.nextBoolean(),
                new boolean[] {random.nextBoolean(), random.nextBoolean(), random.nextBoolean()},
                (byte) random.nextInt(),
                bytes,
                (short) random.nextInt(),
                shorts(random),
                random.nextInt(),
                random.ints(2).toArray(),
                random.nextLong(),
                random.longs(3).toArray(),
                random.nextFloat(),
                floats(random),
                random.nextDouble(),
                random.doubles(4).toArray(),
                alphabet.string(random),
                Stream.generate(() -> alphabet.string(random)).limit(4).toArray(String[]::new),
                small(random, alphabet),
                new SmallRecord[] {small(random, alphabet), small(random, alphabet)});
    }

    private static short[] shorts(Random random) {
        short[] values = new short[6];
        for (int i = 0; i < values.length; i++) {
            values[i] = (short) random.nextInt();
        }
        return values;
    }

    private static float[] floats(Random random) {
        float[] values = new float[5];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat();
        }
        return values;
    }
}

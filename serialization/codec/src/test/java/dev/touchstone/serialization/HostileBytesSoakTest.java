package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.layout.BigEndian;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A million changed bytes and a million changed numbers: how each ends, and what it costs. */
@Tag("slow")
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileBytesSoakTest {
    private static final int CHANGES = 1_000_000;
    private static final int CHANGES_EACH = 500;
    private static final int MAX_BYTES = 600;
    private static final int MAX_ALLOCATED = 64 << 10;
    private static final int WARM_UP = 20_000;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Samples samples = new Samples(random);
    private final TreeMap<String, Integer> ends = new TreeMap<>();
    private long mostAllocated;

    /** Decodes changed records; the first ones load classes and are not counted. */
    private void run(int count, boolean isByte, boolean isWarm) {
        for (int i = 0; i < count; i += CHANGES_EACH) {
            SampleCodec codec = samples.codec(20, 3);
            CompactSerialization serialization = RoundTripTest.serialization(codec);
            byte[] bytes = serialization.encode(samples.sample(codec, 8), codec);
            if (bytes.length > MAX_BYTES || bytes.length <= 20) {
                i -= CHANGES_EACH;
                continue;
            }
            end(serialization, codec, bytes);
            for (int j = 0; j < CHANGES_EACH; j++) {
                byte[] changed = isByte ? changedByte(bytes) : changedInt(bytes);
                boolean isViewed = (j & 1) == 0;
                String[] end = new String[1];
                long allocated = Allocated.by(
                        () -> end[0] = isViewed ? viewEnd(serialization, changed) : end(serialization, codec, changed));
                if (isWarm) {
                    ends.merge(end[0], 1, Integer::sum);
                    mostAllocated = Math.max(mostAllocated, allocated);
                }
                boolean isAllowed = end[0].equals("read")
                        || end[0].startsWith("Compact")
                        || end[0].equals("UnknownSchemaException");
                if (!isAllowed || (isWarm && allocated > MAX_ALLOCATED)) {
                    throw new AssertionError("seed=" + seed + " end=" + end[0] + " allocated=" + allocated + " bytes="
                            + HexFormat.of().formatHex(changed));
                }
            }
        }
    }

    private static String end(CompactSerialization serialization, SampleCodec codec, byte[] bytes) {
        try {
            assertThat(serialization.decode(bytes, codec).schema).isNotNull();
            return "read";
        } catch (RuntimeException | Error e) {
            return e.getClass().getSimpleName();
        }
    }

    private static String viewEnd(CompactSerialization serialization, byte[] bytes) {
        try {
            assertThat(Sample.of(serialization.view(bytes)).schema).isNotNull();
            return "read";
        } catch (RuntimeException | Error e) {
            return e.getClass().getSimpleName();
        }
    }

    private byte[] changedByte(byte[] bytes) {
        byte[] changed = bytes.clone();
        int at = random.nextInt(bytes.length);
        changed[at] ^= (byte) random.nextInt(1, 256);
        return changed;
    }

    private byte[] changedInt(byte[] bytes) {
        byte[] changed = bytes.clone();
        int at = random.nextInt(bytes.length - 3);
        int value = switch (random.nextInt(4)) {
            case 0 -> random.nextInt();
            case 1 -> BigEndian.int32(bytes, at) + random.nextInt(-3, 4);
            case 2 -> Integer.MAX_VALUE - random.nextInt(16);
            default -> random.nextInt(bytes.length + 1);
        };
        BigEndian.putInt32(changed, at, value);
        return changed;
    }

    @Test
    void decode_ofAMillionChangedBytes_endsInRecordOrTypedException() {
        soak(true);
    }

    @Test
    void decode_ofAMillionChangedInts_endsInRecordOrTypedException() {
        soak(false);
    }

    private void soak(boolean isByte) {
        run(WARM_UP, isByte, false);
        run(CHANGES, isByte, true);
        assertThat(ends.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(CHANGES);
        System.out.println("changed " + (isByte ? "bytes" : "ints") + ": seed=" + seed + " mostAllocatedBytes="
                + mostAllocated + " ends=" + ends);
    }
}

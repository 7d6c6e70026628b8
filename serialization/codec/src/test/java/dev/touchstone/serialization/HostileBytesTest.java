package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.exception.UnknownSchemaException;
import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.schema.FieldKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that are no records: cut off, changed, or written to do harm. */
@Tag("sweep")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileBytesTest {
    private static final int MAX_BYTES = 600;
    private static final int MUTATIONS_EACH = 500;
    private static final int MAX_ALLOCATED = 64 << 10;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Samples samples = new Samples(random);

    /** A record, and those who read it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Victim(SampleCodec codec, CompactSerialization serialization, byte[] bytes) {
        /** Reads all by codec, or by view. Other throwables than ours fail the test. */
        boolean isRead(byte[] changed, boolean isViewed, String what) {
            try {
                assertThat(isViewed ? Sample.of(serialization.view(changed)) : serialization.decode(changed, codec))
                        .as(what)
                        .isNotNull();
                return true;
            } catch (CompactFormatException e) {
                assertThat(e.offset()).as(what).isBetween(0, changed.length);
                assertThat(e).as(what).hasMessageContaining("offset=" + e.offset());
                return false;
            } catch (UnknownSchemaException | CompactSchemaException | CompactLimitException e) {
                return false;
            } catch (RuntimeException | Error e) {
                throw new AssertionError(what + " bytes=" + HexFormat.of().formatHex(changed), e);
            }
        }
    }

    private Victim victim() {
        for (; ; ) {
            SampleCodec codec = samples.codec(20, 3);
            CompactSerialization serialization = RoundTripTest.serialization(codec);
            byte[] bytes = serialization.encode(samples.sample(codec, 8), codec);
            if (bytes.length <= MAX_BYTES && bytes.length > 16) {
                return new Victim(codec, serialization, bytes);
            }
        }
    }

    @Test
    void decode_ofTruncatedRecords_isRefusedAtEveryLength() {
        int cuts = 0;
        for (int i = 0; cuts < 100_000; i++) {
            Victim victim = victim();
            for (int length = 0; length < victim.bytes.length; length++, cuts++) {
                String what = "seed=" + seed + " sample=" + i + " length=" + length;
                byte[] cut = Arrays.copyOf(victim.bytes, length);
                assertThat(victim.isRead(cut, false, what)).as(what).isFalse();
                assertThat(victim.isRead(cut, true, what)).as(what).isFalse();
            }
        }
    }

    @Test
    void decode_ofTruncatedRecords_namesTypeAndOffset() {
        CompactSerialization serialization =
                CompactSerialization.builder().codec(Small.Codec.INSTANCE).build();
        byte[] bytes = serialization.encode(Small.WRITTEN);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            Throwable thrown = catchThrowable(() -> serialization.decode(cut));
            assertThat(thrown).as("length=" + length).isInstanceOf(CompactFormatException.class);
            assertThat(((CompactFormatException) thrown).typeName()).isEqualTo(length < 16 ? "" : "small");
        }
        bytes[20 + 20 + 3]++;
        assertThatThrownBy(() -> serialization.decode(bytes))
                .isInstanceOfSatisfying(CompactFormatException.class, e -> {
                    assertThat(e.typeName()).isEqualTo("small");
                    assertThat(e.fieldName()).isEqualTo("stringField");
                    assertThat(e.offset()).isEqualTo(40);
                });
    }

    @Test
    void decode_ofRecordWithBytesBehindIt_isRefused() {
        for (int i = 0; i < 1000; i++) {
            Victim victim = victim();
            byte[] longer = Arrays.copyOf(victim.bytes, victim.bytes.length + 1 + random.nextInt(3));
            String what = "seed=" + seed + " sample=" + i;
            assertThat(victim.isRead(longer, false, what)).as(what).isFalse();
            assertThat(victim.isRead(longer, true, what)).as(what).isFalse();
        }
    }

    @Test
    void decode_of100000MutatedBytesAndInts_endsInRecordOrTypedException() {
        mutate(100_000);
    }

    @Test
    @Tag("slow")
    void decode_of1000000MutatedBytesAndInts_endsInRecordOrTypedException() {
        mutate(1_000_000);
    }

    private void mutate(int count) {
        int read = 0;
        for (int i = 0; i < count; i += MUTATIONS_EACH) {
            Victim victim = victim();
            for (int j = 0; j < MUTATIONS_EACH; j++) {
                String what = "seed=" + seed + " mutation=" + (i + j);
                read += tryBoth(victim, mutatedByte(victim.bytes), what);
                read += tryBoth(victim, mutatedInt(victim.bytes), what);
            }
        }
        assertThat(read).isBetween(1, 2 * count);
    }

    private int tryBoth(Victim victim, byte[] changed, String what) {
        boolean isRead = victim.isRead(changed, false, what);
        victim.isRead(changed, true, what);
        return isRead ? 1 : 0;
    }

    private byte[] mutatedByte(byte[] bytes) {
        byte[] changed = bytes.clone();
        changed[random.nextInt(bytes.length)] = (byte) random.nextInt();
        return changed;
    }

    private byte[] mutatedInt(byte[] bytes) {
        byte[] changed = bytes.clone();
        int at = random.nextInt(bytes.length - 3);
        int near = BigEndian.int32(bytes, at) + random.nextInt(-3, 4);
        int value = switch (random.nextInt(4)) {
            case 0 -> random.nextInt();
            case 1 -> near;
            case 2 -> Integer.MAX_VALUE - random.nextInt(16);
            default -> random.nextInt(bytes.length + 1);
        };
        BigEndian.putInt32(changed, at, value);
        return changed;
    }

    @Test
    void decode_ofMutatedRecord_allocatesLittle() {
        for (int i = 0; i < 20; i++) {
            Victim victim = victim();
            List<byte[]> all = new ArrayList<>();
            for (int j = 0; j < 500; j++) {
                all.add(mutatedInt(victim.bytes));
            }
            for (int round = 0; round < 2; round++) {
                boolean isWarm = round > 0;
                for (byte[] bytes : all) {
                    long allocated = Allocated.by(() -> victim.isRead(bytes, false, "seed=" + seed));
                    assertThat(isWarm ? allocated : 0)
                            .as("seed=%d bytes=%s", seed, HexFormat.of().formatHex(bytes))
                            .isLessThan(MAX_ALLOCATED);
                }
            }
        }
    }

    /** An array of strings, each of whose offsets is that of the same long string: more than the bytes hold if it were read. */
    @Test
    void decode_ofItemsThatShareBytes_isRefused() {
        SampleCodec codec = samples.codec(List.of(FieldKind.ARRAY_OF_STRING), 0);
        CompactSerialization serialization = RoundTripTest.serialization(codec);
        @Nullable String[] items = {"a", "b", "c"};
        byte[] bytes = serialization.encode(new Sample(codec.schema(), new @Nullable Object[] {items}), codec);
        int offsets = bytes.length - 1 - 3;
        assertThat(Arrays.copyOfRange(bytes, offsets, offsets + 3)).containsExactly(0, 5, 10);
        bytes[offsets + 1] = 0;
        assertRefused(serialization, codec, bytes, "item is not behind");
        bytes[offsets + 1] = 10;
        bytes[offsets + 2] = 5;
        assertRefused(serialization, codec, bytes, "item is not behind");
        bytes[offsets + 1] = 5;
        bytes[offsets + 2] = -1;
        assertRefused(serialization, codec, bytes, "ends early");
    }

    /** Records that hold one record twice, and so on inside: two to the power of their depth if all were read. */
    @Test
    void decode_ofFieldsThatShareBytes_isRefused() {
        SampleCodec codec = samples.codec(List.of(FieldKind.STRING, FieldKind.STRING, FieldKind.STRING), 0);
        CompactSerialization serialization = RoundTripTest.serialization(codec);
        Object[] values = {"aa", "bb", "cc"};
        for (byte[] offsets :
                new byte[][] {{0, 0, 6}, {6, 0, 0}, {12, 6, 6}, {0, 12, 12}, {0, 6, 3}, {6, 12, -1}, {-1, -1, -1}}) {
            byte[] bytes = serialization.encode(new Sample(codec.schema(), values), codec);
            System.arraycopy(offsets, 0, bytes, bytes.length - 3, 3);
            assertRefused(serialization, codec, bytes, "");
        }
    }

    @Test
    void decode_ofTwoFieldsThatAreOneValue_isRefused() {
        SampleCodec codec = samples.codec(List.of(FieldKind.STRING, FieldKind.STRING), 0);
        CompactSerialization serialization = RoundTripTest.serialization(codec);
        byte[] bytes = serialization.encode(new Sample(codec.schema(), new @Nullable Object[] {"aa", null}), codec);
        bytes[bytes.length - 1] = bytes[bytes.length - 2]; // no byte of the data is left over
        assertRefused(serialization, codec, bytes, "two fields have one value");
    }

    /** A record of many fields is read with sorted offsets, which tell where each value ends. */
    @Test
    void decode_ofManyFieldsOfWhichTwoAreOneValue_isRefused() {
        int count = 100;
        for (int i = 0; i < 200; i++) {
            SampleCodec codec = samples.codec(Collections.nCopies(count, FieldKind.STRING), 0);
            CompactSerialization serialization = RoundTripTest.serialization(codec);
            @Nullable Object[] values = new @Nullable Object[count];
            Arrays.fill(values, "aa");
            int none = random.nextInt(count);
            values[none] = null;
            byte[] bytes = serialization.encode(new Sample(codec.schema(), values), codec);
            assertThat(serialization.decode(bytes, codec).equals(new Sample(codec.schema(), values)))
                    .isTrue();
            int same = (none + 1 + random.nextInt(count - 1)) % count;
            int table = bytes.length - Short.BYTES * count;
            System.arraycopy(bytes, table + Short.BYTES * same, bytes, table + Short.BYTES * none, Short.BYTES);
            assertRefused(serialization, codec, bytes, "two fields have one value");
        }
    }

    @Test
    void decode_ofOffsetOutsideTheData_isRefused() {
        SampleCodec codec = samples.codec(List.of(FieldKind.STRING, FieldKind.INT64), 0);
        CompactSerialization serialization = RoundTripTest.serialization(codec);
        for (int offset : new int[] {0, 7, 14, 15, 200, 254}) {
            Sample sample = samples.sample(codec, 0);
            for (int i = 0; i < 2; i++) {
                if (codec.schema().field(i).kind() == FieldKind.STRING) {
                    sample.values[i] = "ab";
                }
            }
            byte[] bytes = serialization.encode(sample, codec);
            bytes[bytes.length - 1] = (byte) offset;
            assertRefused(serialization, codec, bytes, "offset");
        }
    }

    private static void assertRefused(
            CompactSerialization serialization, SampleCodec codec, byte[] bytes, String what) {
        assertThatThrownBy(() -> serialization.decode(bytes, codec))
                .isInstanceOf(CompactFormatException.class)
                .hasMessageContaining(what);
        assertThatThrownBy(() -> Sample.of(serialization.view(bytes)))
                .isInstanceOf(CompactFormatException.class)
                .hasMessageContaining(what);
    }
}

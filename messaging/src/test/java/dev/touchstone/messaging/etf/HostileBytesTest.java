package dev.touchstone.messaging.etf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlMap;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Terms;
import dev.touchstone.messaging.term.Tuple;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that are no terms: cut off, changed, or written to do harm. */
@org.junit.jupiter.api.Tag("sweep") // this package has a Tag of its own
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileBytesTest {
    private static final int CORPUS = Integer.getInteger("touchstone.corpus", 300);
    private static final int MAX_BYTES = 600;
    private static final int[] BYTES = {0, 1, 2, 0x7f, 0x80, 0xff};

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final TermReader in = new TermReader(new AtomTable(), DecodeLimits.DEFAULT.withMaxInflatedBytes(1 << 20));

    /** Whether the bytes are a term. Other throwables than ours fail the test. */
    private boolean isTerm(byte[] bytes, int length, String what) {
        boolean skipped = isSkipped(bytes, length, what);
        try {
            Term term = in.reset(bytes, 0, length, random.nextBoolean()).readVersioned();
            assertThat(term.hashCode()).isEqualTo(term.hashCode());
            assertThat(skipped || bytes[1] == Tag.COMPRESSED).as(what).isTrue();
            return true;
        } catch (EtfException e) {
            assertThat(e).as(what).hasMessageContaining("=");
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError(what + " bytes=" + HexFormat.of().formatHex(bytes, 0, length), e);
        }
    }

    private boolean isSkipped(byte[] bytes, int length, String what) {
        try {
            in.reset(bytes, 0, length).readVersion();
            in.skip();
            return true;
        } catch (EtfException e) {
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError(what + " bytes=" + HexFormat.of().formatHex(bytes, 0, length), e);
        }
    }

    private byte[] sample(int number) {
        for (; ; ) {
            Term term = Terms.random(random, 1 + number % 5);
            byte[] bytes = number % 20 == 0 ? TermWriter.encodeCompressed(term, 6) : TermWriter.encode(term);
            if (bytes.length <= MAX_BYTES) {
                return bytes;
            }
        }
    }

    @Test
    void read_ofTruncatedTerms_isRefusedAtEveryLength() {
        for (int i = 0; i < CORPUS; i++) {
            byte[] bytes = sample(i);
            for (int length = 0; length < bytes.length; length++) {
                String what = "seed=" + seed + " sample=" + i + " length=" + length;
                assertThat(isTerm(bytes, length, what)).as(what).isFalse();
                // the same, where the array ends as well
                assertThat(isTerm(Arrays.copyOf(bytes, length), length, what))
                        .as(what)
                        .isFalse();
            }
            assertThat(isTerm(bytes, bytes.length, "seed=" + seed)).isTrue();
        }
    }

    @Test
    @org.junit.jupiter.api.Tag("sweep") // Tag is a type of this package
    void read_ofTermsWithAnotherByte_givesATermOrOurException() {
        int terms = 0;
        for (int i = 0; i < CORPUS; i++) {
            byte[] bytes = sample(i);
            for (int at = 0; at < bytes.length; at++) {
                byte original = bytes[at];
                boolean all = bytes.length < 60 || random.nextInt(20) == 0;
                for (int k = 0; k < (all ? 256 : BYTES.length + 4); k++) {
                    int value = all ? k : k < BYTES.length ? BYTES[k] : random.nextInt(256);
                    bytes[at] = (byte) value;
                    String what = "seed=" + seed + " sample=" + i + " at=" + at + " value=" + value;
                    terms += isTerm(bytes, bytes.length, what) ? 1 : 0;
                }
                bytes[at] = original;
            }
        }
        assertThat(terms).isPositive();
    }

    @Test
    void read_ofRandomBytes_givesATermOrOurException() {
        for (int i = 0; i < 200_000; i++) {
            byte[] bytes = Terms.bytes(random, 2 + random.nextInt(60));
            bytes[0] = (byte) Tag.VERSION;
            bytes[1] = (byte) (70 + random.nextInt(51));
            for (int k = 2; k < bytes.length; k++) {
                int choice = random.nextInt(3);
                bytes[k] = choice == 0 ? bytes[k] : (byte) (choice == 1 ? 0 : 97 + random.nextInt(24));
            }
            isTerm(bytes, bytes.length, "seed=" + seed + " i=" + i);
        }
    }

    private static Stream<String> counted() {
        return Stream.of("69", "6c", "6d", "6f", "74", "4d", "50", "70" + "00".repeat(4 + 1 + 16 + 4));
    }

    @ParameterizedTest
    @MethodSource("counted")
    void read_ofHugeCounts_allocatesNothing(String head) {
        for (String count : new String[] {"7fffffff", "ffffffff", "80000000", "00ffffff", "40000000", "3fffffff"}) {
            byte[] bytes = HexFormat.of().parseHex("83" + head + count + "6a".repeat(1000));
            refuse(bytes);
            assertThat(Allocated.by(() -> refuse(bytes)))
                    .as("head=%s count=%s", head, count)
                    .isLessThan(200_000);
        }
    }

    private void refuse(byte[] bytes) {
        assertThatThrownBy(() -> in.reset(bytes, 0, bytes.length).readVersioned())
                .isInstanceOf(EtfException.class);
    }

    @Test
    void read_ofNestedCounts_allocatesInProportionToTheBytes() {
        int bytes = 1 << 20;
        for (int tag : new int[] {Tag.LIST, Tag.LARGE_TUPLE, Tag.MAP}) {
            for (boolean integers : new boolean[] {false, true}) {
                TermWriter out = greedy(tag, integers, bytes);
                TermReader reader =
                        new TermReader(new AtomTable(), DecodeLimits.DEFAULT.withMaxElements(Integer.MAX_VALUE));
                long allocated = Allocated.by(() -> assertThatThrownBy(() ->
                                reader.reset(out.array(), 0, out.position()).read())
                        .isInstanceOf(MalformedTermException.class));
                assertThat(allocated).as("tag=%d integers=%s", tag, integers).isLessThan(20L * bytes);
            }
        }
    }

    /** Terms one inside the other, each of which says that all bytes that are left are its parts. */
    private static TermWriter greedy(int tag, boolean integers, int bytes) {
        TermWriter out = new TermWriter(bytes);
        while (out.position() < bytes - 20) {
            int left = bytes - out.position() - 5;
            out.writeHeader(tag, integers ? left / 2 - 10 : tag == Tag.MAP ? left / 2 : left - 1);
            if (integers) {
                out.writeInt(1);
                out.writeInt(2);
            }
        }
        return out;
    }

    @Test
    void read_beyondLimits_saysWhichAndGoesOnWithOtherTerms() {
        byte[] list = TermWriter.encode(Tuple.of(Tuple.of(Atom.OK, Atom.OK), Tuple.of(Tuple.EMPTY)));
        assertThatThrownBy(() -> TermReader.decode(list, DecodeLimits.DEFAULT.withMaxElements(4)))
                .isInstanceOf(TermLimitException.class)
                .hasMessage("beyond a limit: limit=maxElements value=5 allowed=4");
        assertThatThrownBy(() -> TermReader.decode(list, DecodeLimits.DEFAULT.withMaxDepth(1)))
                .isInstanceOf(TermLimitException.class)
                .hasMessageContaining("limit=maxDepth value=2 allowed=1");
        assertThatThrownBy(() -> TermReader.decode(list, DecodeLimits.DEFAULT.withMaxBytes(5)))
                .isInstanceOf(TermLimitException.class)
                .hasMessageContaining("limit=maxBytes");
        TermReader reader = new TermReader(new AtomTable(), DecodeLimits.DEFAULT.withMaxDepth(2));
        byte[] deep = TermWriter.encode(Tuple.of(Tuple.of(Tuple.of(Int.of(1)))));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> reader.reset(deep, 1, deep.length - 1).read())
                    .isInstanceOf(TermLimitException.class);
            assertThat(reader.reset(list, 1, list.length - 1).read()).isEqualTo(TermReader.decode(list));
        }
    }

    @Test
    void read_ofMapsWithAKeyTwiceOrHostileKeys_isRefusedInTime() {
        assertThatThrownBy(() -> TermReader.decode(HexFormat.of().parseHex("83740000000261016101" + "61016102")))
                .isInstanceOf(MalformedTermException.class)
                .hasMessageContaining("twice");
        int size = 100_000;
        TermWriter out = new TermWriter(100);
        out.writeMapHeader(size);
        for (int i = 0; i < size; i++) {
            out.write(Terms.colliding(i));
            out.writeInt(1);
        }
        assertThatThrownBy(() -> in.reset(out.array(), 0, out.position()).read())
                .isInstanceOf(MalformedTermException.class)
                .hasMessageContaining("same hash");
        TermWriter keys = new TermWriter(100);
        for (int i = 0; i < 100_000; i++) {
            keys.writeMapHeader(1);
        }
        for (int i = 0; i < 100_001; i++) {
            keys.writeInt(1);
        }
        assertThatThrownBy(() -> in.reset(keys.array(), 0, keys.position()).read())
                .isInstanceOf(MalformedTermException.class)
                .hasMessageContaining("nested too deep: max=" + ErlMap.MAX_KEY_NESTING);
    }

    @Test
    void decode_ofATermAndMore_isRefused() {
        assertThatThrownBy(() -> TermReader.decode(HexFormat.of().parseHex("83610105")))
                .isInstanceOf(MalformedTermException.class)
                .hasMessageContaining("offset=3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "79",
                "75",
                "00",
                "ff",
                "467ff8000000000000",
                "467ff0000000000000",
                "634e614e0000000000000000000000000000000000000000000000000000000000",
                "7701c0",
                "7702c080",
                "7703eda080",
                "7301",
                "760400",
                "64010061",
                "4d000000010061",
                "4d0000000109ff",
                "4d0000000001",
                "5a0006",
                "5a0000",
                "5861010000",
                "7161016101",
                "6c00000001610175"
            })
    void read_ofWhatIsNoTerm_isMalformed(String hex) {
        assertThatThrownBy(() -> TermReader.decode(HexFormat.of().parseHex("83" + hex + "00".repeat(40))))
                .isInstanceOf(MalformedTermException.class);
    }
}

package dev.touchstone.messaging.etf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Terms;
import dev.touchstone.messaging.term.Tuple;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was written is read again, by readers and writers that are used many times. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoundTripTest {
    @Test
    void read_ofWhatWasWritten_givesEqualTermsAndBytes() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        TermWriter out = new TermWriter(0);
        TermWriter again = new TermWriter(16);
        TermReader in = new TermReader(new AtomTable(64), DecodeLimits.DEFAULT);
        for (int i = 0; i < 5000; i++) {
            Term term = Terms.random(random, 1 + i % 6);
            out.position(random.nextInt(3));
            int start = out.position();
            out.write(term);
            in.reset(out.array(), start, out.position() - start);
            Term read = in.read();
            assertThat(read.equals(term))
                    .as("seed=%d term=%s read=%s", seed, term, read)
                    .isTrue();
            assertThat(in.remaining()).as("seed=%d term=%s", seed, term).isZero();
            again.position(0);
            again.write(read);
            assertThat(Arrays.equals(again.array(), 0, again.position(), out.array(), start, out.position()))
                    .as("seed=%d term=%s", seed, term)
                    .isTrue();
            in.reset(out.array(), start, out.position() - start).skip();
            assertThat(in.remaining()).as("seed=%d term=%s", seed, term).isZero();
        }
    }

    @Test
    void read_ofSeveralTermsBehindEachOther_givesEach() {
        SplittableRandom random = new SplittableRandom(3);
        Term[] terms = new Term[500];
        TermWriter out = new TermWriter(10);
        for (int i = 0; i < terms.length; i++) {
            terms[i] = Terms.random(random, 3);
            out.write(terms[i]);
        }
        TermReader in = new TermReader(new AtomTable(), DecodeLimits.DEFAULT).reset(out.array(), 0, out.position());
        for (Term term : terms) {
            assertThat(in.read()).isEqualTo(term);
        }
        assertThat(in.remaining()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 255, 256, 65_535, 65_536, 100_000})
    void encode_ofByteLists_takesTheShortFormWhereThereIsOne(int size) {
        ErlList list = ErlList.ofBytes(new byte[size], 0, size);
        byte[] bytes = TermWriter.encode(list);
        assertThat(bytes).hasSize(size <= 65_535 ? 4 + size : 1 + 5 + 2 * size + 1);
        Term read = TermReader.decode(bytes);
        assertThat(read).isEqualTo(list);
        assertThat(((ErlList) read).isPackedBytes()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 100})
    void decode_ofMixedLists_keepsTheOrder(int size) {
        for (int other = 0; other < size; other++) {
            Term[] elements = new Term[size];
            Arrays.setAll(elements, i -> Int.of(100L * i));
            elements[other] = other % 2 == 0 ? Tuple.of(Atom.OK) : Int.of(1L << 40);
            ErlList list = ErlList.of(elements);
            assertThat(TermReader.decode(TermWriter.encode(list))).isEqualTo(list);
            ErlList improper = ErlList.improper(list.asList(), Atom.OK);
            assertThat(TermReader.decode(TermWriter.encode(improper))).isEqualTo(improper);
        }
    }

    @Test
    void decode_ofAListInPieces_givesOneList() {
        int pieces = 100_000;
        TermWriter out = new TermWriter(16);
        long[] values = new long[pieces];
        for (int i = 0; i < pieces; i++) {
            out.writeListHeader(1);
            out.writeInt(i);
            values[i] = i;
        }
        out.writeNil();
        TermReader in = new TermReader(new AtomTable(), DecodeLimits.DEFAULT).reset(out.array(), 0, out.position());
        assertThat(in.read()).isEqualTo(ErlList.ofLongs(values));
    }

    @Test
    void read_ofLargeBinaries_slicesARetainedBufferOnly() {
        Binary large = Binary.of(new byte[2000]);
        byte[] bytes = TermWriter.encode(Tuple.of(large, Binary.of(new byte[100])));
        TermReader in = new TermReader(new AtomTable(), DecodeLimits.DEFAULT);
        Tuple retained = (Tuple) in.reset(bytes, 1, bytes.length - 1, true).read();
        Tuple copied = (Tuple) in.reset(bytes, 1, bytes.length - 1).read();
        Arrays.fill(bytes, 20, 30, (byte) 1);
        assertThat(copied.get(0)).isEqualTo(large);
        assertThat(retained.get(0)).isNotEqualTo(large);
        Arrays.fill(bytes, (byte) 1);
        assertThat(retained.get(1)).isEqualTo(Binary.of(new byte[100]));
    }

    @Test
    void write_beyondTheMostBytes_isRefusedAndTheWriterStillWorks() {
        TermWriter out = new TermWriter(4, 100);
        Term large = Tuple.of(Tuple.of(Binary.of(new byte[90])), Binary.of(new byte[90]));
        assertThatThrownBy(() -> out.write(large))
                .isInstanceOf(TermTooLargeException.class)
                .hasMessageContaining("maxBytes=100");
        out.position(0);
        out.write(Binary.of(new byte[95]));
        assertThat(out.position()).isEqualTo(100);
        out.position(98);
        out.writeInt(7);
        assertThat(out.position()).isEqualTo(100);
        out.position(0);
        for (int i = 0; i < 20; i++) {
            out.writeInt(-1);
        }
        assertThat(out.position()).isEqualTo(100);
    }

    @Test
    void atomCache_resolvesReferencesOfItsRangeOnly() {
        byte[] bytes = {104, 2, 82, 0, 82, 1};
        TermReader in = new TermReader(new AtomTable(), DecodeLimits.DEFAULT).reset(bytes, 0, bytes.length);
        in.atomCache(new Atom[] {Atom.OK, Atom.ERROR});
        assertThat(in.read()).isEqualTo(Tuple.of(Atom.OK, Atom.ERROR));
        in.reset(bytes, 0, bytes.length).atomCache(new Atom[] {Atom.OK});
        assertThatThrownBy(in::read)
                .isInstanceOf(MalformedTermException.class)
                .hasMessageContaining("index=1 references=1 offset=5");
        in.reset(bytes, 2, 2).atomCache(null);
        assertThatThrownBy(in::readAtom).isInstanceOf(MalformedTermException.class);
    }

    @Test
    void read_partByPart_givesWhatWasWrittenPartByPart() {
        TermWriter out = new TermWriter(0);
        out.writeVersion();
        out.writeTupleHeader(9);
        out.writeAtom(Atom.OK);
        out.writeInt(Long.MIN_VALUE);
        out.writeDouble(2.5);
        out.writeBinary(new byte[] {9, 1, 2, 9}, 1, 2);
        out.writePid(Terms.pid(new SplittableRandom(1)));
        out.writeListHeader(2);
        out.writeInt(3);
        out.writeInt(4);
        out.writeNil();
        out.writeMapHeader(1);
        out.writeAtom(Atom.ERROR);
        out.writeNil();
        out.write(ErlList.string("abc"));
        out.write(Binary.of("\u00e4"));
        TermReader in = new TermReader(new AtomTable(), DecodeLimits.DEFAULT).reset(out.array(), 0, out.position());
        in.readVersion();
        assertThat(in.peekTag()).isEqualTo(Tag.SMALL_TUPLE);
        assertThat(in.readTupleHeader()).isEqualTo(9);
        assertThat(in.readAtom()).isEqualTo(Atom.OK);
        assertThat(in.readLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(in.readDouble()).isEqualTo(2.5);
        assertThat(in.readBinary()).containsExactly(1, 2);
        assertThat(in.readPid()).isEqualTo(Terms.pid(new SplittableRandom(1)));
        assertThat(in.readListHeader()).isEqualTo(2);
        assertThat(List.of(in.readLong(), in.readLong())).containsExactly(3L, 4L);
        in.readNil();
        assertThat(in.readMapHeader()).isEqualTo(1);
        in.skip();
        assertThat(in.readListHeader()).isZero();
        assertThat(in.readString()).containsExactly('a', 'b', 'c');
        assertThat(in.readUtf8()).isEqualTo("\u00e4");
        assertThat(in.remaining()).isZero();
    }
}

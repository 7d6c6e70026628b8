package dev.touchstone.messaging.databind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.etf.AtomTable;
import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.etf.EtfException;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlFloat;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.ErlMap;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DatabindTest {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final Pid PID = Pid.of(Atom.of("a@b"), 1, 2, 3);
    private static final Ref REF = Ref.of(Atom.of("a@b"), 3, 1, 2, 3);

    private enum Side {
        BUY,
        @ErlangName("SELL")
        SELL
    }

    private record Point(int x, int y) {}

    @ErlangRecord(tag = "line")
    private record Line(Point from, Point to) {}

    @SuppressWarnings("ArrayRecordComponent")
    private record Scalars(
            int i,
            long l,
            double d,
            boolean b,
            String s,
            @ErlangAtom String a,
            @ErlangString String t,
            byte[] bytes) {}

    private record Terms(Atom atom, Pid pid, Ref ref, Term any, Tuple tuple, Side side) {}

    private record Lists(
            List<Integer> ints,
            List<String> texts,
            List<Point> points,
            List<List<Long>> nested,
            List<Double> doubles) {}

    private record Options(
            Optional<Integer> number,
            Optional<Atom> atom,
            Optional<Side> side,
            Optional<Point> point,
            Optional<Boolean> flag) {}

    @ErlangMap
    private record Settings(
            String name, @ErlangName("max_size") long maxSize, Optional<Double> ratio) {}

    private record Boxes(Integer i, Long l, @Nullable Double d, Boolean b) {}

    private record Empty() {}

    private record Positive(int value) {
        @SuppressWarnings("UnusedMethod") // through a handle
        Positive {
            if (value <= 0) {
                throw new IllegalArgumentException("value=" + value);
            }
        }
    }

    private static <T extends Record> Databind<T> of(Class<T> type) {
        return Databind.of(type, LOOKUP);
    }

    private static <T extends Record> void assertBound(T value, Class<T> type, Term term) {
        Databind<T> databind = of(type);
        assertThat(databind.toTerm(value)).isEqualTo(term);
        assertThat(databind.toTerm(databind.fromTerm(term))).isEqualTo(term); // arrays are not equal by value
    }

    private static Term ints(long... values) {
        return ErlList.ofLongs(values);
    }

    @Test
    void tuple_ofScalars_isTheTermThatItSays() {
        Scalars value = new Scalars(-5, 1L << 40, 1.5, true, "grün", "an atom", "Ж", new byte[] {1, 2});
        Term term = Tuple.of(
                Int.of(-5),
                Int.of(1L << 40),
                ErlFloat.of(1.5),
                Atom.TRUE,
                Binary.of("grün"),
                Atom.of("an atom"),
                ErlList.string("Ж"),
                Binary.of(new byte[] {1, 2}));
        assertBound(value, Scalars.class, term);
    }

    @Test
    void tuple_withATag_hasNestedRecords() {
        Term term = Tuple.of(
                Atom.of("line"), Tuple.of(Int.of(1), Int.of(2)), Tuple.of(Int.of(3), Int.of(Integer.MIN_VALUE)));
        assertBound(new Line(new Point(1, 2), new Point(3, Integer.MIN_VALUE)), Line.class, term);
    }

    @Test
    void tuple_ofTermsAndEnums_keepsThem() {
        Tuple inner = Tuple.of(Atom.OK);
        assertBound(
                new Terms(Atom.OK, PID, REF, ErlList.EMPTY, inner, Side.BUY),
                Terms.class,
                Tuple.of(Atom.OK, PID, REF, ErlList.EMPTY, inner, Atom.of("buy")));
        assertBound(
                new Terms(Atom.OK, PID, REF, REF, inner, Side.SELL),
                Terms.class,
                Tuple.of(Atom.OK, PID, REF, REF, inner, Atom.of("SELL")));
    }

    @Test
    void tuple_ofLists_takesStringsToo() {
        Lists value = new Lists(
                List.of(1, 2, 255),
                List.of("a", ""),
                List.of(new Point(1, 2)),
                List.of(List.of(), List.of(1L), List.of(1L << 50)),
                List.of(3.0, 4.0));
        Term first = Tuple.of(
                ints(1, 2, 255), // a STRING on the wire
                ErlList.of(Binary.of("a"), Binary.of("")),
                ErlList.of(Tuple.of(Int.of(1), Int.of(2))),
                ErlList.of(ErlList.EMPTY, ints(1), ints(1L << 50)),
                ErlList.of(ErlFloat.of(3), ErlFloat.of(4)));
        assertBound(value, Lists.class, first);
        Term integers = Tuple.of(ints(), ErlList.EMPTY, ErlList.EMPTY, ErlList.EMPTY, ints(3, 4));
        assertThat(of(Lists.class).fromTerm(integers).doubles()).containsExactly(3.0, 4.0);
    }

    @Test
    void list_thatIsRead_isUnmodifiable() {
        Lists read = of(Lists.class)
                .fromTerm(Tuple.of(ints(1000, 2), ErlList.EMPTY, ErlList.EMPTY, ErlList.EMPTY, ErlList.EMPTY));
        assertThatThrownBy(() -> read.ints().add(1)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> read.texts().add("")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void list_thatIsImproper_isRefused() {
        Term improper = ErlList.improper(List.of(Int.of(1000)), Int.of(2));
        assertThatThrownBy(() -> of(Lists.class)
                        .fromTerm(Tuple.of(improper, ErlList.EMPTY, ErlList.EMPTY, ErlList.EMPTY, ErlList.EMPTY)))
                .isInstanceOf(DatabindException.class)
                .hasMessageStartingWith("Lists.ints: ");
    }

    @Test
    void optional_ofAnything_isUndefinedOrTheValue() {
        Options none =
                new Options(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        Atom undefined = Atom.UNDEFINED;
        assertBound(none, Options.class, Tuple.of(undefined, undefined, undefined, undefined, undefined));
        Options all = new Options(
                Optional.of(7),
                Optional.of(Atom.OK),
                Optional.of(Side.BUY),
                Optional.of(new Point(1, 2)),
                Optional.of(false));
        Term term = Tuple.of(Int.of(7), Atom.OK, Atom.of("buy"), Tuple.of(Int.of(1), Int.of(2)), Atom.FALSE);
        assertBound(all, Options.class, term);
    }

    /** It would be read back as empty. */
    @Test
    void optional_thatHoldsUndefined_isRefused() {
        Options value = new Options(
                Optional.empty(), Optional.of(Atom.UNDEFINED), Optional.empty(), Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> of(Options.class).toTerm(value))
                .isInstanceOf(DatabindException.class)
                .hasMessage("expected=empty or another value, got=a present undefined");
    }

    private record Texts(
            String text,
            @ErlangAtom String atom,
            @ErlangString String list) {}

    @Test
    void text_withHalfASurrogatePair_isRefused() {
        String half = "ab\ud83d";
        String whole = "ab\ud83d\ude00";
        assertThat(of(Texts.class).fromTerm(of(Texts.class).toTerm(new Texts(whole, whole, whole))))
                .isEqualTo(new Texts(whole, whole, whole));
        for (Texts value : List.of(new Texts(half, "a", "a"), new Texts("a", half, "a"), new Texts("a", "a", half))) {
            assertThatThrownBy(() -> of(Texts.class).toTerm(value))
                    .isInstanceOf(DatabindException.class)
                    .hasMessageContaining("half a surrogate pair");
        }
    }

    @Test
    void optional_ofANumber_refusesOtherAtoms() {
        Atom undefined = Atom.UNDEFINED;
        Term term = Tuple.of(Atom.of("none"), undefined, undefined, undefined, undefined);
        assertThatThrownBy(() -> of(Options.class).fromTerm(term))
                .isInstanceOf(DatabindException.class)
                .hasMessage("Options.number: expected=undefined or a value, got=none");
    }

    @Test
    void map_inAnyOrderAndWithMore_isRead() {
        Atom name = Atom.of("name");
        Atom size = Atom.of("max_size");
        Atom ratio = Atom.of("ratio");
        Settings value = new Settings("n", 5, Optional.of(0.5));
        assertBound(value, Settings.class, ErlMap.of(name, Binary.of("n"), size, Int.of(5), ratio, ErlFloat.of(0.5)));
        Term other = ErlMap.of(
                Atom.of("extra"),
                Tuple.of(Int.of(1)),
                ratio,
                ErlFloat.of(0.5),
                Int.of(9),
                ErlMap.EMPTY,
                size,
                Int.of(5),
                name,
                Binary.of("n"));
        assertThat(of(Settings.class).fromTerm(other)).isEqualTo(value);
    }

    @Test
    void map_withAMissingKey_isEmptyOrRefused() {
        Databind<Settings> settings = of(Settings.class);
        Atom size = Atom.of("max_size");
        assertThat(settings.fromTerm(ErlMap.of(Atom.of("name"), Binary.of("n"), size, Int.of(1))))
                .isEqualTo(new Settings("n", 1, Optional.empty()));
        assertThatThrownBy(() -> settings.fromTerm(ErlMap.of(size, Int.of(1))))
                .isInstanceOf(DatabindException.class)
                .hasMessage("Settings.name: missing key=name");
    }

    @Test
    void map_withAKeyTwice_isRefused() {
        TermWriter writer = new TermWriter(64);
        writer.writeMapHeader(2);
        for (int i = 0; i < 2; i++) {
            writer.writeAtom(Atom.of("max_size"));
            writer.writeInt(i);
        }
        assertThatThrownBy(() -> of(Settings.class).read(reader(writer.array(), writer.position())))
                .isInstanceOf(DatabindException.class)
                .hasMessageContaining("Settings.maxSize: key stands twice");
    }

    @Test
    void boxes_andNoComponents_areBoundToo() {
        assertBound(
                new Boxes(1, 2L, 3.0, false), Boxes.class, Tuple.of(Int.of(1), Int.of(2), ErlFloat.of(3), Atom.FALSE));
        assertBound(new Empty(), Empty.class, Tuple.EMPTY);
    }

    @Test
    void read_ofAnotherTerm_saysWhatAndWhere() {
        assertRefused(Line.class, Tuple.of(Int.of(1)), "Line: expected arity=3 got=1");
        Term point = Tuple.of(Int.of(1), Int.of(2));
        assertRefused(Line.class, Tuple.of(Atom.of("lines"), point, point), "Line: expected tag=line got=lines");
        Term large = Tuple.of(Int.of(1), Int.of(1L << 31));
        assertRefused(
                Line.class, Tuple.of(Atom.of("line"), point, large), "Line.to: Point.y: expected=int got=2147483648");
        assertRefused(
                Line.class, Tuple.of(Atom.of("line"), point, Tuple.of(Int.of(1), Atom.OK)), "Line.to: Point.y: not ");
        assertRefused(
                Terms.class,
                Tuple.of(Atom.OK, PID, REF, REF, Int.of(1), Atom.of("buy")),
                "Terms.tuple: expected=Tuple got=int");
        assertRefused(
                Terms.class,
                Tuple.of(Atom.OK, PID, REF, REF, Tuple.EMPTY, Atom.of("hold")),
                "Terms.side: expected=Side got=hold");
        assertRefused(Positive.class, Tuple.of(Int.of(-3)), "Positive refuses its values: value=-3");
    }

    private static <T extends Record> void assertRefused(Class<T> type, Term term, String message) {
        assertThatThrownBy(() -> of(type).fromTerm(term))
                .isInstanceOf(DatabindException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void write_thatFails_leavesTheWriter() {
        TermWriter writer = new TermWriter(16);
        writer.writeInt(1);
        int before = writer.position();
        Boxes missing = new Boxes(1, 2L, null, true);
        assertThatThrownBy(() -> of(Boxes.class).write(missing, writer))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("Boxes.d");
        assertThat(writer.position()).isEqualTo(before);
        Lists holes = new Lists(Arrays.asList(1, null), List.of(), List.of(), List.of(), List.of());
        assertThatThrownBy(() -> of(Lists.class).write(holes, writer)).isInstanceOf(NullPointerException.class);
        assertThat(writer.position()).isEqualTo(before);
    }

    private record Unsupported(StringBuilder text) {}

    private record Twice(Optional<Optional<Integer>> value) {}

    private record Misplaced(@ErlangAtom int value) {}

    @ErlangMap
    @ErlangRecord(tag = "both")
    private record Both(int value) {}

    private enum Same {
        ONE,
        @ErlangName("one")
        OTHER
    }

    private record Ambiguous(Same value) {}

    @Test
    void of_aRecordThatHasNoTerm_isRefused() {
        for (Class<? extends Record> type :
                List.of(Unsupported.class, Twice.class, Misplaced.class, Both.class, Ambiguous.class)) {
            assertThatThrownBy(() -> of(type)).as(type.getSimpleName()).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> of(Unsupported.class)).hasMessageContaining("component=Unsupported.text");
        assertThatThrownBy(() -> Databind.of(Point.class, MethodHandles.publicLookup()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void read_ofDamagedBytes_throwsNothingElse() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        damage(
                of(Lists.class),
                random,
                seed,
                new Lists(
                        List.of(1, 2000),
                        List.of("abc"),
                        List.of(new Point(1, 2)),
                        List.of(List.of(1L)),
                        List.of(1.0)));
        damage(of(Settings.class), random, seed, new Settings("n", 5, Optional.of(0.5)));
        damage(of(Terms.class), random, seed, new Terms(Atom.OK, PID, REF, ErlList.EMPTY, Tuple.of(Atom.OK), Side.BUY));
    }

    private static <T extends Record> void damage(Databind<T> databind, SplittableRandom random, long seed, T value) {
        TermWriter writer = new TermWriter(256);
        databind.write(value, writer);
        byte[] whole = Arrays.copyOf(writer.array(), writer.position());
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = whole.clone();
            int flips = random.nextInt(1, 4);
            for (int i = 0; i < flips; i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
            try {
                assertThat(databind.read(reader(bytes, length))).isNotNull();
            } catch (DatabindException | EtfException expected) {
                assertThat(expected).hasMessageNotContaining("null");
            } catch (RuntimeException | Error e) {
                throw new AssertionError(
                        "-Dseed=" + seed + " bytes=" + Arrays.toString(bytes) + " length=" + length, e);
            }
        }
    }

    private static TermReader reader(byte[] bytes, int length) {
        return new TermReader(new AtomTable(), DecodeLimits.DEFAULT).reset(bytes, 0, length);
    }
}

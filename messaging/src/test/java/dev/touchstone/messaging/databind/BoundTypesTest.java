package dev.touchstone.messaging.databind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.messaging.databind.BoundValues.Bean;
import dev.touchstone.messaging.databind.BoundValues.Branch;
import dev.touchstone.messaging.databind.BoundValues.Chain;
import dev.touchstone.messaging.databind.BoundValues.Everything;
import dev.touchstone.messaging.databind.BoundValues.Leaf;
import dev.touchstone.messaging.databind.BoundValues.Pair;
import dev.touchstone.messaging.databind.BoundValues.Point;
import dev.touchstone.messaging.databind.BoundValues.Tree;
import dev.touchstone.messaging.etf.AtomTable;
import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.etf.EtfException;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.ErlMap;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Maps, sets, arrays, generics, recursive and sealed types, and plain classes. */
class BoundTypesTest {
    private static final Databind<Everything> EVERYTHING = Databind.of(Everything.class, BoundValues.LOOKUP);
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    private record Holder(Tree<Point> tree) {}

    private record Sets(Set<Integer> numbers, Map<Integer, String> names) {}

    @ErlangMap
    private record Strict(int a, Holder inner) {}

    private record Grows<T>(Optional<Grows<List<T>>> next) {}

    private record Doubles<T>(Optional<Doubles<Pair<T, T>>> next) {}

    private record GrowsRoot(Grows<Integer> next) {}

    private record DoublesRoot(Doubles<Integer> next) {}

    private record Wild(List<? extends Number> numbers) {}

    private static final class NoWay {
        @SuppressWarnings("UnusedVariable") // through a handle
        final int value;

        NoWay() {
            this.value = 1;
        }
    }

    private static final class Picky {
        private int value;

        @SuppressWarnings("UnusedMethod") // through a handle
        void setValue(int given) {
            if (given < 0) {
                throw new IllegalArgumentException("value=" + given);
            }
            value = given;
        }

        int value() {
            return value;
        }
    }

    private static final class Loop {
        @SuppressWarnings("UnusedVariable") // through a handle
        @Nullable
        Loop next;
    }

    private static <T> Databind<T> of(Class<T> type) {
        return Databind.of(type, java.lang.invoke.MethodHandles.lookup());
    }

    @Test
    void everything_random_isWhatItWas() {
        SplittableRandom random = new SplittableRandom(SEED);
        BoundValues.Generator generator = new BoundValues.Generator(random);
        for (int round = 0; round < 2_000; round++) {
            Everything value = generator.everything();
            Term term = EVERYTHING.toTerm(value);
            Everything read = EVERYTHING.fromTerm(term);
            assertThat(EVERYTHING.toTerm(read)).as("-Dseed=" + SEED).isEqualTo(term);
            assertThat(withoutArrays(read)).as("-Dseed=" + SEED).isEqualTo(withoutArrays(value));
        }
    }

    /** Arrays are not equal by value: the terms of both are compared instead. */
    private static List<Object> withoutArrays(Everything value) {
        return List.of(
                List.of(value.big(), value.text(), value.atom(), value.list(), value.color(), value.term()),
                List.of(value.containers(), value.pair(), value.pairs(), value.tree(), value.lists()),
                List.of(value.chain(), value.bean()));
    }

    @Test
    void everything_damaged_throwsNothingElse() {
        SplittableRandom random = new SplittableRandom(SEED);
        BoundValues.Generator generator = new BoundValues.Generator(random);
        for (int round = 0; round < 5_000; round++) {
            TermWriter writer = new TermWriter(256);
            EVERYTHING.write(generator.everything(), writer);
            byte[] bytes = Arrays.copyOf(writer.array(), writer.position());
            for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(EVERYTHING.read(reader(bytes, bytes.length))).isNotNull();
            } catch (DatabindException | EtfException expected) {
                assertThat(expected.getMessage()).isNotEmpty();
            } catch (RuntimeException | Error e) {
                throw new AssertionError("-Dseed=" + SEED + " round=" + round, e);
            }
        }
    }

    @Test
    void sealed_types_areToldByTagOrName() {
        Term leaf = Tuple.of(Atom.of("leaf"), Tuple.of(Int.of(1), Int.of(2)));
        Term empty = Tuple.of(Atom.of("Empty"), ErlMap.of(Atom.of("depth"), Int.of(3)));
        Term shade = Tuple.of(Atom.of("Shade"), Atom.of("dark"));
        Databind<Holder> holders = of(Holder.class);
        for (Term tree : List.of(leaf, empty, shade, Tuple.of(Atom.of("branch"), leaf, shade))) {
            assertThat(holders.toTerm(holders.fromTerm(Tuple.of(tree)))).isEqualTo(Tuple.of(tree));
        }
        assertThatThrownBy(() -> holders.fromTerm(Tuple.of(Tuple.of(Atom.of("twig"), leaf))))
                .isInstanceOf(DatabindException.class)
                .hasMessage("Holder.tree: Tree: expected tag=leaf|branch|'Empty'|'Shade' got=twig");
        assertThatThrownBy(() -> holders.fromTerm(Tuple.of(Tuple.of(Atom.of("Empty"), leaf, leaf))))
                .hasMessageContaining("expected={'Empty', Value} got arity=3");
        assertThatThrownBy(() -> holders.fromTerm(Tuple.of(Tuple.EMPTY))).isInstanceOf(DatabindException.class);
    }

    @Test
    void errors_tellThePlaceFromTheOutside() {
        Term point = Tuple.of(Int.of(1), Atom.OK);
        Term tree = Tuple.of(Atom.of("branch"), Tuple.of(Atom.of("leaf"), point), Tuple.of(Atom.of("leaf"), point));
        assertThatThrownBy(() -> of(Holder.class).fromTerm(Tuple.of(tree)))
                .isInstanceOf(DatabindException.class)
                .hasMessageStartingWith("Holder.tree: Branch.left: Leaf.value: Point.y: ");
        assertThatThrownBy(() -> of(Sets.class).fromTerm(Tuple.of(ErlList.of(Atom.OK, Int.of(1)), ErlMap.EMPTY)))
                .hasMessageStartingWith("Sets.numbers: [0]: ");
        assertThatThrownBy(() -> of(Sets.class)
                        .fromTerm(Tuple.of(ErlList.EMPTY, ErlMap.of(Int.of(1), Binary.of("a"), Int.of(2), Int.of(3)))))
                .hasMessageStartingWith("Sets.names: value of entry 1: ");
        assertThatThrownBy(() -> of(Sets.class).fromTerm(Tuple.of(ErlList.of(Int.of(5), Int.of(5)), ErlMap.EMPTY)))
                .hasMessage("Sets.numbers: [1]: element stands twice in a set");
    }

    @Test
    void keys_thatAreUnknown_areIgnoredOrRefused() {
        Term leaf = Tuple.of(Atom.of("leaf"), Tuple.of(Int.of(1), Int.of(2)));
        Term more = ErlMap.of(Atom.of("a"), Int.of(1), Atom.of("inner"), Tuple.of(leaf), Atom.of("b"), Int.of(2));
        assertThat(of(Strict.class).fromTerm(more).a()).isEqualTo(1);
        Databind<Strict> strict = Databind.of(Strict.class, java.lang.invoke.MethodHandles.lookup(), UnknownKeys.FAIL);
        assertThatThrownBy(() -> strict.fromTerm(more))
                .isInstanceOf(DatabindException.class)
                .hasMessage("Strict: unknown key=b");
        Term odd = ErlMap.of(Int.of(1), Int.of(1));
        assertThatThrownBy(() -> strict.fromTerm(odd)).hasMessage("Strict: expected keys=atoms got=int");
    }

    @Test
    void bean_isAMapOfItsFields() {
        Databind<Bean> beans = Databind.of(Bean.class, BoundValues.LOOKUP);
        Bean bean = new Bean();
        bean.passed = 1;
        assertThat(beans.toTerm(bean)).isEqualTo(ErlMap.of(Atom.of("count"), Int.of(7)));
        assertThat(beans.fromTerm(ErlMap.EMPTY).count).isEqualTo(7);
        bean.setName("x");
        bean.more = List.of(new Bean());
        Term inner = ErlMap.of(Atom.of("count"), Int.of(7));
        assertThat(beans.toTerm(bean))
                .isEqualTo(ErlMap.of(
                        Atom.of("count"),
                        Int.of(7),
                        Atom.of("name"),
                        Binary.of("x"),
                        Atom.of("more_of_it"),
                        ErlList.of(inner)));
        assertThatThrownBy(() -> beans.fromTerm(ErlMap.of(Atom.of("count"), Atom.OK)))
                .isInstanceOf(DatabindException.class)
                .hasMessageStartingWith("Bean.count: ");
        assertThatThrownBy(() -> of(Picky.class).fromTerm(ErlMap.of(Atom.of("value"), Int.of(-1))))
                .isInstanceOf(DatabindException.class)
                .hasMessage("Picky refuses its values: value=-1");
        assertThat(of(Picky.class)
                        .fromTerm(ErlMap.of(Atom.of("value"), Int.of(3)))
                        .value())
                .isEqualTo(3);
    }

    @Test
    void write_ofASubclass_isRefused() {
        Databind<BoundValues.Named> named = Databind.of(BoundValues.Named.class, BoundValues.LOOKUP);
        assertThatThrownBy(() -> named.toTerm(new Bean()))
                .isInstanceOf(DatabindException.class)
                .hasMessageContaining("expected type=");
    }

    /** Also on a small stack: what the bound is for. */
    @Test
    void recursive_types_nestUpToTheBound() throws InterruptedException {
        Databind<Chain> chains = Databind.of(Chain.class, BoundValues.LOOKUP);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread small = new Thread(
                null,
                () -> {
                    assertThat(chains.toTerm(chains.fromTerm(chain(Recursion.MAX_NESTING))))
                            .isEqualTo(chain(Recursion.MAX_NESTING));
                    for (int length : new int[] {Recursion.MAX_NESTING + 1, 100_000}) {
                        assertThatThrownBy(() -> chains.fromTerm(chain(length)))
                                .isInstanceOf(DatabindException.class)
                                .hasMessageContaining("expected nesting<=200");
                    }
                    Loop loop = new Loop();
                    loop.next = loop;
                    assertThatThrownBy(() -> of(Loop.class).toTerm(loop))
                            .isInstanceOf(DatabindException.class)
                            .hasMessageContaining("nesting");
                    assertThat(chains.fromTerm(chain(3)).value()).isEqualTo(3); // nothing is left counted
                },
                "small stack",
                512 << 10);
        small.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
        small.start();
        small.join();
        assertThat(failure.get()).isNull();
    }

    private static Term chain(int length) {
        Term chain = Tuple.of(Int.of(0), Atom.UNDEFINED);
        for (int i = 1; i <= length; i++) {
            chain = Tuple.of(Int.of(i), chain);
        }
        return chain;
    }

    @Test
    void of_typesThatHaveNoTerm_isRefusedClearly() {
        for (Class<?> type : List.of(GrowsRoot.class, DoublesRoot.class, Wild.class, NoWay.class, Object[].class)) {
            assertThatThrownBy(() -> of(type)).as(type.getSimpleName()).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> of(GrowsRoot.class)).hasMessageContaining("has no end");
        assertThatThrownBy(() -> of(NoWay.class)).hasMessageContaining("NoWay.value is final");
        assertThatThrownBy(() -> of(Pair.class)).hasMessageContaining("stands for no type");
    }

    @Test
    void read_ofClaimedSizes_allocatesNothingForThem() {
        for (int tag : new int[] {116, 108}) { // map, list
            byte[] bytes = {104, 2, (byte) tag, 0x7f, -1, -1, -1};
            assertThatThrownBy(() -> of(Sets.class).read(reader(bytes, bytes.length)))
                    .isInstanceOf(DatabindException.class);
        }
    }

    @Test
    void trees_ofManyElements_areReadWhole() {
        List<Term> leaves = new ArrayList<>();
        Term leaf = Tuple.of(Atom.of("leaf"), Tuple.of(Int.of(1), Int.of(2)));
        for (int i = 0; i < 100_000; i++) {
            leaves.add(leaf);
        }
        Databind<Forest> forests = of(Forest.class);
        Forest forest = forests.fromTerm(Tuple.of(ErlList.of(leaves)));
        assertThat(forest.trees()).hasSize(100_000).allMatch(tree -> tree instanceof Leaf<Point>);
        assertThat(new Branch<>(forest.trees().get(0), forest.trees().get(1)).left())
                .isEqualTo(new Leaf<>(new Point(1, 2)));
    }

    private record Forest(List<Tree<Point>> trees) {}

    private static TermReader reader(byte[] bytes, int length) {
        return new TermReader(new AtomTable(), DecodeLimits.DEFAULT).reset(bytes, 0, length);
    }

    @ErlangRecord(tag = "point")
    record Tagged(int x) {}

    enum Colour {
        RED
    }

    @Test
    void fromTerm_ofTermsOfOtherKinds_namesTypeAndKind() {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Databind<Tagged> tagged = Databind.of(Tagged.class, lookup);
        Databind<Colour> colours = Databind.of(Colour.class, lookup);
        assertThatThrownBy(() -> tagged.fromTerm(Atom.OK))
                .isInstanceOf(DatabindException.class)
                .hasMessageStartingWith("expected=Tagged got=atom: ");
        assertThatThrownBy(() -> tagged.fromTerm(Tuple.of(Int.of(1), Int.of(2))))
                .isInstanceOf(DatabindException.class)
                .hasMessageStartingWith("expected=Tagged got=tuple: ");
        assertThatThrownBy(() -> colours.fromTerm(Int.of(1)))
                .isInstanceOf(DatabindException.class)
                .hasMessageStartingWith("expected=Colour got=int: ");
    }

    @Test
    void read_ofBytesThatAreNoTerm_throwsEtfException() {
        Databind<Tagged> tagged = Databind.of(Tagged.class, MethodHandles.lookup());
        assertThatThrownBy(() -> tagged.read(reader(new byte[] {104}, 1))).isInstanceOf(EtfException.class);
    }
}

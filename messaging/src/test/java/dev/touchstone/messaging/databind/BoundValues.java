package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.lang.invoke.MethodHandles;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A type that has a component of each kind that {@link Databind} covers, and a generator of its values. */
public final class BoundValues {
    /** Sees the private types here. */
    public static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private static final Databind<Everything> EVERYTHING = Databind.of(Everything.class, LOOKUP);

    private BoundValues() {}

    public enum Color {
        RED,
        @ErlangName("Green")
        GREEN {
            @Override
            public String toString() {
                return "a constant with a class of its own";
            }
        }
    }

    record Point(int x, long y) {}

    record Pair<A, B>(A first, B second) {}

    sealed interface Tree<T> permits Leaf, Branch, Empty, Shade {}

    @ErlangRecord(tag = "leaf")
    record Leaf<T>(T value) implements Tree<T> {}

    @ErlangRecord(tag = "branch")
    record Branch<T>(Tree<T> left, Tree<T> right) implements Tree<T> {}

    @ErlangMap
    record Empty<T>(int depth) implements Tree<T> {}

    enum Shade implements Tree<Object> {
        LIGHT,
        DARK
    }

    record Chain(int value, Optional<Chain> next) {}

    static class Named {
        private @Nullable String name;

        public @Nullable String getName() {
            return name;
        }

        public void setName(String given) {
            name = given;
        }
    }

    static final class Bean extends Named {
        int count = 7;

        @ErlangName("more_of_it")
        @Nullable
        List<Bean> more;

        transient int passed;

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Bean bean
                    && count == bean.count
                    && Objects.equals(getName(), bean.getName())
                    && Objects.equals(more, bean.more);
        }

        @Override
        public int hashCode() {
            return Objects.hash(count, getName(), more);
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    record Arrays(
            int[] ints,
            long[] longs,
            double[] doubles,
            boolean[] flags,
            String[] texts,
            byte[] bytes,
            Point[][] points,
            @ErlangAtom String[] atoms) {}

    @ErlangMap
    record Containers(
            Set<String> texts,
            Map<String, Long> counts,
            Map<Color, List<Point>> byColor,
            Map<Point, Map<@ErlangAtom String, Set<Integer>>> nested,
            List<Map<BigInteger, Boolean>> flags,
            Optional<BigInteger> big) {}

    @ErlangRecord(tag = "everything")
    record Everything(
            int i,
            long l,
            BigInteger big,
            double d,
            boolean b,
            String text,
            @ErlangAtom String atom,
            @ErlangString String list,
            Color color,
            Term term,
            Arrays arrays,
            Containers containers,
            Pair<Integer, @ErlangAtom String> pair,
            List<Pair<Point, Set<Long>>> pairs,
            Tree<Point> tree,
            Tree<List<Integer>> lists,
            Chain chain,
            Bean bean) {}

    /** Returns a binding of {@link Everything}. */
    public static Databind<?> everything() {
        return EVERYTHING;
    }

    /** Returns the term of a random value. */
    public static Term term(SplittableRandom random) {
        return EVERYTHING.toTerm(new Generator(random).everything());
    }

    static final class Generator {
        private final SplittableRandom random;

        Generator(SplittableRandom random) {
            this.random = random;
        }

        Everything everything() {
            return new Everything(
                    random.nextInt(),
                    integer(),
                    big(),
                    random.nextDouble(),
                    random.nextBoolean(),
                    text(),
                    text(),
                    text(),
                    color(),
                    random.nextBoolean() ? Atom.of("a") : Tuple.of(Int.of(integer())),
                    arrays(),
                    containers(),
                    new Pair<>(random.nextInt(300), text()),
                    list(() -> new Pair<>(point(), set(this::integer))),
                    tree(this::point, 6),
                    tree(() -> list(() -> random.nextInt(400)), 4),
                    chain(random.nextInt(20)),
                    bean(3));
        }

        long integer() {
            return random.nextLong() >> random.nextInt(64);
        }

        BigInteger big() {
            byte[] bytes = new byte[random.nextInt(1, random.nextInt(20) == 0 ? 400 : 20)];
            random.nextBytes(bytes);
            return new BigInteger(bytes);
        }

        String text() {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(8); i > 0; i--) {
                int code = random.nextInt(4) == 0 ? random.nextInt(0x10000, 0x110000) : random.nextInt(0x700);
                text.appendCodePoint(code);
            }
            return text.toString();
        }

        Color color() {
            return random.nextBoolean() ? Color.RED : Color.GREEN;
        }

        Point point() {
            return new Point(random.nextInt(), integer());
        }

        <T> List<T> list(Supplier<T> element) {
            List<T> list = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                list.add(element.get());
            }
            return list;
        }

        <T> Set<T> set(Supplier<T> element) {
            return new LinkedHashSet<>(list(element));
        }

        <K, V> Map<K, V> map(Supplier<K> key, Supplier<V> value) {
            Map<K, V> map = new LinkedHashMap<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                map.put(key.get(), value.get());
            }
            return map;
        }

        private Arrays arrays() {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            boolean[] flags = new boolean[random.nextInt(4)];
            Point[][] points = new Point[random.nextInt(3)][];
            for (int i = 0; i < points.length; i++) {
                points[i] = list(this::point).toArray(new Point[0]);
            }
            return new Arrays(
                    random.ints(random.nextInt(5), 0, 300).toArray(),
                    random.longs(random.nextInt(5)).toArray(),
                    random.doubles(random.nextInt(5)).toArray(),
                    flags,
                    list(this::text).toArray(new String[0]),
                    bytes,
                    points,
                    list(this::text).toArray(new String[0]));
        }

        private Containers containers() {
            return new Containers(
                    set(this::text),
                    map(this::text, this::integer),
                    map(this::color, () -> list(this::point)),
                    map(this::point, () -> map(this::text, () -> set(() -> random.nextInt(99)))),
                    list(() -> map(this::big, random::nextBoolean)),
                    random.nextBoolean() ? Optional.empty() : Optional.of(big()));
        }

        @SuppressWarnings("unchecked") // a shade has no value
        private <T> Tree<T> tree(Supplier<T> value, int depth) {
            return switch (depth == 0 ? random.nextInt(1, 4) : random.nextInt(5)) {
                case 1 -> new Leaf<>(value.get());
                case 2 -> new Empty<>(depth);
                case 3 -> (Tree<T>) (Tree<?>) (random.nextBoolean() ? Shade.LIGHT : Shade.DARK);
                default -> new Branch<>(tree(value, depth - 1), tree(value, depth - 1));
            };
        }

        private static Chain chain(int length) {
            return new Chain(length, length == 0 ? Optional.empty() : Optional.of(chain(length - 1)));
        }

        private Bean bean(int depth) {
            Bean bean = new Bean();
            bean.count = random.nextInt();
            if (random.nextBoolean()) {
                bean.setName(text());
            }
            if (depth > 0 && random.nextBoolean()) {
                bean.more = list(() -> bean(depth - 1));
            }
            return bean;
        }
    }
}

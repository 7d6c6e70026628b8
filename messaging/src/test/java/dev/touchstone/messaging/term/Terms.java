package dev.touchstone.messaging.term;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** Terms to test with: random ones of all kinds, and deep ones. */
public final class Terms {
    private static final String LETTERS =
            "abcdefghijklmnopqrstuvwxyz_@AZ09 '\"\\\n\u00e4\u00f6\u03b1\u65e5\u672c\ud83d\ude00";
    private static final long[] EDGES = {
        0,
        1,
        -1,
        127,
        128,
        255,
        256,
        -128,
        -129,
        1023,
        1024,
        65_535,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        -(1L << 31) - 1,
        1L << 40,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private Terms() {}

    /** A term of any kind, with others in it at most {@code depth} times one inside the other. */
    public static Term random(SplittableRandom random, int depth) {
        if (depth <= 0 || random.nextInt(3) == 0) {
            return leaf(random);
        }
        return switch (random.nextInt(7)) {
            case 0, 1 -> Tuple.of(several(random, depth, random.nextInt(5)));
            case 2, 3 -> ErlList.of(several(random, depth, random.nextInt(6)));
            case 4 ->
                ErlList.improper(List.of(several(random, depth, 1 + random.nextInt(3))), random(random, depth - 1));
            case 5 -> map(random, depth, random.nextInt(16) == 0 ? random.nextInt(400) : random.nextInt(12));
            default -> fun(random, several(random, depth, random.nextInt(3)));
        };
    }

    /** A term without others in it. */
    public static Term leaf(SplittableRandom random) {
        return switch (random.nextInt(14)) {
            case 0, 1, 2 -> integer(random);
            case 3, 4 -> atom(random);
            case 5 -> Int.of(new BigInteger(1 + random.nextInt(300 * 8), new FromSplittable(random)).negate());
            case 6 -> ErlFloat.of(random.nextBoolean() ? random.nextInt(100) / 8.0 : finite(random));
            case 7 -> Binary.of(bytes(random, random.nextInt(40)));
            case 8 -> BitString.of(bytes(random, 1 + random.nextInt(5)), 1 + random.nextInt(7));
            case 9 -> integers(random);
            case 10 -> pid(random);
            case 11 ->
                Port.of(atom(random), random.nextBoolean() ? random.nextInt() : random.nextLong(), random.nextInt());
            case 12 ->
                Ref.of(
                        atom(random),
                        random.nextInt(),
                        random.ints(1 + random.nextInt(5)).toArray());
            default -> ExportFun.of(atom(random), atom(random), random.nextInt(256));
        };
    }

    /** Returns one of many terms with the same hash: funs of one place in the code, which different processes have made. */
    public static Fun colliding(int number) {
        return Fun.of(1, new byte[Fun.UNIQ_BYTES], 0, Atom.OK, 0, 0, Pid.of(Atom.OK, number, 0, 1));
    }

    public static Atom atom(SplittableRandom random) {
        int length = random.nextInt(8) == 0 ? random.nextInt(256) : random.nextInt(12);
        int[] codes = LETTERS.codePoints().toArray();
        int range = random.nextBoolean() ? 26 : codes.length;
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < length; i++) {
            name.appendCodePoint(codes[random.nextInt(range)]);
        }
        return Atom.of(name.toString());
    }

    public static Pid pid(SplittableRandom random) {
        return Pid.of(atom(random), random.nextInt(), random.nextInt(), random.nextInt());
    }

    public static byte[] bytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** {@code depth} times {@code around}, one inside the other, around {@code inner}. */
    public static Term nested(int depth, Term inner, UnaryOperator<Term> around) {
        Term term = inner;
        for (int i = 0; i < depth; i++) {
            term = around.apply(term);
        }
        return term;
    }

    private static Int integer(SplittableRandom random) {
        return Int.of(random.nextBoolean() ? EDGES[random.nextInt(EDGES.length)] : random.nextInt(300));
    }

    private static ErlList integers(SplittableRandom random) {
        int length = random.nextInt(16) == 0 ? random.nextInt(3000) : random.nextInt(10);
        int bits = random.nextInt(65);
        long[] values = new long[length];
        for (int i = 0; i < length; i++) {
            values[i] = bits == 0 ? 0 : random.nextLong() >>> (64 - bits);
        }
        return ErlList.ofLongs(values);
    }

    private static double finite(SplittableRandom random) {
        double value = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(value) ? value : -0.0;
    }

    private static Term[] several(SplittableRandom random, int depth, int count) {
        Term[] terms = new Term[count];
        for (int i = 0; i < count; i++) {
            terms[i] = random(random, depth - 1);
        }
        return terms;
    }

    private static ErlMap map(SplittableRandom random, int depth, int size) {
        Map<Term, Term> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            Term key = random.nextInt(6) == 0 ? random(random, Math.min(2, depth - 1)) : leaf(random);
            map.put(key, size > 20 ? leaf(random) : random(random, depth - 1));
        }
        return ErlMap.of(map);
    }

    private static Fun fun(SplittableRandom random, Term[] free) {
        byte[] uniq = bytes(random, Fun.UNIQ_BYTES);
        int arity = random.nextInt(256);
        return Fun.of(
                arity, uniq, random.nextInt(), atom(random), random.nextInt(), random.nextInt(), pid(random), free);
    }

    /** An equal term, no part of which is the same object; maps in another order, and integers not packed. */
    public static Term copy(Term term, SplittableRandom random) {
        if (term instanceof Tuple tuple) {
            return Tuple.of(copies(tuple.asList(), random));
        }
        if (term instanceof ErlList list && !list.isEmpty()) {
            return ErlList.wrap(
                    copies(list.asList(), random), list.isProper() ? ErlList.EMPTY : copy(list.tail(), random));
        }
        if (term instanceof ErlMap map) {
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < map.size(); i++) {
                order.add(random.nextInt(i + 1), i);
            }
            Map<Term, Term> copy = new LinkedHashMap<>();
            order.forEach(i -> copy.put(copy(map.keyAt(i), random), copy(map.valueAt(i), random)));
            return ErlMap.of(copy);
        }
        if (term instanceof Fun fun) {
            List<Term> free = new ArrayList<>();
            for (int i = 0; i < fun.freeCount(); i++) {
                free.add(fun.free(i));
            }
            return fun.withFree(copies(free, random));
        }
        return copyLeaf(term);
    }

    private static Term[] copies(List<Term> terms, SplittableRandom random) {
        return terms.stream().map(term -> copy(term, random)).toArray(Term[]::new);
    }

    private static Term copyLeaf(Term term) {
        if (term instanceof Atom atom) {
            return Atom.of(atom.name());
        }
        if (term instanceof BigInt big) {
            return BigInt.of(big.value());
        }
        if (term instanceof Binary binary) {
            byte[] larger = new byte[binary.length() + 5];
            binary.copyTo(larger, 2);
            return Binary.wrap(larger, 2, binary.length());
        }
        return term;
    }

    /** Random bits for those who want a {@link java.util.Random}. */
    private static final class FromSplittable extends java.util.Random {
        private static final long serialVersionUID = 1;

        private final transient SplittableRandom source;

        FromSplittable(SplittableRandom source) {
            super(0);
            this.source = source;
        }

        @Override
        protected int next(int bits) {
            return source.nextInt() >>> (Integer.SIZE - bits);
        }
    }
}

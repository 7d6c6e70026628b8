package dev.touchstone.benchmarks.messaging;

import dev.touchstone.benchmarks.messaging.peer.TermFactory;
import dev.touchstone.benchmarks.messaging.peer.TermRecipe;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The terms of the codec's benchmark, by the value of its parameter {@code term}; each is the same in every run. */
public enum SampleTerm implements TermRecipe {
    /** A pid whose node's name has 34 characters: 46 B. */
    PID {
        @Override
        public <T> T build(TermFactory<T> make) {
            return make.pid("node-client-123456789012@localhost", 77, 3, 1);
        }
    },
    /** <code>{ok, Integer, Binary}</code> with 16 bytes: 32 B. */
    OK_TUPLE {
        @Override
        public <T> T build(TermFactory<T> make) {
            return make.tuple(List.of(make.atom("ok"), make.integer(1_234_567), make.binary(bytes(16))));
        }
    },
    /** A list of 1000 integers, none of which fits a byte: 5006 B. */
    INT_LIST {
        @Override
        public <T> T build(TermFactory<T> make) {
            return make.list(IntStream.range(0, 1_000)
                    .mapToObj(i -> make.integer(1_000 + i * 7_919))
                    .toList());
        }
    },
    /** A map from 50 atoms to integers: 803 B. */
    ATOM_MAP {
        @Override
        public <T> T build(TermFactory<T> make) {
            List<T> keys = new ArrayList<>();
            List<T> values = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                keys.add(make.atom("element_" + i));
                values.add(make.integer(i * 19));
            }
            return make.map(keys, values);
        }
    },
    /** A binary of 64 KiB. */
    BINARY_64K {
        @Override
        public <T> T build(TermFactory<T> make) {
            return make.binary(bytes(64 << 10));
        }
    },
    /** A list of 100 integers from 2 to the power of 200 on: 2906 B. */
    BIG_INTEGERS {
        @Override
        public <T> T build(TermFactory<T> make) {
            return make.list(IntStream.range(0, 100)
                    .mapToObj(i -> make.bigInteger(BigInteger.ONE.shiftLeft(200).add(BigInteger.valueOf(i))))
                    .toList());
        }
    },
    /** 100 pairs, each but the innermost with another inside: 405 B. */
    NESTED_TUPLES {
        @Override
        public <T> T build(TermFactory<T> make) {
            T term = make.atom("end");
            for (int i = 0; i < 100; i++) {
                term = make.tuple(List.of(make.integer(i), term));
            }
            return term;
        }
    },
    /** A tuple of 256 times <code>{ok, Integer, Binary}</code> with 8 bytes: 6149 B. */
    LARGE_TUPLE {
        @Override
        public <T> T build(TermFactory<T> make) {
            return make.tuple(IntStream.range(0, 256)
                    .mapToObj(i -> make.tuple(List.of(make.atom("ok"), make.integer(1_000 + i), make.binary(bytes(8)))))
                    .toList());
        }
    },
    /** A string of 1000 characters: 1003 B. */
    STRING_1000 {
        @Override
        public <T> T build(TermFactory<T> make) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 1_000; i++) {
                text.append((char) (' ' + i % 95));
            }
            return make.string(text.toString());
        }
    };

    private static final long SEED = 0x65_72_6c_61_6e_67L;

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new SplittableRandom(SEED).nextBytes(bytes);
        return bytes;
    }
}

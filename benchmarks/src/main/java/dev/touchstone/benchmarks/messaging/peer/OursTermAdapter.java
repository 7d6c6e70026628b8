package dev.touchstone.benchmarks.messaging.peer;

import static dev.touchstone.benchmarks.messaging.peer.PlainTerms.PLAIN;

import dev.touchstone.messaging.etf.AtomTable;
import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.BigInt;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.ErlMap;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Our codec: a writer and a reader that are used again, as a connection does. Binaries are copied out of the bytes, as peers do. */
public final class OursTermAdapter implements TermUnderTest {

    private static final int BUFFER_BYTES = 128 << 10;

    private final Term term;
    private final byte[] wire;
    private final TermWriter writer = new TermWriter(BUFFER_BYTES);
    private final TermReader reader = new TermReader(new AtomTable(), DecodeLimits.DEFAULT);

    private OursTermAdapter(TermRecipe recipe, byte[] wire) {
        term = recipe.build(Factory.INSTANCE);
        this.wire = wire;
    }

    /** Makes the term and takes its bytes to decode. */
    public static TermUnderTest of(TermRecipe recipe, byte[] wire) {
        return new OursTermAdapter(recipe, wire);
    }

    @Override
    public int encode() {
        writer.position(0);
        writer.write(term);
        return writer.position();
    }

    @Override
    public Object decode() {
        return reader.reset(wire, 0, wire.length, false).read();
    }

    @Override
    public byte[] encoded() {
        return Arrays.copyOf(writer.array(), writer.position());
    }

    @Override
    public Object plain(Object term) {
        return plainOf(term);
    }

    /** Returns a term of this library as a value of {@link PlainTerms}. */
    static Object plainOf(Object term) {
        if (term instanceof Pid pid) {
            return PLAIN.pid(pid.node().name(), pid.id(), pid.serial(), pid.creation());
        } else if (term instanceof Atom atom) {
            return PLAIN.atom(atom.name());
        } else if (term instanceof Int integer) {
            return BigInteger.valueOf(integer.value());
        } else if (term instanceof BigInt integer) {
            return integer.value();
        } else if (term instanceof Binary binary) {
            return PLAIN.binary(binary.toByteArray());
        } else if (term instanceof ErlList list) {
            return PLAIN.list(plainOf(list.asList()));
        } else if (term instanceof Tuple tuple) {
            return PLAIN.tuple(plainOf(tuple.asList()));
        } else if (term instanceof ErlMap map) {
            List<Object> keys = new ArrayList<>();
            List<Object> values = new ArrayList<>();
            map.asMap().forEach((key, value) -> {
                keys.add(plainOf(key));
                values.add(plainOf(value));
            });
            return PLAIN.map(keys, values);
        }
        throw new IllegalArgumentException("not among the sample terms: " + term);
    }

    private static List<Object> plainOf(List<Term> terms) {
        return terms.stream().map(OursTermAdapter::plainOf).toList();
    }

    /** Makes terms of this library. */
    static final class Factory implements TermFactory<Term> {

        static final Factory INSTANCE = new Factory();

        @Override
        public Term pid(String node, int id, int serial, int creation) {
            return Pid.of(Atom.of(node), id, serial, creation);
        }

        @Override
        public Term atom(String name) {
            return Atom.of(name);
        }

        @Override
        public Term integer(int value) {
            return Int.of(value);
        }

        @Override
        public Term bigInteger(BigInteger value) {
            return BigInt.of(value);
        }

        @Override
        public Term binary(byte[] bytes) {
            return Binary.of(bytes);
        }

        @Override
        public Term string(String latin1) {
            return ErlList.string(latin1);
        }

        @Override
        public Term list(List<Term> elements) {
            return ErlList.of(elements);
        }

        @Override
        public Term tuple(List<Term> elements) {
            return Tuple.of(elements.toArray(Term[]::new));
        }

        @Override
        public Term map(List<Term> keys, List<Term> values) {
            Term[] both = new Term[keys.size() * 2];
            for (int i = 0; i < keys.size(); i++) {
                both[i * 2] = keys.get(i);
                both[i * 2 + 1] = values.get(i);
            }
            return ErlMap.of(both);
        }
    }
}

package dev.touchstone.benchmarks.messaging.peer;

import static dev.touchstone.benchmarks.messaging.peer.PlainTerms.PLAIN;

import io.appulse.encon.terms.Erlang;
import io.appulse.encon.terms.ErlangTerm;
import io.appulse.encon.terms.type.ErlangAtom;
import io.appulse.encon.terms.type.ErlangBinary;
import io.appulse.encon.terms.type.ErlangInteger;
import io.appulse.encon.terms.type.ErlangList;
import io.appulse.encon.terms.type.ErlangMap;
import io.appulse.encon.terms.type.ErlangNil;
import io.appulse.encon.terms.type.ErlangPid;
import io.appulse.encon.terms.type.ErlangString;
import io.appulse.encon.terms.type.ErlangTuple;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** encon's codec on Netty's heap buffers, which are used again. */
public final class EnconTermAdapter implements TermUnderTest {

    private static final int BUFFER_BYTES = 128 << 10;

    private final ErlangTerm term;
    private final ByteBuf wire;
    private final ByteBuf out = Unpooled.buffer(BUFFER_BYTES);

    private EnconTermAdapter(TermRecipe recipe, byte[] wire) {
        term = recipe.build(Factory.INSTANCE);
        this.wire = Unpooled.wrappedBuffer(wire);
    }

    /** Makes the term and takes its bytes to decode. */
    public static TermUnderTest of(TermRecipe recipe, byte[] wire) {
        return new EnconTermAdapter(recipe, wire);
    }

    @Override
    public int encode() {
        out.clear();
        term.writeTo(out);
        return out.writerIndex();
    }

    @Override
    public Object decode() {
        return ErlangTerm.newInstance(wire.readerIndex(0));
    }

    @Override
    public byte[] encoded() {
        return ByteBufUtil.getBytes(out);
    }

    @Override
    public Object plain(Object term) {
        return plainOf(term);
    }

    /** Returns a term of this library as a value of {@link PlainTerms}. */
    static Object plainOf(Object term) {
        if (term instanceof ErlangPid pid) {
            return PLAIN.pid(pid.getNode().asText(), pid.getId(), pid.getSerial(), pid.getCreation());
        } else if (term instanceof ErlangAtom atom) {
            return PLAIN.atom(atom.asText());
        } else if (term instanceof ErlangInteger integer) {
            return integer.asBigInteger();
        } else if (term instanceof ErlangBinary binary) {
            return PLAIN.binary(binary.asBinary());
        } else if (term instanceof ErlangString string) {
            return PLAIN.string(string.asText());
        } else if (term instanceof ErlangNil) {
            return PLAIN.list(List.of());
        } else if (term instanceof ErlangList list) {
            return PLAIN.list(plainOf(list.elements()));
        } else if (term instanceof ErlangTuple tuple) {
            return PLAIN.tuple(plainOf(tuple.elements()));
        } else if (term instanceof ErlangMap map) {
            return PLAIN.map(plainOf(map.fieldNames()), plainOf(map.elements()));
        }
        throw new IllegalArgumentException("not among the sample terms: " + term);
    }

    private static List<Object> plainOf(Iterator<ErlangTerm> terms) {
        List<Object> values = new ArrayList<>();
        terms.forEachRemaining(term -> values.add(plainOf(term)));
        return values;
    }

    /** Makes terms of this library. */
    static final class Factory implements TermFactory<ErlangTerm> {

        static final Factory INSTANCE = new Factory();

        @Override
        public ErlangTerm pid(String node, int id, int serial, int creation) {
            return ErlangPid.builder()
                    .node(node)
                    .id(id)
                    .serial(serial)
                    .creation(creation)
                    .build();
        }

        @Override
        public ErlangTerm atom(String name) {
            return Erlang.atom(name);
        }

        @Override
        public ErlangTerm integer(int value) {
            return Erlang.number(value);
        }

        @Override
        public ErlangTerm bigInteger(BigInteger value) {
            return Erlang.number(value);
        }

        @Override
        public ErlangTerm binary(byte[] bytes) {
            return Erlang.binary(bytes);
        }

        @Override
        public ErlangTerm string(String latin1) {
            return Erlang.string(latin1);
        }

        @Override
        public ErlangTerm list(List<ErlangTerm> elements) {
            return Erlang.list(elements);
        }

        @Override
        public ErlangTerm tuple(List<ErlangTerm> elements) {
            return Erlang.tuple(elements);
        }

        @Override
        public ErlangTerm map(List<ErlangTerm> keys, List<ErlangTerm> values) {
            ErlangTerm[] both = new ErlangTerm[keys.size() * 2];
            for (int i = 0; i < keys.size(); i++) {
                both[i * 2] = keys.get(i);
                both[i * 2 + 1] = values.get(i);
            }
            return Erlang.map(both);
        }
    }
}

package dev.touchstone.benchmarks.messaging.peer;

import static dev.touchstone.benchmarks.messaging.peer.PlainTerms.PLAIN;

import com.ericsson.otp.erlang.OtpErlangAtom;
import com.ericsson.otp.erlang.OtpErlangBinary;
import com.ericsson.otp.erlang.OtpErlangDecodeException;
import com.ericsson.otp.erlang.OtpErlangInt;
import com.ericsson.otp.erlang.OtpErlangList;
import com.ericsson.otp.erlang.OtpErlangLong;
import com.ericsson.otp.erlang.OtpErlangMap;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpErlangPid;
import com.ericsson.otp.erlang.OtpErlangString;
import com.ericsson.otp.erlang.OtpErlangTuple;
import com.ericsson.otp.erlang.OtpInputStream;
import com.ericsson.otp.erlang.OtpOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;

/** jinterface's codec: an output stream that is used again, which its connections do not do, and an input stream for each term. */
public final class JinterfaceTermAdapter implements TermUnderTest {

    private static final int BUFFER_BYTES = 128 << 10;

    private final OtpErlangObject term;
    private final byte[] wire;
    private final OtpOutputStream out = new OtpOutputStream(BUFFER_BYTES);

    private JinterfaceTermAdapter(TermRecipe recipe, byte[] wire) {
        term = recipe.build(Factory.INSTANCE);
        this.wire = wire;
    }

    /** Makes the term and takes its bytes to decode. */
    public static TermUnderTest of(TermRecipe recipe, byte[] wire) {
        return new JinterfaceTermAdapter(recipe, wire);
    }

    @Override
    public int encode() {
        out.reset();
        out.write_any(term);
        return out.getPos();
    }

    @Override
    public Object decode() throws IOException {
        return decode(wire);
    }

    @Override
    public byte[] encoded() {
        return out.toByteArray();
    }

    @Override
    public Object plain(Object term) {
        return plainOf(term);
    }

    /** Returns a term of this library as a value of {@link PlainTerms}. */
    static Object plainOf(Object term) {
        if (term instanceof OtpErlangPid pid) {
            return PLAIN.pid(pid.node(), pid.id(), pid.serial(), pid.creation());
        } else if (term instanceof OtpErlangAtom atom) {
            return PLAIN.atom(atom.atomValue());
        } else if (term instanceof OtpErlangLong integer) {
            return integer.bigIntegerValue();
        } else if (term instanceof OtpErlangBinary binary) {
            return PLAIN.binary(binary.binaryValue());
        } else if (term instanceof OtpErlangString string) {
            return PLAIN.string(string.stringValue());
        } else if (term instanceof OtpErlangList list) {
            return PLAIN.list(plainOf(list.elements()));
        } else if (term instanceof OtpErlangTuple tuple) {
            return PLAIN.tuple(plainOf(tuple.elements()));
        } else if (term instanceof OtpErlangMap map) {
            return PLAIN.map(plainOf(map.keys()), plainOf(map.values()));
        }
        throw new IllegalArgumentException("not among the sample terms: " + term);
    }

    private static List<Object> plainOf(OtpErlangObject[] terms) {
        return Stream.of(terms).map(JinterfaceTermAdapter::plainOf).toList();
    }

    private static OtpErlangObject decode(byte[] bytes) throws IOException {
        try {
            return new OtpInputStream(bytes).read_any();
        } catch (OtpErlangDecodeException e) {
            throw new IOException(e);
        }
    }

    /** Makes terms of this library. */
    static final class Factory implements TermFactory<OtpErlangObject> {

        static final Factory INSTANCE = new Factory();

        @Override
        public OtpErlangObject pid(String node, int id, int serial, int creation) {
            return new OtpErlangPid(node, id, serial, creation);
        }

        @Override
        public OtpErlangObject atom(String name) {
            return new OtpErlangAtom(name);
        }

        @Override
        public OtpErlangObject integer(int value) {
            return new OtpErlangInt(value);
        }

        @Override
        public OtpErlangObject bigInteger(BigInteger value) {
            return new OtpErlangLong(value);
        }

        @Override
        public OtpErlangObject binary(byte[] bytes) {
            return new OtpErlangBinary(bytes);
        }

        @Override
        public OtpErlangObject string(String latin1) {
            return new OtpErlangString(latin1);
        }

        @Override
        public OtpErlangObject list(List<OtpErlangObject> elements) {
            return new OtpErlangList(elements.toArray(OtpErlangObject[]::new));
        }

        @Override
        public OtpErlangObject tuple(List<OtpErlangObject> elements) {
            return new OtpErlangTuple(elements.toArray(OtpErlangObject[]::new));
        }

        @Override
        public OtpErlangObject map(List<OtpErlangObject> keys, List<OtpErlangObject> values) {
            return new OtpErlangMap(keys.toArray(OtpErlangObject[]::new), values.toArray(OtpErlangObject[]::new));
        }
    }
}

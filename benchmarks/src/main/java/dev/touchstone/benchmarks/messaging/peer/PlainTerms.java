package dev.touchstone.benchmarks.messaging.peer;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Terms as plain values, to compare what libraries have read: integers are {@link BigInteger}s, binaries {@link ByteBuffer}s, lists and
 * strings {@link List}s, maps {@link Map}s.
 */
public final class PlainTerms implements TermFactory<Object> {

    /** The only one. */
    public static final PlainTerms PLAIN = new PlainTerms();

    private PlainTerms() {}

    @Override
    public Object pid(String node, int id, int serial, int creation) {
        return new PlainPid(node, id, serial, creation);
    }

    @Override
    public Object atom(String name) {
        return new PlainAtom(name);
    }

    @Override
    public Object integer(int value) {
        return BigInteger.valueOf(value);
    }

    @Override
    public Object bigInteger(BigInteger value) {
        return value;
    }

    @Override
    public Object binary(byte[] bytes) {
        return ByteBuffer.wrap(bytes);
    }

    @Override
    public Object string(String latin1) {
        List<Object> codes = new ArrayList<>();
        latin1.chars().forEach(code -> codes.add(integer(code)));
        return codes;
    }

    @Override
    public Object list(List<Object> elements) {
        return elements;
    }

    @Override
    public Object tuple(List<Object> elements) {
        return new PlainTuple(elements);
    }

    @Override
    public Object map(List<Object> keys, List<Object> values) {
        Map<Object, Object> map = new HashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            map.put(keys.get(i), values.get(i));
        }
        return map;
    }

    private record PlainPid(String node, int id, int serial, int creation) {}

    private record PlainAtom(String name) {}

    private record PlainTuple(List<Object> elements) {}
}

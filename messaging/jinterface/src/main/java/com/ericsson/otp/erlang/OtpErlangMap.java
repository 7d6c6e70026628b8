package com.ericsson.otp.erlang;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;

/** A map, which keeps the order in which keys were put. It can be changed; a map that is a key must not be. */
public class OtpErlangMap extends OtpErlangObject {
    private static final long serialVersionUID = 1;

    private LinkedHashMap<OtpErlangObject, OtpErlangObject> map;

    /** Creates an empty map. */
    public OtpErlangMap() {
        map = new LinkedHashMap<>();
    }

    /**
     * Creates a map.
     *
     * @param keys the keys, none of which is null
     * @param values as many values, none of which is null
     */
    public OtpErlangMap(OtpErlangObject[] keys, OtpErlangObject[] values) {
        this(keys, 0, keys.length, values, 0, values.length);
    }

    /**
     * Creates a map of parts of two arrays.
     *
     * @param keys an array with the keys
     * @param keyStart the index of the first key
     * @param keyCount the number of keys
     * @param values an array with the values
     * @param valueStart the index of the first value
     * @param valueCount the number of values
     * @throws IllegalArgumentException if a key or a value is null, or the numbers differ
     */
    public OtpErlangMap(
            OtpErlangObject[] keys,
            int keyStart,
            int keyCount,
            OtpErlangObject[] values,
            int valueStart,
            int valueCount) {
        if (keyCount != valueCount) {
            throw new IllegalArgumentException("Map keys and values must have same arity");
        }
        map = new LinkedHashMap<>();
        for (int i = 0; i < keyCount; i++) {
            OtpErlangObject key = keys[keyStart + i];
            OtpErlangObject value = values[valueStart + i];
            if (key == null) {
                throw new IllegalArgumentException("Map key cannot be null (element" + i + ")");
            }
            if (value == null) {
                throw new IllegalArgumentException("Map value cannot be null (element" + i + ")");
            }
            map.put(key, value);
        }
    }

    /**
     * Reads a map. Of equal keys the last counts.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no map is next
     */
    public OtpErlangMap(OtpInputStream in) throws OtpErlangDecodeException {
        int count = in.read_map_head();
        OtpErlangObject[] pairs = TermDecoder.pairs(in, count);
        map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
    }

    /**
     * Returns the number of keys.
     *
     * @return the number of keys
     */
    public int arity() {
        return map.size();
    }

    /**
     * Puts a value for a key.
     *
     * @param key the key
     * @param value the value
     * @return the value that the key had, or null
     */
    public OtpErlangObject put(OtpErlangObject key, OtpErlangObject value) {
        hashCodeValue = 0;
        return map.put(key, value);
    }

    /**
     * Removes a key.
     *
     * @param key the key
     * @return the value that the key had, or null
     */
    public OtpErlangObject remove(OtpErlangObject key) {
        hashCodeValue = 0;
        return map.remove(key);
    }

    /**
     * Returns the value of a key.
     *
     * @param key the key
     * @return the value, or null where there is none
     */
    public OtpErlangObject get(OtpErlangObject key) {
        return map.get(key);
    }

    /**
     * Returns the keys in a new array.
     *
     * @return the keys
     */
    public OtpErlangObject[] keys() {
        return map.keySet().toArray(new OtpErlangObject[0]);
    }

    /**
     * Returns the values in a new array, in the order of the keys.
     *
     * @return the values
     */
    public OtpErlangObject[] values() {
        return map.values().toArray(new OtpErlangObject[0]);
    }

    /**
     * Returns the keys with their values; what is removed from the set is removed from the map.
     *
     * @return the entries
     */
    public Set<Entry<OtpErlangObject, OtpErlangObject>> entrySet() {
        return map.entrySet();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("#{");
        map.forEach((key, value) -> text.append(text.length() == 2 ? "" : ",")
                .append(key)
                .append(" => ")
                .append(value));
        return text.append('}').toString();
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_map_head(map.size());
        map.forEach((key, value) -> {
            out.write_any(key);
            out.write_any(value);
        });
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof OtpErlangMap that && map.equals(that.map));
    }

    /**
     * Returns whether a map has all keys of this pattern with matching values; it may have more.
     *
     * @param <T> the type of the bindings
     * @param term the term that is looked at
     * @param binds takes what placeholders match
     * @return whether the term matches
     */
    @Override
    public <T> boolean match(OtpErlangObject term, T binds) {
        if (!(term instanceof OtpErlangMap that)) {
            return false;
        }
        for (Map.Entry<OtpErlangObject, OtpErlangObject> entry : map.entrySet()) {
            OtpErlangObject value = that.get(entry.getKey());
            if (value == null || !entry.getValue().match(value, binds)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public <T> OtpErlangObject bind(T binds) throws OtpErlangException {
        OtpErlangMap bound = new OtpErlangMap();
        for (Map.Entry<OtpErlangObject, OtpErlangObject> entry : map.entrySet()) {
            bound.put(entry.getKey(), entry.getValue().bind(binds));
        }
        return bound;
    }

    @Override
    public int hashCode() {
        return doHashCode(); // a map can change
    }

    @Override
    protected int doHashCode() {
        Hash hash = new Hash(11);
        hash.combine(map.hashCode());
        return hash.valueOf();
    }

    @Override
    public Object clone() {
        OtpErlangMap copy = (OtpErlangMap) super.clone();
        copy.map = new LinkedHashMap<>(map);
        return copy;
    }
}

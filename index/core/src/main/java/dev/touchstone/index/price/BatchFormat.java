package dev.touchstone.index.price;

import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of a batch, with the version that it makes, as logs hold it and members of a cluster send it. Numbers are big-endian; a count is in groups of seven bits, the low
 * ones first, with the high bit set in all bytes but the last; a text is the count of its bytes and UTF-8.
 *
 * <pre>
 *   format 1 | version 8 | CRC-32C of the key's and the fields' names and types 4 | count of changes
 *   change     flags 1 | offering, unless it is that of the change before | id | if a price is put:
 *              scale of the value 1 | value without its point 8 | currency | payload, if any | number of conditions 1 | conditions
 *   condition  ordinal of the field 1 | text, or number 8: the integer, the decimal without its point, or microseconds since 1970;
 *              from format 2 on, if the high bit of the first byte is set: count of texts | texts
 * </pre>
 *
 * <p>Logs keep a checksum of each entry. The decoder trusts no byte nevertheless: it allocates nothing that is longer than the entry.
 *
 * <p>Immutable and thread-safe.
 */
public final class BatchFormat {
    /** Number of the format that is written; lower ones are read as well. */
    public static final byte FORMAT = 2;

    /** Number of the first format in which a price may have several values of a field. */
    private static final byte FORMAT_OF_SETS = 2;

    /** Maximum length of an entry, in bytes. */
    public static final int MAX_BYTES = 32 << 20;

    private static final int HEAD_BYTES = 1 + Long.BYTES + Integer.BYTES;
    private static final int MIN_CHANGE_BYTES = 2;
    private static final int PUT = 1;
    private static final int SAME_OFFERING = 2;
    private static final int DEFAULT = 4;
    private static final int PAYLOAD = 8;
    private static final int KNOWN_FLAGS = PUT | SAME_OFFERING | DEFAULT | PAYLOAD;
    private static final int SEVERAL = 0x80; // beside the ordinal of a field
    private static final long MICROS = 1_000_000;

    private final PriceIndex index;
    private final List<Field> fields;
    private final int schema;

    /**
     * Creates the format of the batches of an index.
     *
     * @param index index whose key and fields the batches have, not null
     */
    public BatchFormat(PriceIndex index) {
        this.index = index;
        fields = index.fields();
        schema = schema(index);
    }

    private static int schema(PriceIndex index) {
        ByteEncoder names = new ByteEncoder();
        names.text(index.keyField());
        for (Field field : index.fields()) {
            names.text(field.name());
            names.text(field.type().name());
            names.write(field.scale());
        }
        CRC32C crc = new CRC32C();
        crc.update(names.toByteArray());
        return (int) crc.getValue();
    }

    /**
     * Returns the entry of a batch that the index has accepted.
     *
     * @param version number of the version that the batch makes, at least 2
     * @param batch batch that the index has accepted, not null
     * @return a new array
     * @throws InvalidValueException if the entry would be longer than {@link #MAX_BYTES}
     */
    public byte[] encode(long version, PriceBatch batch) {
        ByteEncoder out = begun(version, batch.size());
        batch.visit(new Changes(out));
        requireShort(out);
        return out.toByteArray();
    }

    /**
     * Returns the entry of a batch that puts all prices of a result, without making objects of them.
     *
     * @param version number of the version that the batch makes, at least 2
     * @param found result of the index, or of one with the same fields, not null
     * @return a new array
     * @throws InvalidValueException if the entry would be longer than {@link #MAX_BYTES}
     */
    public byte[] encode(long version, SearchResult.Found found) {
        ByteEncoder out = begun(version, found.size());
        Changes changes = new Changes(out);
        for (int i = 0; i < found.size(); i++) {
            changes.put(found, i);
        }
        requireShort(out);
        return out.toByteArray();
    }

    private static void requireShort(ByteEncoder out) {
        if (out.size() > MAX_BYTES) {
            throw new InvalidValueException(
                    "batch is too long: bytes=" + out.size() + " or more, expected=at most " + MAX_BYTES);
        }
    }

    private ByteEncoder begun(long version, int changes) {
        ByteEncoder out = new ByteEncoder();
        out.write(FORMAT);
        out.number(version);
        out.write(schema >>> 24);
        out.write(schema >>> 16);
        out.write(schema >>> 8);
        out.write(schema);
        out.count(changes);
        return out;
    }

    /** An encoder of the changes of a batch, one after the other. */
    private final class Changes implements PriceBatch.Visitor {
        private final ByteEncoder out;
        private String before = "";
        private boolean isFirst = true;

        Changes(ByteEncoder out) {
            this.out = out;
        }

        @Override
        public void put(Price price) {
            beginPut(price.offering(), price.id(), price.isDefault(), price.payload());
            value(
                    price.value().scale(),
                    price.value().unscaledValue().longValueExact(),
                    price.currency(),
                    price.payload());
            out.write(price.conditions().size());
            price.conditions().forEach((name, value) -> condition(index.field(name), value));
        }

        void put(SearchResult.Found found, int i) {
            String payload = found.payload(i);
            beginPut(found.offering(i), found.id(i), found.isDefault(i), payload);
            value(found.scale(i), found.unscaledValue(i), found.currency(i), payload);
            Object[] values = new Object[fields.size()];
            int count = 0;
            for (int at = 0; at < values.length; at++) {
                Object value = found.value(i, fields.get(at));
                if (value != null) {
                    values[at] = value;
                    count++;
                }
            }
            out.write(count);
            for (int at = 0; at < values.length; at++) {
                if (values[at] != null) {
                    condition(fields.get(at), values[at]);
                }
            }
        }

        private void beginPut(String offering, String id, boolean isDefault, @Nullable String payload) {
            begin(PUT | (isDefault ? DEFAULT : 0) | (payload == null ? 0 : PAYLOAD), offering, id);
        }

        private void value(int scale, long unscaled, String currency, @Nullable String payload) {
            out.write(scale);
            out.number(unscaled);
            out.text(currency);
            if (payload != null) {
                out.text(payload);
            }
        }

        @Override
        public void remove(String offering, String id) {
            begin(0, offering, id);
        }

        private void begin(int flags, String offering, String id) {
            requireShort(out);
            boolean isSame = !isFirst && offering.equals(before);
            isFirst = false;
            before = offering;
            out.write(flags | (isSame ? SAME_OFFERING : 0));
            if (!isSame) {
                out.text(offering);
            }
            out.text(id);
        }

        private void condition(Field field, Object value) {
            if (value instanceof Set<?> several) {
                out.write(field.ordinal() | SEVERAL);
                out.count(several.size());
                several.forEach(text -> out.text((String) text));
                return;
            }
            out.write(field.ordinal());
            if (value instanceof String text) {
                out.text(text);
            } else {
                out.number(number(field, value));
            }
        }

        private static long number(Field field, Object value) {
            if (value instanceof BigDecimal decimal) {
                return decimal.signum() == 0
                        ? 0
                        : decimal.setScale(field.scale(), RoundingMode.UNNECESSARY)
                                .unscaledValue()
                                .longValueExact();
            }
            if (value instanceof Instant instant) {
                return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), MICROS), instant.getNano() / 1000);
            }
            return ((Number) value).longValue();
        }
    }

    /**
     * Returns the version that an entry makes, by its first bytes alone.
     *
     * @param entry remaining bytes, which stay as they are
     * @return number of the version, at least 2
     * @throws CorruptEncodingException if the entry is too short, of another format or of an index with other fields
     */
    public long version(ByteBuffer entry) throws CorruptEncodingException {
        int at = entry.position();
        if (entry.remaining() < HEAD_BYTES) {
            throw new CorruptEncodingException(
                    "entry is too short: bytes=" + entry.remaining() + " expected=at least " + HEAD_BYTES, null);
        }
        if (entry.get(at) < 1 || entry.get(at) > FORMAT) {
            throw new CorruptEncodingException(
                    "unknown format of an entry: format=" + entry.get(at) + " expected=1 to " + FORMAT
                            + "; a later release may have written it",
                    null);
        }
        ByteBuffer head = entry.duplicate().order(ByteOrder.BIG_ENDIAN);
        long version = head.getLong(at + 1);
        int found = head.getInt(at + 1 + Long.BYTES);
        if (found != schema) {
            throw new CorruptEncodingException(
                    "entry is of an index with other fields: schema=" + Integer.toHexString(found) + " expected="
                            + Integer.toHexString(schema),
                    null);
        }
        if (version < 2) { // version 1 is the one that was built
            throw new CorruptEncodingException("entry has an impossible version: version=" + version, null);
        }
        return version;
    }

    /**
     * Returns the batch of an entry.
     *
     * @param entry remaining bytes, which stay as they are
     * @return a new batch
     * @throws CorruptEncodingException if the entry is not one that {@link #encode} could have made
     */
    public PriceBatch decode(ByteBuffer entry) throws CorruptEncodingException {
        long unused = version(entry);
        boolean mayHaveSets = entry.get(entry.position()) >= FORMAT_OF_SETS;
        ByteDecoder in = new ByteDecoder(entry.duplicate().position(entry.position() + HEAD_BYTES));
        int changes = in.count("changes", in.remaining() / MIN_CHANGE_BYTES);
        PriceBatch batch = new PriceBatch();
        String offering = null;
        for (int i = 0; i < changes; i++) {
            int flags = in.octet("flags");
            if ((flags & ~KNOWN_FLAGS) != 0 || ((flags & PUT) == 0 && (flags & (DEFAULT | PAYLOAD)) != 0)) {
                throw in.corrupt("flags", "value=" + flags);
            }
            if ((flags & SAME_OFFERING) == 0) {
                offering = in.text("offering");
            }
            if (offering == null) {
                throw in.corrupt("offering", "the first change has none");
            }
            try {
                if ((flags & PUT) == 0) {
                    batch.remove(offering, in.text("id"));
                } else {
                    batch.put(price(offering, flags, mayHaveSets, in));
                }
            } catch (InvalidValueException e) {
                throw new CorruptEncodingException("not a change: change=" + i + ": " + e.getMessage(), e);
            }
        }
        if (in.remaining() > 0) {
            throw in.corrupt("end", "bytes=" + in.remaining());
        }
        return batch;
    }

    private Price price(String offering, int flags, boolean mayHaveSets, ByteDecoder in)
            throws CorruptEncodingException {
        String id = in.text("id");
        int scale = in.octet("scale");
        BigDecimal value = BigDecimal.valueOf(in.number("value"), scale);
        String currency = in.text("currency");
        String payload = (flags & PAYLOAD) == 0 ? null : in.text("payload");
        int count = in.octet("conditions");
        if (count > fields.size()) {
            throw in.corrupt("conditions", "value=" + count + " expected=at most " + fields.size());
        }
        Map<String, Object> conditions = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int octet = in.octet("field");
            int ordinal = mayHaveSets ? octet & ~SEVERAL : octet;
            if (ordinal >= fields.size()) {
                throw in.corrupt("field", "value=" + ordinal + " expected=below " + fields.size());
            }
            Field field = fields.get(ordinal);
            Object condition = ordinal != octet ? several(field, in) : one(field, in);
            if (conditions.put(field.name(), condition) != null) {
                throw in.corrupt("field", "twice: name=" + field.name());
            }
        }
        return new Price(id, offering, conditions, value, currency, (flags & DEFAULT) != 0, payload);
    }

    private static Object one(Field field, ByteDecoder in) throws CorruptEncodingException {
        return field.type() == FieldType.STRING ? in.text(field.name()) : value(field, in.number(field.name()));
    }

    private static List<String> several(Field field, ByteDecoder in) throws CorruptEncodingException {
        if (field.type() != FieldType.STRING) {
            throw in.corrupt("field", "several values: name=" + field.name() + " type=" + field.type());
        }
        int count = in.count("values", Math.min(Price.MAX_VALUES, in.remaining()));
        List<String> several = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            several.add(in.text(field.name()));
        }
        return several;
    }

    private static Object value(Field field, long number) {
        return switch (field.type()) {
            case INTEGER -> number;
            case DECIMAL -> BigDecimal.valueOf(number, field.scale());
            case DATE_TIME -> Instant.EPOCH.plus(number, ChronoUnit.MICROS);
            case STRING -> throw new IllegalStateException("a string has no number: field=" + field.name());
        };
    }
}

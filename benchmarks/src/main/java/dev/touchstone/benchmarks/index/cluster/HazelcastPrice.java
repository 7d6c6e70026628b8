package dev.touchstone.benchmarks.index.cluster;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A price as a value of a Hazelcast map, in the fastest of its formats; attributes of queries are its fields. Immutable once it is read. */
@SuppressWarnings("unused") // attributes are read by their names
public final class HazelcastPrice implements IdentifiedDataSerializable {
    static final String OFFERING = "offering";
    static final String JOINED = "joined";
    static final String TAGS = "tags";
    static final String NUMBER = "number";

    private static final int FACTORY = 7;
    private static final int FIELDS = 7;
    private static final char SEPARATOR = '\n'; // which no string has

    public String id = "";
    public String offering = "";
    public String f0 = "";
    public String f1 = "";
    public String f2 = "";
    public String f3 = "";
    public String f4 = "";
    public String f5 = "";
    public String f6 = "";
    public String currency = "";
    public boolean isDefault;

    /** Value, which is the number of the price. */
    public long number;

    /** Offering and all strings in one; null where no index needs it. */
    public @Nullable String joined;

    /** Offering and each string with its field; null where no index needs them. */
    public String @Nullable [] tags;

    /** Attributes that only some subjects need. */
    enum Extra {
        NONE,
        JOINED,
        TAGS
    }

    /** Creates a price without content, to be read. */
    public HazelcastPrice() {}

    /** Returns a price. */
    static HazelcastPrice of(Price price, List<Field> fields, Extra extra) {
        HazelcastPrice made = new HazelcastPrice();
        made.id = price.id();
        made.offering = price.offering();
        made.f0 = string(price, fields.get(0));
        made.f1 = string(price, fields.get(1));
        made.f2 = string(price, fields.get(2));
        made.f3 = string(price, fields.get(3));
        made.f4 = string(price, fields.get(4));
        made.f5 = string(price, fields.get(5));
        made.f6 = string(price, fields.get(6));
        made.currency = price.currency();
        made.isDefault = price.isDefault();
        made.number = price.value().longValueExact();
        if (extra == Extra.JOINED) {
            made.joined = made.join();
        } else if (extra == Extra.TAGS) {
            made.tags = made.tag();
        }
        return made;
    }

    private static String string(Price price, Field field) {
        return (String) Objects.requireNonNull(price.conditions().get(field.name()), field.name());
    }

    /** Returns the name of the attribute for a field. */
    static String attribute(Field field) {
        return attribute(field.ordinal());
    }

    private static String attribute(int field) {
        return "f" + field;
    }

    /** Returns the names of the attributes of a composite index, the offering first. */
    static List<String> attributes() {
        List<String> names = new ArrayList<>(List.of(OFFERING));
        for (int i = 0; i < FIELDS; i++) {
            names.add(attribute(i));
        }
        return names;
    }

    String join() {
        return String.join(String.valueOf(SEPARATOR), offering, f0, f1, f2, f3, f4, f5, f6);
    }

    /** Returns what a request asks for as {@link #join} returns it for a price. */
    static String join(SearchRequest request) {
        List<SearchRequest.Term> terms = request.shape().terms();
        if (terms.size() != FIELDS) {
            throw new UnsupportedOperationException("only full requests have one string: request=" + request);
        }
        StringBuilder joined = new StringBuilder(120).append(request.offering());
        for (int i = 0; i < FIELDS; i++) {
            joined.append(SEPARATOR).append(Conditions.string(request, i));
        }
        return joined.toString();
    }

    private String[] tag() {
        return new String[] {
            tag(OFFERING, offering),
            tag(attribute(0), f0),
            tag(attribute(1), f1),
            tag(attribute(2), f2),
            tag(attribute(3), f3),
            tag(attribute(4), f4),
            tag(attribute(5), f5),
            tag(attribute(6), f6)
        };
    }

    /** Returns a string with its attribute. */
    static String tag(String attribute, String string) {
        return attribute + '=' + string;
    }

    static void register(SerializationConfig config) {
        config.addDataSerializableFactory(FACTORY, type -> new HazelcastPrice());
    }

    @Override
    public int getFactoryId() {
        return FACTORY;
    }

    @Override
    public int getClassId() {
        return 1;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeString(id);
        out.writeString(offering);
        out.writeString(f0);
        out.writeString(f1);
        out.writeString(f2);
        out.writeString(f3);
        out.writeString(f4);
        out.writeString(f5);
        out.writeString(f6);
        out.writeString(currency);
        out.writeBoolean(isDefault);
        out.writeLong(number);
        out.writeString(joined);
        out.writeStringArray(tags);
    }

    @Override
    public void readData(ObjectDataInput in) throws IOException {
        id = string(in);
        offering = string(in);
        f0 = string(in);
        f1 = string(in);
        f2 = string(in);
        f3 = string(in);
        f4 = string(in);
        f5 = string(in);
        f6 = string(in);
        currency = string(in);
        isDefault = in.readBoolean();
        number = in.readLong();
        joined = in.readString();
        tags = in.readStringArray();
    }

    private static String string(ObjectDataInput in) throws IOException {
        return Objects.requireNonNull(in.readString(), "string");
    }
}

package dev.touchstone.index.server.api.json;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.json.JsonLexer.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reader of prices in JSON. For one thread. */
public final class PriceJson {
    private static final int ID = 0;
    private static final int OFFERING = 1;
    private static final int CONDITIONS = 2;
    private static final int VALUE = 3;
    private static final int CURRENCY = 4;
    private static final int DEFAULT = 5;
    private static final int PAYLOAD = 6;
    private static final Field DECIMAL = new Field("value", FieldType.DECIMAL, 0, 0);

    private final PriceIndex index;
    private final Members price =
            new Members("id", "offering", "conditions", "value", "currency", "default", "payload");
    private final Members condition = new Members(); // of no names, for it takes any
    private final JsonLexer list;
    private final JsonLexer values; // of one field
    private byte[] bytes = {};

    /** Creates a reader of the prices of a service. */
    public PriceJson(PriceService service) {
        index = service.index();
        list = new JsonLexer(service.limits().depth());
        values = new JsonLexer(service.limits().depth());
    }

    /**
     * Reads the next value of a lexer, which should be a price.
     *
     * @param of name of the list of prices in the request, for messages
     * @param place index of the price in the list
     * @return the price, or null if the value is not JSON, or if two members of an object have one name
     * @throws RequestException if the value is not a price of this index
     */
    @Nullable
    public Price read(JsonLexer in, String of, int place) throws RequestException {
        bytes = in.bytes();
        if (!price.read(in, of, place)) {
            return null;
        }
        price.checkNames();
        Map<String, Object> values = new HashMap<>();
        if (!price.isAbsent(CONDITIONS) && !conditions(values)) {
            return null;
        }
        String currency = price.text(CURRENCY);
        try {
            return new Price(
                    price.needed(ID),
                    price.needed(OFFERING),
                    values,
                    value(),
                    currency == null ? "" : currency,
                    price.isTrue(DEFAULT),
                    price.text(PAYLOAD));
        } catch (InvalidValueException e) {
            throw RequestException.unfit(price.path(), e);
        }
    }

    /** Reads the values of the fields; returns false if two of them have one name. */
    private boolean conditions(Map<String, Object> values) throws RequestException {
        if (price.kind(CONDITIONS) != Kind.OBJECT) {
            throw price.bad(CONDITIONS, "an object is expected");
        }
        long seen = 0; // bits by ordinal
        list.begin(bytes, price.from(CONDITIONS), price.to(CONDITIONS));
        condition.begin(list);
        while (condition.next(list) >= 0) {
            String name = list.string();
            Field field;
            try {
                field = index.field(name);
            } catch (UnknownFieldException e) {
                throw RequestException.unfit(price.path("conditions"), e);
            }
            if ((seen & 1L << field.ordinal()) != 0) {
                return false;
            }
            seen |= 1L << field.ordinal();
            Kind kind = list.value();
            if (kind != Kind.NULL) {
                values.put(name, value(kind, field, name));
            }
        }
        return true;
    }

    private Object value(Kind kind, Field field, String name) throws RequestException {
        String path = price.path("conditions") + "." + RequestException.shown(name);
        return kind == Kind.ARRAY && field.type() == FieldType.STRING
                ? several(list.from(), list.to(), field, path)
                : value(list, kind, field, path);
    }

    private List<Object> several(int from, int to, Field field, String path) throws RequestException {
        List<Object> several = new ArrayList<>();
        values.begin(bytes, from + 1, to);
        if (values.isNext(']')) {
            return several;
        }
        do {
            Kind kind = values.value();
            several.add(value(values, kind, field, path + "[" + several.size() + "]"));
        } while (values.take(','));
        return several;
    }

    private Object value(JsonLexer in, Kind kind, Field field, String path) throws RequestException {
        try {
            return Members.value(bytes, in.from(), in.to(), kind, field);
        } catch (InvalidValueException e) {
            throw RequestException.unfit(path, e);
        }
    }

    private BigDecimal value() throws RequestException {
        if (!price.kind(VALUE).isNumber() && !price.kind(VALUE).isText()) {
            throw price.bad(VALUE, "a number is expected");
        }
        return (BigDecimal) price.value(VALUE, DECIMAL);
    }
}

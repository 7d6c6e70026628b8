package dev.touchstone.index.server.api.v2;

import dev.touchstone.index.Field;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.SearchResult;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A writer of the results of searches as {@code /v2/search} answers them. Thread-safe. */
public final class Results {
    private static final byte[] VERSION = ascii("\"version\":");
    private static final byte[] MATCHES = ascii(",\"matches\":");
    private static final byte[] PRICE = ascii(",\"price\":");
    private static final byte[] PRICES = ascii(",\"prices\":[");
    private static final byte[] ID = ascii("{\"id\":");
    private static final byte[] OFFERING = ascii(",\"offering\":");
    private static final byte[] CONDITIONS = ascii(",\"conditions\":{");
    private static final byte[] VALUE = ascii("},\"value\":");
    private static final byte[] CURRENCY = ascii(",\"currency\":");
    private static final byte[] IS_DEFAULT = ascii(",\"default\":true");
    private static final byte[] IS_NOT_DEFAULT = ascii(",\"default\":false");
    private static final byte[] PAYLOAD = ascii(",\"payload\":");

    private final PriceIndex index;
    private final List<Field> fields;
    private final byte[][] names; // of fields, each with its quotes and a colon

    /** Creates a writer of the prices of an index. */
    public Results(PriceIndex index) {
        this.index = index;
        fields = index.fields();
        names = fields.stream()
                .map(field -> new Response().json(field.name()).put(':'))
                .map(answer -> Arrays.copyOf(answer.bytes(), answer.size()))
                .toArray(byte[][]::new);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the HTTP status of a result. */
    static int status(SearchResult result) {
        if (result instanceof SearchResult.Found) {
            return 200;
        }
        return result instanceof SearchResult.Ambiguous ? RequestException.AMBIGUOUS : RequestException.NONE;
    }

    /** Writes the members of an object: version, number of matches, and price, prices or error. */
    void members(SearchResult result, MatchPolicy policy, Response answer) {
        answer.put(VERSION).digits(result.version()).put(MATCHES);
        if (result instanceof SearchResult.Found found) {
            answer.digits(found.matches());
            if (policy == MatchPolicy.ALL) {
                answer.put(PRICES);
                for (int i = 0; i < found.size(); i++) {
                    if (i > 0) {
                        answer.put(',');
                    }
                    price(found, i, answer);
                    answer.checkStopped();
                }
                answer.put(']');
            } else {
                answer.put(PRICE);
                price(found, 0, answer);
            }
        } else if (result instanceof SearchResult.Ambiguous several) {
            answer.digits(several.matches()).put(',');
            RequestException.writeMember(RequestException.AMBIGUOUS, several.matches() + " prices match", answer);
        } else {
            answer.digits(0).put(',');
            RequestException.writeMember(RequestException.NONE, "no price matches; /v2/explain tells why", answer);
        }
    }

    private void price(SearchResult.Found found, int i, Response answer) {
        answer.put(ID);
        if (found.hasUuid(i)) {
            answer.put('"').uuid(found.idHigh(i), found.idLow(i)).put('"');
        } else {
            answer.json(found.id(i));
        }
        answer.put(OFFERING).json(found.offering(i)).put(CONDITIONS);
        boolean isFirst = true;
        for (int k = 0; k < names.length; k++) {
            Object value = found.value(i, fields.get(k));
            if (value != null) {
                if (!isFirst) {
                    answer.put(',');
                }
                isFirst = false;
                answer.put(names[k]);
                value(value, answer);
            }
        }
        answer.put(VALUE)
                .decimal(found.unscaledValue(i), found.scale(i))
                .put(CURRENCY)
                .json(found.currency(i))
                .put(found.isDefault(i) ? IS_DEFAULT : IS_NOT_DEFAULT);
        String payload = found.payload(i);
        if (payload != null) {
            answer.put(PAYLOAD).json(payload);
        }
        answer.put('}');
    }

    /** Answers with the price whose offering and id are in bytes, percent-encoded and with a slash between them. */
    public void get(byte[] bytes, int from, int to, Response answer) {
        int slash = from;
        while (bytes[slash] != '/') {
            slash++;
        }
        try {
            String offering = decoded("offering", bytes, from, slash);
            String id = decoded("id", bytes, slash + 1, to);
            PriceIndex at = index.copy(); // which stays at one version
            Price price = at.price(offering, id);
            answer.version(at.version());
            if (price == null) {
                throw new RequestException(
                        RequestException.NONE,
                        "no such price: offering='" + RequestException.shown(offering) + "' id='"
                                + RequestException.shown(id) + "'");
            }
            answer.put('{').put(VERSION).digits(at.version()).put(PRICE);
            price(price, answer);
            answer.put('}').put('\n');
        } catch (RequestException e) {
            e.writeJson(answer);
        }
    }

    /** Returns the text of a part of a path. */
    private static String decoded(String name, byte[] bytes, int from, int to) throws RequestException {
        ByteBuffer plain = ByteBuffer.allocate(to - from);
        for (int i = from; i < to; i++) {
            if (bytes[i] != '%') {
                plain.put(bytes[i]);
                continue;
            }
            int high = i + 2 < to ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < to ? Character.digit(bytes[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw RequestException.bad(name, "two hexadecimal digits are expected behind %: at=" + (i - from));
            }
            plain.put((byte) (high << 4 | low));
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(plain.flip()).toString();
        } catch (CharacterCodingException e) {
            throw RequestException.bad(name, "well-formed UTF-8 is expected: " + e.getMessage());
        }
    }

    /** Writes a price as an object. */
    void price(Price price, Response answer) {
        answer.put(ID).json(price.id()).put(OFFERING).json(price.offering()).put(CONDITIONS);
        String before = "";
        for (int k = 0; k < names.length; k++) {
            Object value = price.conditions().get(fields.get(k).name());
            if (value != null) {
                answer.ascii(before).put(names[k]);
                value(value, answer);
                before = ",";
            }
        }
        answer.put(VALUE)
                .ascii(price.value().toPlainString()) // has at most 18 digits
                .put(CURRENCY)
                .json(price.currency())
                .put(price.isDefault() ? IS_DEFAULT : IS_NOT_DEFAULT);
        if (price.payload() != null) {
            answer.put(PAYLOAD).json(price.payload());
        }
        answer.put('}');
    }

    /** Writes a value of a field. */
    static void value(Object value, Response answer) {
        if (value instanceof Long number) {
            answer.digits(number);
        } else if (value instanceof BigDecimal number) {
            answer.ascii(number.toPlainString()); // has at most 18 digits
        } else if (value instanceof Set<?> several) {
            char before = '[';
            for (Object one : several) {
                answer.put(before).json(one.toString());
                before = ',';
            }
            answer.put(']');
        } else {
            answer.json(value.toString());
        }
    }
}

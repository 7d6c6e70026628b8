package dev.touchstone.benchmarks.index.peer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.touchstone.index.Field;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import dev.touchstone.index.sample.SeedPrices;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jackson's databind on both sides of the same search: records, and a reader and a writer that were made before. */
public final class JacksonJsonAdapter implements JsonUnderTest {
    private static final int OK = 200;
    private static final int BAD = 400;
    private static final int NONE = 404;
    private static final int SEVERAL = 409;

    private final PriceIndex index;
    private final PriceQuery query;
    private final Field spec;
    private final boolean isBulk;
    private final ObjectReader reader;
    private final ObjectWriter writer;
    private byte[] last = {};

    record Condition(@JsonProperty("char") String name, String value) {}

    record Search(
            @Nullable String offeringId,
            @Nullable String groupId,
            @Nullable String priceSpecId,
            @Nullable List<Condition> charValues,
            @Nullable Integer id) {}

    record Found(String id, String spec, BigDecimal value, String currency) {}

    record Failure(String message) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Item(
            @Nullable Found price,
            @Nullable Failure error,
            @JsonInclude @Nullable Integer id) {}

    /** No price, or several; not an accident, so without a stack. */
    private static final class NoPriceException extends Exception {
        private static final long serialVersionUID = 1;

        private final int status;

        NoPriceException(int status, String message) {
            super(message, null, false, false);
            this.status = status;
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * Creates an adapter over an index.
     *
     * @param isBulk whether requests are lists of searches
     */
    public JacksonJsonAdapter(PriceIndex index, boolean isBulk) {
        this.index = index;
        this.isBulk = isBulk;
        query = index.query();
        spec = index.field(SeedPrices.SPEC);
        JsonMapper mapper = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
        reader = isBulk ? mapper.readerForListOf(Search.class) : mapper.readerFor(Search.class);
        writer = mapper.writer();
    }

    @Override
    public int answer(byte[] request) {
        try {
            if (isBulk) {
                List<Search> searches = reader.readValue(request);
                last = writer.writeValueAsBytes(items(searches));
            } else {
                last = writer.writeValueAsBytes(found(reader.readValue(request)));
            }
            return OK;
        } catch (NoPriceException e) {
            last = e.text().getBytes(StandardCharsets.UTF_8);
            return e.status;
        } catch (JsonProcessingException e) {
            last = e.getOriginalMessage().getBytes(StandardCharsets.UTF_8);
            return BAD;
        } catch (IOException e) {
            throw new IllegalStateException("arrays are read without input or output", e);
        }
    }

    @Override
    public byte[] bytes() {
        return last.clone();
    }

    private List<Item> items(List<Search> searches) {
        List<Item> items = new ArrayList<>(searches.size());
        for (Search search : searches) {
            try {
                items.add(new Item(found(search), null, search.id));
            } catch (NoPriceException e) {
                items.add(new Item(null, new Failure(e.text()), search.id));
            }
        }
        return items;
    }

    private Found found(Search search) throws NoPriceException {
        fill(search);
        SearchResult result = index.search(query);
        if (result instanceof SearchResult.Found found) {
            return new Found(found.id(0), found.text(0, spec), found.value(0), found.currency(0));
        }
        if (result instanceof SearchResult.Ambiguous several) {
            throw new NoPriceException(SEVERAL, several.matches() + " prices match and none of them is a default one");
        }
        throw new NoPriceException(NONE, "no price matches");
    }

    private void fill(Search search) throws NoPriceException {
        query.clear();
        if (search.offeringId != null) {
            query.offering(search.offeringId);
        }
        try {
            if (search.charValues != null) {
                for (Condition condition : search.charValues) {
                    query.eq(condition.name, condition.value);
                }
            }
            if (search.groupId != null) {
                query.eq(SeedPrices.GROUP, search.groupId);
            }
            if (search.priceSpecId != null) {
                query.eq(SeedPrices.SPEC, search.priceSpecId);
            }
        } catch (UnknownFieldException e) {
            throw new NoPriceException(NONE, String.valueOf(e.getMessage()));
        }
    }
}

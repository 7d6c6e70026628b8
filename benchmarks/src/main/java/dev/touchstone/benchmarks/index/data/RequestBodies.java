package dev.touchstone.benchmarks.index.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.index.Field;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.sample.SeedPrices;
import java.util.ArrayList;
import java.util.List;

/** Forms of requests in JSON, of one search or of a list of them. */
public enum RequestBodies {
    /** The form in which clients of the original server send requests. */
    V1,
    /** The full query language. */
    V2;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Returns the form of requests at a path. */
    public static RequestBodies of(String path) {
        return path.equals("/v2/search") || path.equals("/v2/search/bulk") ? V2 : V1;
    }

    /**
     * Returns bodies that each name one of the seed's prices by all it has, always the same.
     *
     * @param items searches in a body; 1 is a single one, not a list
     */
    public List<byte[]> seed(int count, int items) {
        PriceIndex fields = PriceData.SEED.index(List.of());
        PriceData.Numbered prices = PriceData.SEED.prices(Integer.MAX_VALUE);
        return bodies(Requests.FULL.make(fields, prices, count * items), items);
    }

    /** Returns bodies of requests that are equalities only, with so many in each body. */
    public List<byte[]> bodies(List<SearchRequest> requests, int items) {
        List<byte[]> bodies = new ArrayList<>(requests.size() / items);
        try {
            for (int from = 0; from + items <= requests.size(); from += items) {
                bodies.add(JSON.writeValueAsBytes(
                        items == 1 ? search(requests.get(from)) : list(requests.subList(from, from + items))));
            }
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("text is always JSON", e);
        }
        return bodies;
    }

    private ArrayNode list(List<SearchRequest> requests) {
        ArrayNode list = JSON.createArrayNode();
        for (int i = 0; i < requests.size(); i++) {
            list.add(search(requests.get(i)).put("id", i + 1));
        }
        return list;
    }

    private ObjectNode search(SearchRequest request) {
        ObjectNode search = JSON.createObjectNode();
        String offering = request.offering();
        if (offering != null) {
            search.put(this == V1 ? "offeringId" : "offering", offering);
        }
        ArrayNode conditions = JSON.createArrayNode();
        List<SearchRequest.Term> terms = request.shape().terms();
        for (int i = 0; i < terms.size(); i++) {
            Field field = terms.get(i).field();
            String value = request.value(i).toString();
            if (this == V2) {
                conditions.addObject().put("field", field.name()).put("value", value);
                continue;
            }
            switch (field.name()) {
                case SeedPrices.GROUP -> search.put("groupId", value);
                case SeedPrices.SPEC -> search.put("priceSpecId", value);
                default -> conditions.addObject().put("char", field.name()).put("value", value);
            }
        }
        search.set(this == V1 ? "charValues" : "conditions", conditions);
        return search;
    }
}

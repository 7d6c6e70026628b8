package dev.touchstone.index.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.PriceIndex;
import dev.touchstone.index.SearchResult;
import java.io.IOException;

/** Methods that write the result of a search as {@code /v2/search} answers it. */
final class Results {
    private Results() {}

    /** Returns the HTTP status of a result. */
    static int status(SearchResult result) {
        if (result instanceof SearchResult.Found) {
            return 200;
        }
        return result instanceof SearchResult.Ambiguous ? RequestException.AMBIGUOUS : RequestException.NONE;
    }

    /** Writes the members of an object: version, number of matches, and price, prices or error. */
    static void members(SearchResult result, MatchPolicy policy, PriceIndex index, JsonGenerator json)
            throws IOException {
        json.writeNumberField("version", result.version());
        if (result instanceof SearchResult.Found found) {
            json.writeNumberField("matches", found.matches());
            if (policy == MatchPolicy.ALL) {
                json.writeArrayFieldStart("prices");
                for (int i = 0; i < found.size(); i++) {
                    PriceJson.write(found.price(i), index, json);
                }
                json.writeEndArray();
            } else {
                json.writeFieldName("price");
                PriceJson.write(found.price(0), index, json);
            }
        } else if (result instanceof SearchResult.Ambiguous several) {
            json.writeNumberField("matches", several.matches());
            error(RequestException.AMBIGUOUS, several.matches() + " prices match", json);
        } else {
            json.writeNumberField("matches", 0);
            error(RequestException.NONE, "no price matches; /v2/explain tells why", json);
        }
    }

    static void error(int status, String message, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("error");
        json.writeNumberField("status", status);
        json.writeStringField("message", message);
        json.writeEndObject();
    }
}

package dev.touchstone.index.server.api;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.IOException;

/**
 * A parser of values that become trees. A tree takes up to a hundred times the memory of its text, so the number of tokens of a value is limited. Not
 * thread-safe.
 */
final class TreeParser extends JsonParserDelegate {
    private final int most;
    private int tokens;

    /** Thrown when a value has more tokens than allowed. */
    static final class TooLargeException extends JsonProcessingException {
        private static final long serialVersionUID = 1;

        TooLargeException(int most, JsonLocation location) {
            super("a value of more than " + most + " tokens", location);
        }
    }

    TreeParser(JsonParser parser, int most) {
        super(parser);
        this.most = most;
    }

    /** Begins to count the tokens of a new value. */
    void begin() {
        tokens = 0;
    }

    @Override
    public JsonToken nextToken() throws IOException {
        if (++tokens > most) {
            throw new TooLargeException(most, currentLocation());
        }
        return super.nextToken();
    }
}

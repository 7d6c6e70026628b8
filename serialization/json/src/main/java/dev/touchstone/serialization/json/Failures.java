package dev.touchstone.serialization.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.touchstone.serialization.json.CompactJsonException.Reason;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Maker of the exceptions of one parser, with the place that the parser has come to. Not thread-safe. */
final class Failures {
    private final JsonParser parser;
    private final JsonPath path;

    Failures(JsonParser parser, JsonPath path) {
        this.parser = parser;
        this.path = path;
    }

    /** Makes the failure of the current token. */
    CompactJsonException of(Reason reason, String what) {
        JsonLocation place = parser.currentTokenLocation();
        return new CompactJsonException(reason, what, path.toString(), place.getLineNr(), place.getColumnNr());
    }

    /** Makes the failure of the current token as a value. */
    CompactJsonException value(String expected) throws IOException {
        return of(Reason.VALUE, "expected " + expected + ", got " + current());
    }

    /** Makes the failure that the parser has thrown. */
    CompactJsonException of(JsonProcessingException failure) {
        JsonLocation place = failure.getLocation();
        boolean isLimit = failure instanceof StreamConstraintsException;
        return new CompactJsonException(
                isLimit ? Reason.LIMIT : Reason.SYNTAX,
                (isLimit ? "beyond a limit: " : "not JSON: ") + failure.getOriginalMessage(),
                path.toString(),
                place == null ? parser.currentLocation().getLineNr() : place.getLineNr(),
                place == null ? parser.currentLocation().getColumnNr() : place.getColumnNr());
    }

    private String current() throws IOException {
        @Nullable JsonToken token = parser.currentToken();
        if (token == null) {
            return "the end";
        }
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "an array";
            default -> Quoted.of(parser.getText());
        };
    }
}

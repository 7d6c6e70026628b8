package dev.touchstone.index.server.api.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.RequestException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A factory of JSON parsers with limits for input from outside, and a finder of faults: requests of version 2 are read by {@link JsonLexer}, and a
 * parser reads only those that were refused, for the reason and its place. Thread-safe.
 */
public final class Json {
    private static final int LONGEST_NAME = 1000;

    private final JsonFactory lenient;
    private final JsonFactory strict;

    /** Creates a factory whose parsers refuse what is longer or deeper than the limits. */
    public Json(Limits limits) {
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxNestingDepth(limits.depth())
                .maxNumberLength(JsonLexer.MAX_DIGITS)
                .maxNameLength(LONGEST_NAME)
                .maxStringLength(limits.bulkBodyBytes())
                .build();
        lenient = builder().streamReadConstraints(constraints).build();
        strict = builder()
                .streamReadConstraints(constraints)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
    }

    private static JsonFactoryBuilder builder() {
        return new JsonFactoryBuilder()
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION);
    }

    /** Returns a parser that accepts equal names in an object; the last one counts. */
    public JsonParser lenient(byte[] bytes, int from, int to) throws IOException {
        return lenient.createParser(bytes, from, to - from);
    }

    /**
     * Returns the reason why a body is not JSON that begins with a token.
     *
     * @param at index where {@link JsonLexer} stopped, which is the place if a parser finds no fault: it is lenient with wrong UTF-8
     * @param message reason if the body begins with another token
     */
    public RequestException fault(byte[] bytes, int from, int to, int at, JsonToken first, String message) {
        try (JsonParser parser = strict.createParser(bytes, from, to - from)) {
            if (parser.nextToken() != first) {
                return bad(message, parser);
            }
        } catch (IOException e) {
            return bad(e);
        }
        RequestException found = find(bytes, from, to);
        return found != null ? found : bad("not JSON: well-formed UTF-8 is expected", bytes, from, at);
    }

    /** Returns the first fault of bytes that should be one JSON value, or null if a parser finds none. */
    @Nullable
    public RequestException find(byte[] bytes, int from, int to) {
        try (JsonParser parser = strict.createParser(bytes, from, to - from)) {
            int depth = 0;
            do {
                JsonToken token = parser.nextToken();
                if (token == null) {
                    return null;
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (token == JsonToken.VALUE_STRING) {
                    parser.getText(); // until now the parser has seen only its begin
                }
            } while (depth > 0);
            end(parser);
            return null;
        } catch (IOException e) {
            return bad(e);
        } catch (RequestException e) {
            return e;
        }
    }

    /** Checks that a parser has no further tokens. */
    public static void end(JsonParser parser) throws IOException, RequestException {
        if (parser.nextToken() != null) {
            throw bad("nothing more is expected", parser);
        }
    }

    public static RequestException bad(String message, JsonParser parser) {
        return new RequestException(RequestException.BAD, message + at(parser.currentTokenLocation()));
    }

    /** Returns the exception for a fault at an index of a body. */
    public static RequestException bad(String message, byte[] bytes, int from, int at) {
        int line = 1;
        int lineBegin = from;
        for (int i = from; i < at; i++) {
            if (bytes[i] == '\n' || (bytes[i] == '\r' && (i + 1 == at || bytes[i + 1] != '\n'))) {
                line++;
                lineBegin = i + 1;
            }
        }
        return new RequestException(RequestException.BAD, message + at(line, at - lineBegin + 1, at - from));
    }

    /** Returns the exception for bytes that a parser, or the decoder of its text, refuses. */
    public static RequestException bad(IOException failure) {
        if (failure instanceof JsonProcessingException json) {
            JsonLocation location = json.getLocation();
            return new RequestException(
                    RequestException.BAD,
                    "not JSON: " + json.getOriginalMessage() + (location == null ? "" : at(location)));
        }
        return new RequestException(RequestException.BAD, "not JSON: " + failure.getMessage());
    }

    private static String at(JsonLocation location) {
        return at(
                location.getLineNr(),
                location.getColumnNr(),
                Math.max(location.getByteOffset(), location.getCharOffset()));
    }

    private static String at(int line, int column, long offset) {
        return " at line " + line + ", column " + column + ", byte " + offset;
    }
}

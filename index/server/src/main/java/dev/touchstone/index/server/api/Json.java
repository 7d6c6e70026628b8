package dev.touchstone.index.server.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import java.io.IOException;

/** A factory of JSON parsers and generators, with limits for input from outside. Thread-safe. */
final class Json {
    private static final int LONGEST_NUMBER = 64;
    private static final int LONGEST_NAME = 1000;

    private static final int TOKENS_OF_ITEM = 4; // an item of a search has one or two tokens
    private static final int TOKENS_OF_CONDITION = 16;

    private final int mostTokens;
    private final JsonFactory plain;
    private final ObjectMapper strict;

    Json(Limits limits) {
        mostTokens = TOKENS_OF_ITEM * limits.items() + TOKENS_OF_CONDITION * limits.conditions();
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxNestingDepth(limits.depth())
                .maxNumberLength(LONGEST_NUMBER)
                .maxNameLength(LONGEST_NAME)
                .maxStringLength(limits.bulkBodyBytes())
                .build();
        plain = builder().streamReadConstraints(constraints).build();
        strict = new ObjectMapper(builder()
                .streamReadConstraints(constraints)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build());
        strict.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
        strict.configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false);
    }

    private static JsonFactoryBuilder builder() {
        return new JsonFactoryBuilder()
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION);
    }

    /** Returns a parser that accepts equal names in an object; the last one counts. */
    JsonParser lenient(byte[] bytes, int from, int to) throws IOException {
        return plain.createParser(bytes, from, to - from);
    }

    /** Returns a parser that refuses equal names in an object, and values of more tokens than a request or a price can need. */
    TreeParser strict(byte[] bytes, int from, int to) throws IOException {
        return new TreeParser(strict.getFactory().createParser(bytes, from, to - from), mostTokens);
    }

    JsonGenerator generator(Answer answer) throws IOException {
        return plain.createGenerator(answer.stream());
    }

    /** Returns the value at which a parser is. */
    JsonNode tree(TreeParser parser) throws IOException {
        parser.begin();
        return strict.readTree(parser);
    }

    /** Returns a complete body, which must be one object. */
    JsonNode object(byte[] bytes, int from, int to) throws RequestException {
        try (TreeParser parser = strict(bytes, from, to)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw bad("a JSON object is expected", parser);
            }
            JsonNode tree = tree(parser);
            end(parser);
            return tree;
        } catch (IOException e) {
            throw bad(e);
        }
    }

    /** Checks that a parser has no further tokens. */
    static void end(JsonParser parser) throws IOException, RequestException {
        if (parser.nextToken() != null) {
            throw bad("nothing more is expected", parser);
        }
    }

    static RequestException bad(String message, JsonParser parser) {
        return new RequestException(RequestException.BAD, message + at(parser.currentTokenLocation()));
    }

    /** Returns the exception for bytes that a parser, or the decoder of its text, refuses. */
    static RequestException bad(IOException failure) {
        if (failure instanceof TreeParser.TooLargeException large) {
            return new RequestException(
                    RequestException.TOO_LARGE, large.getOriginalMessage() + at(large.getLocation()));
        }
        if (failure instanceof JsonProcessingException json) {
            JsonLocation location = json.getLocation();
            return new RequestException(
                    RequestException.BAD,
                    "not JSON: " + json.getOriginalMessage() + (location == null ? "" : at(location)));
        }
        return new RequestException(RequestException.BAD, "not JSON: " + failure.getMessage());
    }

    private static String at(JsonLocation location) {
        return " at line " + location.getLineNr() + ", column " + location.getColumnNr() + ", byte "
                + Math.max(location.getByteOffset(), location.getCharOffset());
    }
}

package dev.touchstone.serialization.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.json.CompactJsonException.Reason;
import dev.touchstone.serialization.schema.Schema;
import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A stream of JSON objects, read as records one after the other. Lines in failures are those of the whole stream. Not thread-safe. */
public final class JsonRecordReader implements Closeable {
    private final CompactJson json;
    private final JsonParser parser;
    private final Reader in;
    private final @Nullable Schema schema;
    private final RecordParser objects;
    private @Nullable CompactJsonException failure;

    JsonRecordReader(CompactJson json, JsonParser parser, Reader in, Optional<Schema> schema) {
        this.json = json;
        this.parser = parser;
        this.in = in;
        this.schema = schema.orElse(null);
        objects = json.parser(parser);
    }

    /**
     * Reads the next object.
     *
     * @return bytes of its record; empty at the end of the stream
     * @throws IOException if the text cannot be read
     * @throws CompactJsonException if the text is not JSON, or no record; again whenever this is called
     */
    public Optional<byte[]> next() throws IOException {
        if (failure != null) {
            throw failure;
        }
        try {
            return parser.nextToken() == null ? Optional.empty() : Optional.of(record());
        } catch (JsonProcessingException e) {
            failure = objects.failures().of(e);
        } catch (CompactJsonException e) {
            failure = e;
        } catch (StackOverflowError e) {
            failure = CompactJson.tooDeep(json.limits(), e);
        }
        throw failure;
    }

    private byte[] record() throws IOException {
        JsonLocation start = parser.currentTokenLocation();
        ParsedRecord record = objects.read(schema);
        try {
            return json.encode(record);
        } catch (CompactException e) {
            throw new CompactJsonException(
                    Reason.LIMIT, String.valueOf(e.getMessage()), "$", start.getLineNr(), start.getColumnNr());
        }
    }

    /** Returns whether another value follows, and goes to it. */
    boolean hasMore() throws IOException {
        try {
            return parser.nextToken() != null;
        } catch (JsonProcessingException e) {
            throw objects.failures().of(e);
        }
    }

    /** Makes a failure of the place that the parser has come to. */
    CompactJsonException unexpected(String what) {
        return objects.failures().of(Reason.SYNTAX, what);
    }

    @Override
    public void close() throws IOException {
        parser.close();
        in.close();
    }
}

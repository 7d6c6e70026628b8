package dev.touchstone.index.loader;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows of JSON Lines: a flat object on each line, whose member names are columns. Not thread-safe. */
final class JsonLinesSource implements RowSource {
    private static final int DEEPEST = 4;

    private final JsonFactory json;
    private final LineReader lines;
    private final BitSet seen = new BitSet(); // columns that a row had a member for

    JsonLinesSource(Reader in, LoadOptions options) {
        lines = new LineReader(in, options.maxRowChars());
        json = factory(options);
    }

    private static JsonFactory factory(LoadOptions options) {
        return new JsonFactoryBuilder()
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEEPEST)
                        .maxStringLength(options.maxRowChars())
                        .build())
                .build();
    }

    @Override
    public boolean next(RowDraft draft) throws IOException, RowException {
        while (lines.next()) {
            if (lines.isTooLong()) {
                throw new RowException("", shown(), "a line longer than it may be", null);
            }
            if (!isBlank()) {
                read(draft);
                return true;
            }
        }
        return false;
    }

    private boolean isBlank() {
        for (int i = lines.from(); i < lines.to(); i++) {
            if (lines.chars()[i] > ' ') {
                return false;
            }
        }
        return true;
    }

    private String shown() {
        return new String(lines.chars(), lines.from(), Math.min(100, lines.to() - lines.from()));
    }

    private void read(RowDraft draft) throws IOException, RowException {
        for (int i = lines.from(); i < lines.to(); i++) {
            if (lines.chars()[i] == Utf8.DAMAGED) {
                throw new RowException("", shown(), Utf8.REASON, null);
            }
        }
        try (JsonParser parser = json.createParser(lines.chars(), lines.from(), lines.to() - lines.from())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new RowException("", shown(), "no JSON object", null);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                member(parser, draft);
            }
            if (parser.nextToken() != null) {
                throw new RowException("", shown(), "more than one JSON object on the line", null);
            }
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation(); // null if the limit of a length was exceeded
            throw new RowException(
                    "", shown(), e.getOriginalMessage() + (at == null ? "" : " at column " + at.getColumnNr()), e);
        }
    }

    private void member(JsonParser parser, RowDraft draft) throws IOException, RowException {
        String name = parser.currentName();
        int column = draft.schema.column(name);
        if (column < 0) {
            throw new RowException(RowError.shown(name), "", "column is not declared", null);
        }
        seen.set(column);
        switch (parser.nextToken()) {
            case VALUE_STRING -> draft.text(column, parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> draft.number(column, parser.getText());
            case VALUE_TRUE -> draft.bool(column, true);
            case VALUE_FALSE -> draft.bool(column, false);
            case VALUE_NULL -> {}
            case START_ARRAY -> draft.texts(column, strings(parser, draft, column));
            default -> throw draft.wrong(column, "", "an object, where a value should be", null);
        }
    }

    private static List<String> strings(JsonParser parser, RowDraft draft, int column)
            throws IOException, RowException {
        List<String> strings = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.VALUE_STRING) {
                throw draft.wrong(column, parser.getText(), "a list of other values than strings", null);
            }
            strings.add(parser.getText());
        }
        return strings;
    }

    /**
     * Returns the member names of the first object of a file, each with the type that its value seems to have.
     *
     * @throws LoadException if there is no object, and the options do not allow an empty file
     */
    static Map<String, String> columns(Reader in, LoadOptions options) throws IOException {
        Map<String, String> columns = new LinkedHashMap<>();
        try (LineReader lines = new LineReader(in, options.maxRowChars())) {
            while (columns.isEmpty() && lines.next()) {
                try (JsonParser parser =
                        factory(options).createParser(lines.chars(), lines.from(), lines.to() - lines.from())) {
                    if (parser.nextToken() == JsonToken.START_OBJECT) {
                        while (parser.nextToken() == JsonToken.FIELD_NAME) {
                            String name = parser.currentName();
                            columns.put(name, type(parser));
                        }
                    }
                } catch (JsonProcessingException e) {
                    columns.clear(); // try the next line
                }
            }
        }
        if (columns.isEmpty() && !options.mayBeEmpty()) {
            throw new LoadException("no line with a JSON object", null);
        }
        return columns;
    }

    private static String type(JsonParser parser) throws IOException {
        JsonToken first = parser.nextToken();
        parser.skipChildren();
        return switch (first) {
            case VALUE_NUMBER_INT -> "integer";
            case VALUE_NUMBER_FLOAT -> "decimal(6)";
            default -> "string";
        };
    }

    @Override
    public boolean hasColumn(int column) {
        return seen.get(column);
    }

    @Override
    public long line() {
        return lines.line();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}

package dev.touchstone.queue.replicated.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.PrintWriter;

/** Output of JSON documents. */
final class Json {
    private Json() {}

    /** Returns a generator of indented JSON, whose end leaves {@code out} open. */
    static JsonGenerator generator(PrintWriter out) throws IOException {
        return new JsonFactory()
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM)
                .createGenerator(out)
                .setPrettyPrinter(new DefaultPrettyPrinter());
    }
}

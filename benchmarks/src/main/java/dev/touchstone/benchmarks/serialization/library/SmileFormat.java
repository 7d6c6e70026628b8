package dev.touchstone.benchmarks.serialization.library;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.smile.databind.SmileMapper;
import java.io.IOException;

/** Jackson's Smile, by a writer and a reader made for the class. */
final class SmileFormat implements ObjectFormat {
    private final ObjectWriter writer;
    private final ObjectReader reader;

    SmileFormat(Class<?> type) {
        ObjectMapper mapper = new SmileMapper();
        writer = mapper.writerFor(type);
        reader = mapper.readerFor(type);
    }

    @Override
    public byte[] write(Object object) throws IOException {
        return writer.writeValueAsBytes(object);
    }

    @Override
    public Object read(byte[] bytes) throws IOException {
        return reader.readValue(bytes);
    }
}

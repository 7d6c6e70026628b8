package dev.touchstone.benchmarks.serialization.library;

import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.touchstone.benchmarks.serialization.peer.CodecUnderTest;
import java.io.IOException;
import java.util.List;

/** Jackson's JSON, by a writer and a reader made for the class. */
public final class JsonFormat implements ObjectFormat {
    private final ObjectWriter writer;
    private final ObjectReader reader;

    private JsonFormat(Class<?> type) {
        JsonMapper mapper = new JsonMapper();
        writer = mapper.writerFor(type);
        reader = mapper.readerFor(type);
    }

    /** Makes a codec of the records. */
    public static CodecUnderTest codec(List<Object> records, String wanted) throws IOException {
        return LibraryCodecAdapter.ofBeans(JsonFormat::new, records, wanted);
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

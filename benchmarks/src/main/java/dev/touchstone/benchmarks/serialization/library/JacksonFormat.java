package dev.touchstone.benchmarks.serialization.library;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.smile.SmileFactory;
import com.fasterxml.jackson.dataformat.smile.SmileGenerator;
import com.fasterxml.jackson.dataformat.smile.databind.SmileMapper;
import dev.touchstone.benchmarks.serialization.peer.CodecUnderTest;
import java.io.IOException;
import java.util.List;

/** Jackson's formats, by a writer and a reader made for the class. */
public final class JacksonFormat implements ObjectFormat {
    private final ObjectWriter writer;
    private final ObjectReader reader;

    private JacksonFormat(ObjectMapper mapper, Class<?> type) {
        writer = mapper.writerFor(type);
        reader = mapper.readerFor(type);
    }

    /** Makes a codec of the records in JSON. */
    public static CodecUnderTest json(List<Object> records, String wanted) throws IOException {
        return LibraryCodecAdapter.ofBeans(type -> new JacksonFormat(new JsonMapper(), type), records, wanted);
    }

    /** Makes a codec of the records in JSON, with Jackson's faster ways to write and to read numbers with a fraction. */
    public static CodecUnderTest jsonFastNumbers(List<Object> records, String wanted) throws IOException {
        JsonMapper mapper = JsonMapper.builder()
                .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
                .build();
        return LibraryCodecAdapter.ofBeans(type -> new JacksonFormat(mapper, type), records, wanted);
    }

    /** Makes a codec of the records in Smile. */
    public static CodecUnderTest smile(List<Object> records, String wanted) throws IOException {
        return LibraryCodecAdapter.ofBeans(type -> new JacksonFormat(new SmileMapper(), type), records, wanted);
    }

    /** Makes a codec of the records in Smile that writes the names of fields anew in each place. */
    public static CodecUnderTest smileWholeNames(List<Object> records, String wanted) throws IOException {
        SmileMapper mapper = SmileMapper.builder(SmileFactory.builder()
                        .disable(SmileGenerator.Feature.CHECK_SHARED_NAMES)
                        .build())
                .build();
        return LibraryCodecAdapter.ofBeans(type -> new JacksonFormat(mapper, type), records, wanted);
    }

    /** Makes a codec of the records in Smile that writes bytes as they are and not seven bits at a time. */
    public static CodecUnderTest smileRawBytes(List<Object> records, String wanted) throws IOException {
        SmileMapper mapper = SmileMapper.builder(SmileFactory.builder()
                        .disable(SmileGenerator.Feature.ENCODE_BINARY_AS_7BIT)
                        .build())
                .build();
        return LibraryCodecAdapter.ofBeans(type -> new JacksonFormat(mapper, type), records, wanted);
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

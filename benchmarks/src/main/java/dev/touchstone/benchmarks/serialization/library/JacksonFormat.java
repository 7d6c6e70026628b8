package dev.touchstone.benchmarks.serialization.library;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.smile.SmileFactory;
import com.fasterxml.jackson.dataformat.smile.SmileFactoryBuilder;
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

    /** Makes a codec of the records in JSON, with Jackson's faster ways to write and to read numbers with a fraction. */
    public static CodecUnderTest json(List<Object> records, String wanted) throws IOException {
        JsonMapper mapper = JsonMapper.builder()
                .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
                .build();
        return codec(mapper, records, wanted);
    }

    /** Makes a codec of the records in JSON by Jackson's defaults. */
    public static CodecUnderTest jsonDefaults(List<Object> records, String wanted) throws IOException {
        return codec(new JsonMapper(), records, wanted);
    }

    /** Makes a codec of the records in Smile that writes the names of fields anew in each place. */
    public static CodecUnderTest smile(List<Object> records, String wanted) throws IOException {
        return smile(SmileFactory.builder().disable(SmileGenerator.Feature.CHECK_SHARED_NAMES), records, wanted);
    }

    /** Makes a codec of the records in Smile by Jackson's defaults, which write a name once and refer to it. */
    public static CodecUnderTest smileDefaults(List<Object> records, String wanted) throws IOException {
        return codec(new SmileMapper(), records, wanted);
    }

    /** Makes a codec of the records in Smile as {@link #smile}, with bytes as they are and not seven bits at a time. */
    public static CodecUnderTest smileRawBytes(List<Object> records, String wanted) throws IOException {
        return smile(
                SmileFactory.builder()
                        .disable(SmileGenerator.Feature.CHECK_SHARED_NAMES)
                        .disable(SmileGenerator.Feature.ENCODE_BINARY_AS_7BIT),
                records,
                wanted);
    }

    private static CodecUnderTest smile(SmileFactoryBuilder setting, List<Object> records, String wanted)
            throws IOException {
        return codec(SmileMapper.builder(setting.build()).build(), records, wanted);
    }

    private static CodecUnderTest codec(ObjectMapper mapper, List<Object> records, String wanted) throws IOException {
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

package dev.touchstone.benchmarks.index.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AnswerReaderTest {
    private static final String PLAIN = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\ndate: now\r\n\r\nhello";
    private static final String EMPTY = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    private static final String CHUNKED =
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=1\r\n0123456789\r\n0\r\nt: 1\r\n\r\n";

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void read_inPartsOfAnySize_findsEachEnd(int partSize) throws IOException {
        AnswerReader reader = new AnswerReader();
        byte[] bytes = (PLAIN + CHUNKED + EMPTY + PLAIN).getBytes(StandardCharsets.US_ASCII);
        StringBuilder seen = new StringBuilder();
        for (int at = 0; at < bytes.length; at += partSize) {
            ByteBuffer part = ByteBuffer.wrap(bytes, at, Math.min(partSize, bytes.length - at));
            while (reader.read(part)) {
                seen.append(reader.status())
                        .append(' ')
                        .append(reader.bodyBytes())
                        .append(reader.isLast() ? " last\n" : "\n");
            }
        }
        assertThat(seen.toString()).isEqualTo("200 5\n200 15\n404 0 last\n200 5\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-x\r\n",
                "HTTP/1.1\r\n",
                "HTTP/1.1 200 OK\r\ncontent-length: x\r\n",
                "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n",
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\ng\r\n"
            })
    void read_noAnswer_fails(String text) {
        assertThatThrownBy(() -> new AnswerReader().read(ascii(text))).isInstanceOf(IOException.class);
    }

    @Test
    void read_endlessLine_fails() {
        assertThatThrownBy(() -> new AnswerReader().read(ascii("HTTP/1.1 200 OK\r\n" + "a".repeat(9000))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("8192");
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}

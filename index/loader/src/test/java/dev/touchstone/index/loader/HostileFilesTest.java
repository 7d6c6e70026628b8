package dev.touchstone.index.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.price.PriceIndex;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files that nobody would write by mistake alone: each of them is refused with a reason, or costs its bad rows only. */
@Timeout(60)
class HostileFilesTest {
    private static final PriceSchema SCHEMA =
            PriceSchema.builder().string("region").build();
    private static final LoadOptions ALLOWING = LoadOptions.DEFAULT.withMaxErrors(10);
    private static final String GOOD =
            "{\"id\":\"good\",\"offering\":\"o\",\"value\":1,\"region\":\"\\ud83d\\ude00\"}\n";

    private static PriceLoad jsonLines(String text) throws IOException {
        return PriceLoader.jsonLines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), SCHEMA, ALLOWING);
    }

    @Test
    void jsonLines_halfOfACharacter_makesTheRowBad() throws IOException {
        for (String column : List.of("id", "offering", "currency", "payload", "region")) {
            for (String value : List.of("\"\\ud800\"", "\"a\\udc00\"", "\"\\udc00\\ud800\"", "\"\\ud800x\"")) {
                String row = "{\"" + column + "\":" + value
                        + (column.equals("id") ? "" : ",\"id\":\"bad\"")
                        + (column.equals("offering") ? "" : ",\"offering\":\"o\"") + ",\"value\":1}\n";
                requireOneBadRow(row, column, "half of a character");
            }
        }
        requireOneBadRow(
                "{\"id\":\"bad\",\"offering\":\"o\",\"value\":1,\"region\":[\"a\",\"\\ud800\"]}\n",
                "region",
                "half of a character");
    }

    @Test
    void jsonLines_nameThatIsTooLong_makesTheRowBad() throws IOException {
        requireOneBadRow("{\"" + "n".repeat(60_000) + "\":1}\n", "", "ength");
    }

    private static void requireOneBadRow(String row, String column, String reason) throws IOException {
        try (PriceLoad load = jsonLines(row + GOOD)) {
            PriceIndex index = SCHEMA.declare(PriceIndex.builder()).build(load);
            assertThat(index.price("o", "good")).isNotNull();
            assertThat(load.report().errors()).as(row).isEqualTo(1);
            assertThat(load.report().first().get(0).column()).isEqualTo(column);
            assertThat(load.report().first().get(0).reason()).contains(reason);
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    /** The second part of a file may be damaged where it begins. */
    @Test
    void gzip_bytesBehindItsMembers_areRefused() throws IOException {
        byte[] first = gzip("id,offering,value\na,o,1\n");
        byte[] second = gzip("b,o,1\n");
        PriceSchema schema = PriceSchema.builder().build();
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        try (PriceLoad load = PriceLoader.csv(new ByteArrayInputStream(both), schema, LoadOptions.DEFAULT)) {
            assertThat(load).hasSize(2);
        }
        for (int bit = 0; bit < 24; bit++) { // identification and method
            byte[] flipped = both.clone();
            flipped[first.length + bit / 8] ^= (byte) (1 << bit % 8);
            requireDamaged(flipped, schema);
        }
        for (int length : new int[] {1, 8, 17, 18, 19, 1000, 70_000}) {
            requireDamaged(Arrays.copyOf(first, first.length + length), schema);
        }
    }

    private static void requireDamaged(byte[] bytes, PriceSchema schema) throws IOException {
        try (PriceLoad load = PriceLoader.csv(new ByteArrayInputStream(bytes), schema, LoadOptions.DEFAULT)) {
            assertThatThrownBy(() -> load.forEach(price -> {}))
                    .isInstanceOf(LoadException.class)
                    .hasMessageContaining("gzip is damaged");
        }
    }

    @Test
    void csvSchema_ofAHeadThatIsNotReadable_tellsSo(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("prices.csv");
        for (String head :
                List.of("id,offering,value,gr\u00f6\u00dfe\n", "id,\"offering\n", "id,offering\"\",\"v\"x\n")) {
            for (String rows : List.of("", "a,o,1\n")) {
                Files.write(file, (head + rows).getBytes(StandardCharsets.ISO_8859_1));
                assertThatThrownBy(() -> PriceLoader.csvSchema(file, "offering", Map.of()))
                        .isInstanceOf(LoadException.class)
                        .hasMessageContaining("head is not readable: line 1");
            }
        }
    }
}

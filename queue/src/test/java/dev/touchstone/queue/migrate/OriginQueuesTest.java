package dev.touchstone.queue.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.Codec;
import dev.touchstone.queue.DiskQueue;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues that popout and tape themselves wrote, compared with the elements that the same library reads from them. */
@Timeout(60)
class OriginQueuesTest {
    private static final String EXPECTED_SUFFIX = ".expected.txt";
    private static final int QUEUES = 16;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path temp;

    static Stream<String> names() throws IOException, URISyntaxException {
        Path folder = folder();
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.map(file -> folder.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> file.endsWith(EXPECTED_SUFFIX))
                    .map(file -> file.substring(0, file.length() - EXPECTED_SUFFIX.length()))
                    .sorted()
                    .forEach(names::add);
        }
        return names.stream();
    }

    @Test
    void names_eachQueueOfTheFolder() throws IOException, URISyntaxException {
        assertThat(names()).hasSize(QUEUES);
    }

    @ParameterizedTest
    @MethodSource("names")
    void into_layoutDetected_equalsWhatTheLibraryReads(String name) throws IOException, URISyntaxException {
        MigrationResult result = migrate(Migration.from(folder().resolve(name)));
        assertThat(read(name)).isEqualTo(expected(name));
        assertThat(result.payloadLayout()).isEqualTo(layout(name));
        assertThat(result.records()).isEqualTo(expected(name).size());
        assertThat(result.skipped()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void into_layoutGiven_equalsWhatTheLibraryReads(String name) throws IOException, URISyntaxException {
        PayloadLayout layout = layout(name);
        MigrationResult result = migrate(Migration.from(folder().resolve(name)).payloadLayout(layout));
        assertThat(result.payloadLayout()).isEqualTo(layout);
        assertThat(read(name)).isEqualTo(expected(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"popout/synced-string-half", "popout/batched-string-half"})
    void into_plainStrings_keepTheirLengths(String name) throws IOException, URISyntaxException {
        migrate(Migration.from(folder().resolve(name)).payloadLayout(PayloadLayout.PLAIN));
        assertThat(read(Codec.utf8(), text -> text)).contains("\0\0\0\7hello35");
    }

    private static PayloadLayout layout(String name) {
        return name.startsWith("popout") && (name.contains("string") || name.contains("bytes"))
                ? PayloadLayout.LENGTH_PREFIXED
                : PayloadLayout.PLAIN;
    }

    private MigrationResult migrate(Migration migration) throws IOException {
        try (DiskQueue<byte[]> target =
                DiskQueue.batched().folder(temp.resolve("target")).open()) {
            return migration.into(target);
        }
    }

    /** Returns the elements of the target, decoded by the codec that its user would choose, as the expected lines write them. */
    private List<String> read(String name) {
        if (name.contains("string")) {
            return read(Codec.utf8(), text -> text);
        }
        if (name.contains("integer")) {
            return read(
                    Codec.bytes(),
                    bytes -> String.valueOf(whole(bytes, Integer.BYTES).getInt()));
        }
        if (name.contains("long")) {
            return read(
                    Codec.bytes(),
                    bytes -> String.valueOf(whole(bytes, Long.BYTES).getLong()));
        }
        return read(Codec.bytes(), bytes -> HexFormat.of().formatHex(bytes));
    }

    private <T> List<String> read(Codec<T> codec, Function<T, String> line) {
        List<String> lines = new ArrayList<>();
        try (DiskQueue<T> queue =
                DiskQueue.batched().folder(temp.resolve("target")).codec(codec).open()) {
            for (T element = queue.poll(); element != null; element = queue.poll()) {
                lines.add(line.apply(element));
            }
        }
        return lines;
    }

    private static ByteBuffer whole(byte[] payload, int bytes) {
        assertThat(payload).hasSize(bytes);
        return ByteBuffer.wrap(payload);
    }

    private static List<String> expected(String name) throws IOException, URISyntaxException {
        return Files.readAllLines(folder().resolve(name + EXPECTED_SUFFIX));
    }

    private static Path folder() throws URISyntaxException {
        return Path.of(Objects.requireNonNull(OriginQueuesTest.class.getResource("/origin-queues"), "origin-queues")
                .toURI());
    }
}

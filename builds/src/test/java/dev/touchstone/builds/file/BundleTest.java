package dev.touchstone.builds.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bundle is read as it was written, or not at all. */
class BundleTest {
    private static final String DIGEST = "0".repeat(64);

    @TempDir
    Path tmp;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Path write(List<String> names, List<byte[]> contents) throws IOException {
        Path file = tmp.resolve("bundle");
        Files.deleteIfExists(file);
        try (BundleWriter writer = new BundleWriter(file, names, 1 << 20)) {
            for (byte[] content : contents) {
                writer.add(Channels.newChannel(new ByteArrayInputStream(content)), () -> {});
            }
            assertThat(writer.finish().items()).extracting(Bundle.Item::name).isEqualTo(names);
            assertThat(writer.length()).isEqualTo(Files.size(file));
        }
        return file;
    }

    private List<byte[]> read(Path file) throws IOException {
        List<byte[]> contents = new ArrayList<>();
        try (FileChannel in = FileChannel.open(file)) {
            for (Bundle.Item item : Bundle.read(in).items()) {
                Path copy = Files.createTempFile(tmp, "copy", "");
                try (FileChannel out = FileChannel.open(copy, StandardOpenOption.WRITE)) {
                    Bundle.copy(in, item, out);
                }
                contents.add(Files.readAllBytes(copy));
                Files.delete(copy);
            }
        }
        return contents;
    }

    @Test
    void files_ofAnyNameAndSize_areReadAsWritten() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        byte[] large = new byte[300_001];
        new Random(seed).nextBytes(large);
        List<byte[]> contents = List.of(new byte[0], large, new byte[] {7});
        Path file = write(List.of("a", "target/b\u20ac.jar", "c\nd"), contents);
        assertThat(read(file)).as("seed=%d", seed).containsExactlyElementsOf(contents);
        assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
    }

    @Test
    void bundle_withAnyByteChangedOrCutAnywhere_isRefused() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] whole = Files.readAllBytes(write(List.of("a", "b"), List.of(bytes("content"), new byte[3000])));
        for (int i = 0; i < 500; i++) {
            byte[] bad = whole.clone();
            boolean isCut = random.nextInt(4) == 0;
            int at = random.nextBoolean() ? random.nextInt(150) : random.nextInt(whole.length);
            bad[at] ^= (byte) (1 << random.nextInt(8));
            Path file = Files.write(tmp.resolve("bad"), isCut ? Arrays.copyOf(whole, at) : bad);
            assertThatThrownBy(() -> read(file)).as("seed=%d at=%d", seed, at).isInstanceOf(IOException.class);
        }
    }

    @Test
    void add_moreBytesThanAllowed_isRefused() throws IOException {
        try (BundleWriter writer = new BundleWriter(tmp.resolve("small"), List.of("a", "b"), 10)) {
            writer.add(Channels.newChannel(new ByteArrayInputStream(new byte[10])), () -> {});
            assertThatThrownBy(() -> writer.add(Channels.newChannel(new ByteArrayInputStream(new byte[1])), () -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("more than bytes=10");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "../a", "a/../b", "a//b", "a/", "./a", "a\0b", "\ud800"})
    void names_thatLeadOut_areRefused(String name) {
        assertThatThrownBy(() -> new Bundle(List.of(new Bundle.Item(name, 0, DIGEST))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void names_thatStandTwiceOrAreFoldersToo_areRefused() {
        Bundle.Item item = new Bundle.Item("a/b", 0, DIGEST);
        assertThatThrownBy(() -> new Bundle(List.of(item, item))).hasMessageContaining("once");
        assertThatThrownBy(() -> new Bundle(List.of(item, new Bundle.Item("a/b/c", 0, DIGEST))))
                .hasMessageContaining("folder");
    }

    @Test
    void bytes_ofAnyName_areThoseOfTheFileSystem() throws IOException {
        assertThat(RelativePath.bytes(Path.of("usr"))).isEqualTo(bytes("usr"));
        assertThat(RelativePath.bytes(Path.of("a b%/c+"))).isEqualTo(bytes("a b%/c+"));
    }

    @Test
    void list_ofSizesThatOverflow_isRefused() throws IOException {
        byte[] list = new Bundle(List.of(
                        new Bundle.Item("a", Long.MAX_VALUE, DIGEST),
                        new Bundle.Item("b", Long.MAX_VALUE, DIGEST),
                        new Bundle.Item("c", 7, DIGEST)))
                .encode();
        assertThatThrownBy(() -> Bundle.decode(list)).hasMessageContaining("too large together");
    }
}

package dev.touchstone.index.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Price;
import dev.touchstone.index.loader.LoadOptions;
import dev.touchstone.index.loader.PriceLoad;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.PriceFileWatch.Look;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.store.PriceStore;
import dev.touchstone.index.server.store.StoreOptions;
import dev.touchstone.index.server.store.StoreProgress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that replace the prices of a service; the test looks at them in place of a thread. */
@Timeout(120)
class PriceFileWatchTest {
    private static final String HEAD = "id,offering,value,currency,region,months\n";

    private final StringWriter messages = new StringWriter();

    @TempDir
    Path folder = Path.of("");

    private static PriceIndex index() {
        return PriceIndex.builder()
                .string("region")
                .integer("months")
                .build(List.of(
                        Price.of("a", "fibre", Map.of("region", "north", "months", 12L), BigDecimal.ONE),
                        Price.of("b", "fibre", Map.of("region", "south"), BigDecimal.ONE)));
    }

    private PriceFileWatch watch(Path file, PriceService service) {
        return new PriceFileWatch(file, LoadOptions.DEFAULT, null, service, new PrintWriter(messages));
    }

    private PriceFileWatch watch(Path file, PriceIndex index) {
        return watch(file, new PriceService(index, Limits.DEFAULT));
    }

    /** Puts a file in the place of another one, as a rename does. */
    private void replace(Path file, byte[] bytes) throws IOException {
        Path next = Files.write(folder.resolve("next"), bytes);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private void replace(Path file, String text) throws IOException {
        replace(file, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static List<String> ids(PriceIndex index) {
        return index.prices("fibre").stream().map(Price::id).toList();
    }

    @ParameterizedTest
    @CsvSource({"prices.csv, false", "prices.csv.gz, true", "prices.jsonl, false", "prices.jsonl.gz, true"})
    void look_atAReplacedFile_replacesAllPrices(String name, boolean isPacked) throws IOException {
        Path file = folder.resolve(name);
        PriceIndex index = index();
        PriceFileWatch watch = watch(file, index);
        assertThat(watch.look()).isEqualTo(Look.SAME); // there is no file
        boolean isJson = name.contains("json");
        String first = isJson ? """
                {"id":"a","offering":"fibre","value":1,"region":"north","months":12}
                {"id":"c","offering":"fibre","value":3}
                """ : HEAD + "a,fibre,1,,north,12\nc,fibre,3,,,\n";
        replace(file, isPacked ? gzip(first) : first.getBytes(StandardCharsets.UTF_8));

        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);

        assertThat(ids(index)).containsExactly("a", "c");
        assertThat(index.version()).isEqualTo(2);
        assertThat(messages.toString()).contains("version=2 put=1 removed=1 unchanged=1 batches=1");
        assertThat(watch.look()).isEqualTo(Look.SAME);
        replace(file, isPacked ? gzip(first) : first.getBytes(StandardCharsets.UTF_8));
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        assertThat(index.version()).as("the same prices make no version").isEqualTo(2);
    }

    @Test
    void look_atAFileThatGrows_waitsForItsEnd() throws IOException {
        Path file = folder.resolve("prices.csv");
        PriceIndex index = index();
        PriceFileWatch watch = watch(file, index);
        try (Writer out = Files.newBufferedWriter(file)) {
            out.write(HEAD);
            for (int i = 0; i < 5; i++) {
                out.write("p" + i + ",fibre,1,,north," + i + "\n");
                out.flush();
                assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
            }
        }
        assertThat(index.version()).isEqualTo(1);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        assertThat(ids(index)).containsExactly("p0", "p1", "p2", "p3", "p4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id,offering,value,region,months\na,fibre,1,north,12\nc,fibre,much,north,12\n", // row
                "id,offering,value,region,months\n", // no price
                "", // no head
                "id,offering,value,region\na,fibre,1,north\n", // a field is missing
                "id,offering,value,region,months,colour\na,fibre,1,north,12,red\n", // no such field
                "id,offering,value,region,months\na,fibre,1,north,12\na,fibre,2,north,12\n", // an id twice
            })
    void look_atABadFile_keepsThePrices(String text) throws IOException {
        Path file = folder.resolve("prices.csv");
        PriceIndex index = index();
        PriceService service = new PriceService(index, Limits.DEFAULT);
        PriceFileWatch watch = watch(file, service);
        replace(file, text);
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REFUSED);
        assertThat(watch.look()).as("it is not read again").isEqualTo(Look.SAME);
        assertThat(ids(index)).containsExactly("a", "b");
        assertThat(index.version()).isEqualTo(1);
        assertThat(messages.toString()).contains("file is refused, and the prices stay: file=" + file);

        replace(file, HEAD + "c,fibre,1,,north,12\n");
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        assertThat(ids(index)).containsExactly("c");
    }

    @Test
    void look_atACutOffGzipFile_keepsThePrices() throws IOException {
        Path file = folder.resolve("prices.csv.gz");
        PriceIndex index = index();
        PriceFileWatch watch = watch(file, index);
        byte[] whole = gzip(HEAD + "c,fibre,1,,north,12\n");
        for (int length = 0; length < whole.length; length += 5) {
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
            assertThat(watch.look()).as("length=" + length).isEqualTo(Look.REFUSED);
        }
        assertThat(index.version()).isEqualTo(1);
    }

    @Test
    void look_whenNothingCanBeStored_triesAgainAfterPausesThatDouble() throws IOException {
        Path file = folder.resolve("prices.csv");
        PriceIndex index = index();
        boolean[] isFull = {true};
        PriceService service = new PriceService(
                index,
                batch -> {
                    if (isFull[0]) {
                        throw new IOException("disk is full");
                    }
                    return index.update(batch);
                },
                Limits.DEFAULT);
        PriceFileWatch watch = watch(file, service);
        replace(file, HEAD + "c,fibre,1,,north,12\n");
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.FAILED);
        assertThat(watch.look()).isEqualTo(Look.SAME);
        assertThat(watch.look()).isEqualTo(Look.FAILED);
        assertThat(watch.look()).isEqualTo(Look.SAME);
        assertThat(watch.look()).isEqualTo(Look.SAME);
        isFull[0] = false;
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        assertThat(messages.toString()).contains("file could not be used, and is tried again", "disk is full");
        assertThat(ids(index)).containsExactly("c");
    }

    @Test
    void look_atTheFileThatWasThereBefore_isNotStale() throws IOException {
        Path file = folder.resolve("prices.csv");
        PriceService service = new PriceService(index(), Limits.DEFAULT);
        PriceFileWatch watch = watch(file, service);
        replace(file, HEAD + "c,fibre,1,,north,12\n");
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        Path kept = Files.createLink(folder.resolve("kept"), file);
        replace(file, HEAD + "d,fibre,1,,north,12\n");
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(stale(service)).isEqualTo("1.0");
        Files.move(kept, file, StandardCopyOption.ATOMIC_MOVE);
        assertThat(watch.look()).isEqualTo(Look.SAME);
        assertThat(stale(service)).isEqualTo("0.0");
    }

    private static String stale(PriceService service) {
        String name = "touchstone_index_watch_stale ";
        Response answer = new Response();
        service.metrics().handle(new byte[0], 0, 0, answer);
        return new String(answer.bytes(), 0, answer.size(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()))
                .findFirst()
                .orElseThrow();
    }

    /** The second of several batches fails, so that the prices are those of two files. */
    @Test
    void look_atTheFileThatWasThereBefore_takesBackWhatWasUsedOfAnother() throws IOException {
        Path file = folder.resolve("prices.csv");
        PriceIndex index = PriceIndex.builder().string("region").build(List.of());
        int[] left = {2};
        PriceService service = new PriceService(
                index,
                batch -> {
                    if (left[0]-- == 0) {
                        throw new IOException("disk is full");
                    }
                    return index.update(batch);
                },
                Limits.DEFAULT);
        PriceFileWatch watch = watch(file, service);
        String head = "id,offering,value,payload,region\n";
        replace(file, head + "a,fibre,1,,north\n");
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        Path kept = Files.createLink(folder.resolve("kept"), file);
        replace(file, manyRows("p"));
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.FAILED);
        assertThat(ids(index)).contains("a", "p0");

        Files.move(kept, file, StandardCopyOption.ATOMIC_MOVE);
        assertThat(watch.look()).isEqualTo(Look.SAME); // the pause
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        assertThat(ids(index)).containsExactly("a");
    }

    /** The second of two passes must not read a file that the first has not checked. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void look_atAFileThatIsReplacedBetweenTheTwoPasses_usesTheOneThatWasChecked_andThenTheOther(boolean isGood)
            throws IOException {
        Path file = folder.resolve("prices.csv");
        String other = manyRows("q") + (isGood ? "" : "r,fibre,much,,north\n");
        PriceIndex index = PriceIndex.builder().string("region").build(List.of());
        int[] opened = {0};
        PriceFileWatch watch = new PriceFileWatch(
                file,
                LoadOptions.DEFAULT,
                null,
                new PriceService(index, Limits.DEFAULT),
                new PrintWriter(messages),
                (path, content, schema, options) -> {
                    if (++opened[0] == 2) {
                        replace(file, other);
                    }
                    return Source.open(path, content, schema, options);
                });
        replace(file, manyRows("p"));
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);

        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);

        assertThat(opened[0]).isEqualTo(2);
        assertThat(ids(index))
                .as("none of an unchecked file is used")
                .hasSize(300)
                .allMatch(id -> id.startsWith("p"));
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(isGood ? Look.REPLACED : Look.REFUSED);
        assertThat(ids(index)).hasSize(300).allMatch(id -> id.startsWith(isGood ? "q" : "p"));
    }

    /** A file that takes the watched one's place for the moment in which the second pass opens it must not be read, though all attributes are as before. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void look_atAFileThatIsSwappedAndSwappedBackBetweenTheTwoPasses_readsWhatWasChecked(boolean isGood)
            throws IOException {
        Path file = folder.resolve("prices.csv");
        Path kept = folder.resolve("kept");
        String other = manyRows("q") + (isGood ? "" : "r,fibre,much,,north\n");
        PriceIndex index = PriceIndex.builder().string("region").build(List.of());
        int[] opened = {0};
        PriceFileWatch watch = new PriceFileWatch(
                file,
                LoadOptions.DEFAULT,
                null,
                new PriceService(index, Limits.DEFAULT),
                new PrintWriter(messages),
                (path, content, schema, options) -> {
                    if (++opened[0] != 2) {
                        return Source.open(path, content, schema, options);
                    }
                    Files.createLink(kept, file);
                    replace(file, other);
                    PriceLoad load = Source.open(path, content, schema, options);
                    Files.move(kept, file, StandardCopyOption.ATOMIC_MOVE);
                    return load;
                });
        replace(file, manyRows("p"));
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        assertThat(opened[0]).isEqualTo(2);
        assertThat(ids(index)).hasSize(300).allMatch(id -> id.startsWith("p"));
        assertThat(watch.look()).isEqualTo(Look.SAME);
    }

    /** The rows behind the first batches become others while these are applied. */
    @ParameterizedTest
    @ValueSource(strings = {"z,fibre,much,,north\n", "z,fibre,1,,north\n"})
    void look_atAFileThatChangesInTheSecondPass_readsItAgain(String last) throws IOException {
        Path file = folder.resolve("prices.csv");
        PriceIndex index = PriceIndex.builder().string("region").build(List.of());
        boolean[] isChanged = {false};
        PriceService service = new PriceService(
                index,
                batch -> {
                    if (!isChanged[0]) {
                        isChanged[0] = true;
                        Files.writeString(file, last, StandardOpenOption.APPEND);
                    }
                    return index.update(batch);
                },
                Limits.DEFAULT);
        PriceFileWatch watch = watch(file, service);
        String rows = manyRows("p");
        replace(file, rows);
        Path kept = Files.createLink(folder.resolve("kept"), file);
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(index.version()).as("some batches were used").isGreaterThan(1);
        assertThat(stale(service)).isEqualTo("1.0");
        assertThat(messages.toString()).contains("file has changed while it was used");

        Files.move(kept, file, StandardCopyOption.ATOMIC_MOVE);
        Files.writeString(file, rows);
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        assertThat(ids(index)).hasSize(300).allMatch(id -> id.startsWith("p"));
        assertThat(stale(service)).isEqualTo("0.0");
    }

    /** Returns more rows than fit into one batch. */
    private static String manyRows(String prefix) {
        StringBuilder rows = new StringBuilder("id,offering,value,payload,region\n");
        for (int i = 0; i < 300; i++) {
            rows.append(prefix)
                    .append(i)
                    .append(",fibre,1,")
                    .append("x".repeat(50_000))
                    .append(",north\n");
        }
        return rows.toString();
    }

    @Test
    void look_atManyChanges_appliesSeveralBatches() throws IOException {
        Path file = folder.resolve("prices.csv");
        PriceIndex index = PriceIndex.builder().string("region").build(List.of());
        PriceFileWatch watch = watch(file, index);
        replace(file, manyRows("p")); // of which a batch takes about a hundred
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        assertThat(index.stats().prices()).isEqualTo(300);
        assertThat(index.version()).isEqualTo(4);
        assertThat(messages.toString()).contains("put=300 removed=0 unchanged=0 batches=3");
    }

    @Test
    void look_withAStore_isThereAfterARestartAndNotAppliedAgain() throws IOException {
        Path file = folder.resolve("prices.csv");
        Path store = folder.resolve("store");
        replace(file, HEAD + "c,fibre,1,,north,12\n");
        try (PriceStore open = PriceStore.create(store, index(), StoreOptions.DEFAULT)) {
            PriceFileWatch watch = watch(file, new PriceService(open.index(), open, Limits.DEFAULT));
            assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
            assertThat(watch.look()).isEqualTo(Look.REPLACED);
            assertThat(open.index().version()).isEqualTo(2);
        }
        try (PriceStore open = PriceStore.open(store, StoreOptions.DEFAULT, StoreProgress.NONE)) {
            assertThat(ids(open.index())).containsExactly("c");
            PriceFileWatch watch = watch(file, new PriceService(open.index(), open, Limits.DEFAULT));
            assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
            assertThat(watch.look()).isEqualTo(Look.REPLACED);
            assertThat(open.index().version()).isEqualTo(2);
        }
    }

    @Test
    void look_atAFileThatWasLoaded_doesNotReadIt() throws IOException {
        Path file = folder.resolve("prices.csv");
        replace(file, HEAD + "c,fibre,1,,north,12\n");
        PriceIndex index = index();
        PriceFileWatch watch = new PriceFileWatch(
                file,
                LoadOptions.DEFAULT,
                PriceFileWatch.State.of(file),
                new PriceService(index, Limits.DEFAULT),
                new PrintWriter(messages));
        assertThat(watch.look()).isEqualTo(Look.SAME);
        Files.writeString(file, "d,fibre,1,,north,12\n", StandardOpenOption.APPEND);
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        assertThat(ids(index)).containsExactly("c", "d");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void look_atAPipe_refusesItAndUsesTheNextFile() throws Exception {
        Path file = folder.resolve("prices.csv");
        PriceIndex index = index();
        PriceFileWatch watch = watch(file, index);
        Process pipe = new ProcessBuilder("mkfifo", file.toString()).start();
        assertThat(pipe.waitFor()).isZero();
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REFUSED);
        assertThat(messages.toString()).contains("not a regular file; rename one into its place");
        replace(file, HEAD + "c,fibre,3,,,\n");
        assertThat(watch.look()).isEqualTo(Look.UNSETTLED);
        assertThat(watch.look()).isEqualTo(Look.REPLACED);
        assertThat(ids(index)).containsExactly("c");
    }

    @Test
    void close_beforeTheFileSystemAnswers_returns() throws Exception {
        Path file = Files.writeString(folder.resolve("prices.csv"), HEAD);
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        PriceFileWatch watch = new PriceFileWatch(
                file,
                LoadOptions.DEFAULT,
                null,
                new PriceService(index(), Limits.DEFAULT),
                new PrintWriter(messages),
                (path, content, schema, options) -> {
                    opening.countDown();
                    try {
                        answered.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    throw new IOException("on purpose");
                });
        watch.start();
        opening.await();
        watch.close(1);
        answered.countDown();
        watch.close();
        assertThat(messages.toString()).contains("on purpose");
    }

    @Test
    void close_endsTheThread() {
        PriceFileWatch watch = watch(folder.resolve("prices.csv"), index()).start();
        watch.close();
        watch.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.isAlive() && thread.getName().equals("price-file-watch"));
    }
}

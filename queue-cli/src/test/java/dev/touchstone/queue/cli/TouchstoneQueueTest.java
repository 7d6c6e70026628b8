package dev.touchstone.queue.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.queue.Codec;
import dev.touchstone.queue.Compression;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Durability;
import dev.touchstone.queue.Lease;
import dev.touchstone.queue.QueueCursor;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TouchstoneQueueTest {
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final int HEADER_BYTES = 4096;
    private static final int RECORD_BYTES = 16;
    private static final int VERSION_AT = 8;
    private static final int COMPRESSED_FILES = 2;
    private static final int TABLE_BYTES = 96; // of one block

    @TempDir
    Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Console console() {
        return Console.of(new PrintWriter(out), new PrintWriter(err));
    }

    private int run(Object... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Commands.execute(
                console(),
                question -> false,
                Arrays.stream(args).map(Object::toString).toArray(String[]::new));
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    private DiskQueue<String> open(Durability durability) {
        return Owner.builder(durability)
                .folder(folder)
                .segmentBytes(SEGMENT_BYTES)
                .codec(Codec.utf8())
                .open();
    }

    /** Makes a queue of several files, with a part of it consumed. */
    private void fill(Durability durability) {
        try (DiskQueue<String> queue = open(durability)) {
            QueueCursor<String> audit = queue.cursor("audit");
            for (int i = 1; i <= 700; i++) {
                queue.add(element(i));
            }
            for (int i = 1; i <= 10; i++) {
                queue.poll();
                audit.poll();
            }
            Lease<String> eleventh = Objects.requireNonNull(audit.lease());
            Lease<String> twelfth = Objects.requireNonNull(audit.lease());
            assertThat(twelfth.ack()).isTrue();
            assertThat(eleventh.nack()).isTrue();
        }
    }

    /** Makes a queue of several files, all but the last one compressed, with a part of it consumed. */
    private void fillCompressed(Durability durability, Compression compression) {
        try (DiskQueue<String> queue = Owner.builder(durability)
                .folder(folder)
                .segmentBytes(SEGMENT_BYTES)
                .codec(Codec.utf8())
                .compression(compression)
                .open()) {
            for (int i = 1; i <= 700; i++) {
                queue.add(element(i));
            }
            for (int i = 1; i <= 10; i++) {
                queue.poll();
            }
            queue.flush();
            while (!areCompressed()) {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    private boolean areCompressed() {
        try {
            List<Path> files = segments();
            for (Path file : files.subList(0, COMPRESSED_FILES)) {
                if (!isCompressed(file)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isCompressed(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(VERSION_AT + 1)[VERSION_AT] == 3;
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void commands_ofACompressedQueue_readIt(Durability durability) throws IOException {
        fillCompressed(durability, Compression.lz4());
        assertThat(run("verify", folder)).as(out.toString()).isZero();
        assertThat(out.toString()).contains("elements on disk: 700", "no damage");
        assertThat(run("stats", "--json", folder)).isZero();
        assertThat(json().path("elements").asLong()).isEqualTo(700);
        assertThat(json().path("segments").get(0).path("bytes").asLong()).isLessThan(SEGMENT_BYTES / 2);
        assertThat(json().path("segments").get(0).path("compressed").asBoolean())
                .isTrue();
        assertThat(run("stats", folder)).isZero();
        assertThat(out.toString()).contains(", compressed");
        assertThat(run("dump", folder)).isZero();
        assertThat(out.toString().lines())
                .containsExactlyElementsOf(Stream.iterate(11, i -> i + 1)
                        .limit(690)
                        .map(i -> i + " element " + element(i))
                        .toList());
        assertThat(run("repair", "--yes", folder)).isZero();
        assertThat(out.toString()).contains("nothing to repair");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void repair_ofADamagedBlock_namesItAndKeepsTheRest(Durability durability) throws IOException {
        fillCompressed(durability, Compression.deflate());
        Path file = segments().get(1);
        flip(file, HEADER_BYTES + TABLE_BYTES + 100);
        assertThat(run("verify", "--json", folder)).isEqualTo(QueueExitCode.DAMAGED);
        JsonNode damage = json().path("damages").get(0);
        assertThat(json().path("damages").size()).isEqualTo(1);
        assertThat(damage.path("file").asText()).isEqualTo(file.getFileName().toString());
        assertThat(damage.path("what").asText()).isEqualTo("compressed block");
        assertThat(damage.path("offset").asLong()).isEqualTo(HEADER_BYTES + TABLE_BYTES);
        long lost = json().path("lost").asLong();
        assertThat(lost).isBetween(100L, 250L);
        assertThat(run("dump", folder)).isEqualTo(QueueExitCode.DAMAGED);
        assertThat(out.toString().lines().count()).isEqualTo(690 - lost);
        assertThat(err.toString()).contains("damage: file=" + file.getFileName(), "compressed block");

        byte[] damaged = Files.readAllBytes(file);
        assertThat(run("repair", "--yes", folder)).isZero();
        assertThat(folder.resolve("damaged-" + file.getFileName())).hasBinaryContent(damaged);
        assertThat(isCompressed(segments().get(0))).isTrue();
        assertThat(run("verify", folder)).isZero();
        try (DiskQueue<String> queue = open(durability)) {
            assertThat(queue.longSize()).isEqualTo(690 - lost);
            long first = damage.path("first").asLong();
            for (long i = 11; i <= 700; i = i + 1 == first ? first + lost : i + 1) {
                assertThat(queue.poll()).isEqualTo(element(i));
            }
            assertThat(queue.poll()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void repair_ofACompressedFilesHeader_writesItAgain(Durability durability) throws IOException {
        fillCompressed(durability, Compression.deflate());
        Path file = segments().get(1);
        byte[] whole = Files.readAllBytes(file);
        flip(file, 0, 2048);
        assertThat(run("verify", folder)).isEqualTo(QueueExitCode.DAMAGED);
        assertThat(run("repair", "--yes", folder)).isZero();
        assertThat(file).hasBinaryContent(whole);
        assertThat(run("verify", folder)).isZero();
        try (DiskQueue<String> queue = open(durability)) {
            assertThat(queue.longSize()).isEqualTo(690);
        }
    }

    @Test
    void repair_ofACompressedFileWithoutTables_setsItAside() throws IOException {
        fillCompressed(Durability.WRITTEN, Compression.deflate());
        Path file = segments().get(1);
        flip(file, HEADER_BYTES, (int) Files.size(file) - 1);
        byte[] damaged = Files.readAllBytes(file);
        assertThat(run("verify", folder)).isEqualTo(QueueExitCode.DAMAGED);
        assertThat(out.toString()).contains("file=" + file.getFileName() + " offset=4096 block table");
        assertThat(run("repair", "--yes", folder)).isZero();
        assertThat(folder.resolve("damaged-" + file.getFileName())).hasBinaryContent(damaged);
        assertThat(run("verify", folder)).isZero();
        try (DiskQueue<String> queue = open(Durability.WRITTEN)) {
            assertThat(queue.poll()).isEqualTo(element(11));
            assertThat(queue.longSize()).isBetween(400L, 600L);
        }
    }

    @Test
    void commands_withoutTheCompression_nameItAndChangeNothing() throws IOException {
        fillCompressed(Durability.WRITTEN, new Compression() {
            @Override
            public int id() {
                return MIN_CUSTOM_ID;
            }

            @Override
            public byte[] compress(byte[] block) {
                return Compression.deflate().compress(block);
            }

            @Override
            public byte[] decompress(byte[] compressed, int bytes) {
                return Compression.deflate().decompress(compressed, bytes);
            }
        });
        byte[] before = Files.readAllBytes(segments().get(0));
        int files = files("").size();
        for (List<String> command : List.of(
                List.of("verify", ""),
                List.of("repair", "--yes"),
                List.of("dump", "--all"),
                List.of("stats", "--json"))) {
            List<Object> args = new ArrayList<>(command);
            args.removeIf(""::equals);
            args.add(folder);
            assertThat(run(args.toArray())).isEqualTo(QueueExitCode.FAILED);
            assertThat(err.toString())
                    .contains("compression is not available: id=64 file="
                            + segments().get(0));
        }
        assertThat(segments().get(0)).hasBinaryContent(before);
        assertThat(files("")).hasSize(files);
    }

    private static String element(long sequence) {
        return "element " + sequence + " ".repeat(300);
    }

    private List<Path> files(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    private List<Path> segments() throws IOException {
        return files(".seg").stream()
                .filter(file -> !file.getFileName().toString().startsWith("damaged-"))
                .toList();
    }

    private Map<String, String> content() throws IOException {
        Map<String, String> content = new TreeMap<>();
        for (Path file : files("")) {
            content.put(
                    file.getFileName().toString() + Files.getLastModifiedTime(file),
                    HexFormat.of().formatHex(Files.readAllBytes(file)));
        }
        return content;
    }

    private static void flip(Path file, int... places) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        for (int place : places) {
            bytes[place] ^= 0x55;
        }
        Files.write(file, bytes);
    }

    /** Flips a byte of the payload of an element. */
    private Path damage(int sequence) throws IOException {
        byte[] wanted = element(sequence).getBytes(StandardCharsets.UTF_8);
        for (Path file : segments()) {
            String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            int at = bytes.indexOf(new String(wanted, StandardCharsets.ISO_8859_1));
            if (at >= 0) {
                flip(file, at);
                return file;
            }
        }
        throw new IllegalArgumentException("no such element: sequence=" + sequence);
    }

    @Test
    void help_everyCommand_wholeSentencesWithinTheColumns() {
        CommandLine root = Commands.program(console(), question -> false).commandLine();
        assertThat(root.getUsageMessage()).contains("Exit codes", "verify", "repair", "dump", "stats");
        root.getSubcommands().forEach((name, command) -> {
            assertThat(command.getUsageMessage().lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
            assertThat(command.getCommandSpec().usageMessage().description())
                    .as(name)
                    .allSatisfy(paragraph -> assertThat(paragraph).matches("|.*\\."));
            assertThat(run(name, "--help")).isZero();
            assertThat(out.toString()).contains("Usage: touchstone-queue " + name);
        });
    }

    @Test
    void commandLine_thatIsWrong_is2() throws IOException {
        assertThat(run("verfy", folder)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).contains("unknown command: 'verfy'; did you mean 'verify'?");
        for (String command : List.of("verify", "repair", "dump", "stats")) {
            assertThat(run(command, folder)).isEqualTo(ExitCode.USAGE);
            assertThat(err.toString()).contains("no queue in this folder: folder=" + folder);
            assertThat(run(command, folder.resolve("none"))).isEqualTo(ExitCode.USAGE);
        }
        assertThat(files("")).isEmpty();
        fill(Durability.WRITTEN);
        assertThat(run("dump", folder, "--limit", 0)).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip()).isEqualTo("--limit: expected 1 or more, got 0");
        assertThat(run("dump", folder, "--all", "--cursor", "audit")).isEqualTo(ExitCode.USAGE);
        assertThat(run("dump", folder, "--cursor", "billing")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString().strip()).isEqualTo("--cursor: no such cursor: name=billing names=[audit]");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void stats_ofAClosedQueue_showsSizesCursorsAndGaps(Durability durability) throws IOException {
        fill(durability);
        assertThat(run("stats", "--json", folder)).isZero();
        JsonNode report = json();
        assertThat(report.path("nextSequence").asLong()).isEqualTo(701);
        assertThat(report.path("segments").size()).isGreaterThan(2);
        assertThat(report.path("diskBytes").asLong()).isGreaterThan(700 * 316L);
        assertThat(report.path("damaged").asBoolean()).isFalse();
        JsonNode own = report.path("cursors").get(0);
        assertThat(own.path("name").asText()).isEmpty();
        assertThat(own.path("floor").asLong()).isEqualTo(11);
        assertThat(own.path("unconsumed").asLong()).isEqualTo(690);
        JsonNode audit = report.path("cursors").get(1);
        assertThat(audit.path("name").asText()).isEqualTo("audit");
        assertThat(audit.path("floor").asLong()).isEqualTo(11);
        assertThat(audit.path("gaps").asInt()).isEqualTo(1);
        assertThat(audit.path("unconsumed").asLong()).isEqualTo(689);
        assertThat(audit.path("attempted").asInt()).isEqualTo(1);
        assertThat(run("stats", folder)).isZero();
        assertThat(out.toString())
                .contains("next sequence:    701")
                .contains("cursor audit: floor 11, unconsumed 689, gaps 1, handed out before 1");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void commands_whileAnotherProcessHasTheQueueOpen_readOrRefuse(Durability durability)
            throws IOException, InterruptedException {
        Process owner = Owner.start(durability, folder, 5);
        try {
            if (durability != Durability.BATCHED) { // whose elements may be in the owner's memory
                assertThat(run("dump", folder)).isZero();
                assertThat(out.toString().lines().count()).isEqualTo(5);
                assertThat(run("stats", "--json", folder)).isZero();
                assertThat(json().path("elements").asLong()).isEqualTo(5);
                assertThat(json().path("nextSequence").asLong()).isEqualTo(6);
            }
            Map<String, String> before = content();
            assertThat(run("verify", folder)).isEqualTo(QueueExitCode.IN_USE);
            assertThat(err.toString()).contains("pid=" + owner.pid()).contains("close the queue first");
            assertThat(run("repair", "--dry-run", folder)).isEqualTo(QueueExitCode.IN_USE);
            assertThat(run("repair", "--yes", folder)).isEqualTo(QueueExitCode.IN_USE);
            assertThat(err.toString()).contains("pid=" + owner.pid());
            if (durability != Durability.BATCHED) {
                assertThat(content()).isEqualTo(before);
            }
        } finally {
            owner.destroyForcibly();
        }
        assertThat(owner.waitFor()).isNotZero();
        assertThat(run("verify", folder)).isZero();
        if (durability != Durability.BATCHED) {
            assertThat(out.toString()).contains("elements on disk: 5", "no damage");
            assertThat(run("repair", "--yes", folder)).isZero();
            assertThat(out.toString()).contains("nothing to repair");
            try (DiskQueue<String> queue = open(durability)) {
                assertThat(queue).containsExactly("element 1", "element 2", "element 3", "element 4", "element 5");
            }
        }
    }

    @Test
    void repair_afterAKilledWriterAndALostHeader_keepsWhatWasInTheBatches() throws IOException, InterruptedException {
        fill(Durability.WRITTEN);
        Process owner = Owner.start(Durability.WRITTEN, folder, 5);
        owner.destroyForcibly();
        assertThat(owner.waitFor()).isNotZero();
        List<Path> segments = segments();
        assertThat(files("BUFFER")).hasSize(1);
        flip(segments.get(segments.size() - 2), 3, 2048 + 3);
        assertThat(run("verify", folder)).isEqualTo(QueueExitCode.DAMAGED);
        assertThat(run("repair", "--yes", folder)).isZero();
        assertThat(run("verify", folder)).isZero();
        try (DiskQueue<String> queue = open(Durability.WRITTEN)) {
            List<String> left = new ArrayList<>(queue);
            assertThat(left).hasSize(695);
            assertThat(left.get(689)).isEqualTo(element(700));
            assertThat(left.subList(690, 695))
                    .containsExactly("element 1", "element 2", "element 3", "element 4", "element 5");
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void repair_ofADamagedElement_tellsWhatIsLostAndKeepsTheRest(Durability durability) throws IOException {
        fill(durability);
        Path file = damage(333);
        assertThat(run("verify", folder)).isEqualTo(QueueExitCode.DAMAGED);
        assertThat(out.toString())
                .contains("file=" + file.getFileName() + " offset=")
                .contains("lost 1 element(s) with sequences from 333 to 333")
                .contains("damaged; elements lost: 1");
        assertThat(run("verify", "--json", folder)).isEqualTo(QueueExitCode.DAMAGED);
        assertThat(json().path("damages").get(0).path("first").asLong()).isEqualTo(333);

        Map<String, String> before = content();
        assertThat(run("repair", "--dry-run", folder)).isEqualTo(QueueExitCode.DAMAGED);
        assertThat(out.toString()).contains("would do:", "give up 1 element(s) with sequences from 333 to 333");
        assertThat(content()).isEqualTo(before);
        assertThat(run("repair", folder)).isEqualTo(QueueExitCode.NOT_CONFIRMED);
        assertThat(err.toString()).contains("not confirmed, nothing was changed");

        byte[] damaged = Files.readAllBytes(file);
        assertThat(run("repair", "--yes", folder)).isZero();
        assertThat(out.toString()).contains("kept damaged-" + file.getFileName(), "repaired");
        assertThat(folder.resolve("damaged-" + file.getFileName())).hasBinaryContent(damaged);
        assertThat(run("verify", folder)).isZero();
        try (DiskQueue<String> queue = open(durability)) {
            assertThat(queue.longSize()).isEqualTo(689);
            for (int i = 11; i <= 700; i++) {
                if (i != 333) {
                    assertThat(queue.poll()).isEqualTo(element(i));
                }
            }
            assertThat(queue.poll()).isNull();
            assertThat(queue.cursor("audit").longSize()).isEqualTo(688);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void repair_ofADamagedElementOfTheLastFile_leavesNothingForTheFirstOpenToTell(Durability durability)
            throws IOException {
        try (DiskQueue<String> queue = open(durability)) {
            queue.addAll(List.of(element(1), element(2), element(3)));
        }
        Path unused = damage(2);
        assertThat(run("repair", "--yes", folder)).isZero();
        assertThat(run("verify", folder)).isZero();
        try (DiskQueue<String> queue = open(durability)) {
            assertThat(queue.recovery().damagedPlaces()).isZero();
            assertThat(queue).containsExactly(element(1), element(3));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void repair_ofALostHeader_writesItAgain(Durability durability) throws IOException {
        fill(durability);
        Path file = segments().get(1);
        byte[] whole = Files.readAllBytes(file);
        flip(file, 0, 2048);
        assertThat(run("verify", folder)).isEqualTo(QueueExitCode.DAMAGED);
        assertThat(run("repair", "--yes", folder)).isZero();
        assertThat(out.toString()).contains("write the header of " + file.getFileName() + " again");
        assertThat(Arrays.copyOfRange(Files.readAllBytes(file), HEADER_BYTES, HEADER_BYTES + RECORD_BYTES))
                .isEqualTo(Arrays.copyOfRange(whole, HEADER_BYTES, HEADER_BYTES + RECORD_BYTES));
        try (DiskQueue<String> queue = open(durability)) {
            assertThat(queue.longSize()).isEqualTo(690);
            assertThat(queue.cursor("audit").longSize()).isEqualTo(689);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void repair_ofLostCheckpoints_keepsEveryElement(Durability durability) throws IOException {
        fill(durability);
        for (Path checkpoint : List.of(folder.resolve("CURSOR-a"), folder.resolve("CURSOR-b"))) {
            flip(checkpoint, 40);
        }
        assertThat(run("verify", folder)).isEqualTo(QueueExitCode.DAMAGED);
        assertThat(out.toString()).contains("cursor checkpoint").contains("elements lost: 0");
        assertThat(run("repair", "--yes", folder)).isZero();
        assertThat(out.toString()).contains("kept damaged-CURSOR-a", "kept damaged-CURSOR-b");
        assertThat(run("verify", folder)).isZero();
        try (DiskQueue<String> queue = open(durability)) {
            List<String> left = new ArrayList<>(queue);
            assertThat(left.subList(left.size() - 690, left.size()))
                    .isEqualTo(Stream.iterate(11, i -> i + 1)
                            .limit(690)
                            .map(TouchstoneQueueTest::element)
                            .toList());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void repair_withoutACheckpointFile_writesItAgain(Durability durability) throws IOException {
        fill(durability);
        for (String name : List.of("CURSOR-a", "CURSOR-b")) {
            Files.delete(folder.resolve(name));
            assertThat(run("verify", folder)).isEqualTo(QueueExitCode.DAMAGED);
            assertThat(run("repair", "--yes", folder)).isZero();
            assertThat(out.toString()).doesNotContain("kept damaged-");
            assertThat(run("verify", folder)).isZero();
        }
        try (DiskQueue<String> queue = open(durability)) {
            assertThat(queue.recovery().damagedPlaces()).isZero();
            assertThat(queue.poll()).isEqualTo(element(11));
        }
    }

    @Test
    void repair_ofTheOnlyFileWithoutAHeader_setsItAside() throws IOException {
        try (DiskQueue<String> queue = open(Durability.WRITTEN)) {
            queue.add("a");
            queue.add("b");
        }
        Path file = segments().get(0);
        flip(file, 0, 2048);
        assertThat(run("repair", "--yes", folder)).isZero();
        assertThat(out.toString())
                .contains("take " + file.getFileName() + " out of use: its elements are lost")
                .contains("kept damaged-" + file.getFileName());
        assertThat(run("verify", folder)).isZero();
        try (DiskQueue<String> queue = open(Durability.WRITTEN)) {
            assertThat(queue).isEmpty();
            assertThat(queue.append("c")).isEqualTo(3);
        }
    }

    /** Whatever bytes change: a repair leaves a queue that opens, without an element that was never there or in another order. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void repair_ofAnyBytes_leavesAWholeQueue(Durability durability) throws IOException {
        fill(durability);
        repairAnyBytes(durability);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REPLICATED")
    void repair_ofAnyBytesOfACompressedQueue_leavesAWholeQueue(Durability durability) throws IOException {
        fillCompressed(durability, Compression.deflate());
        repairAnyBytes(durability);
    }

    private void repairAnyBytes(Durability durability) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        Map<Path, byte[]> whole = new TreeMap<>();
        for (Path file : files("")) {
            whole.put(file, Files.readAllBytes(file));
        }
        for (int round = 0; round < 25; round++) {
            for (Path file : files("")) {
                Files.delete(file);
            }
            for (Map.Entry<Path, byte[]> each : whole.entrySet()) {
                Files.write(each.getKey(), each.getValue());
            }
            int places = 1 + random.nextInt(6);
            for (int i = 0; i < places; i++) {
                Map.Entry<Path, byte[]> file = List.copyOf(whole.entrySet()).get(random.nextInt(whole.size()));
                int bytes = file.getValue().length;
                int reach = random.nextBoolean() ? Math.min(bytes, HEADER_BYTES) : bytes;
                if (reach > 0) {
                    flip(file.getKey(), random.nextInt(reach));
                }
            }
            int found = run("verify", "--json", folder);
            assertThat(found).as("seed=%d round=%d", seed, round).isIn(0, QueueExitCode.DAMAGED);
            long lost = json().path("lost").asLong();
            assertThat(run("repair", "--yes", folder))
                    .as("seed=%d round=%d %s", seed, round, err)
                    .isZero();
            assertThat(run("verify", folder))
                    .as("seed=%d round=%d %s", seed, round, out)
                    .isZero();
            try (DiskQueue<String> queue = open(durability)) {
                assertThat(queue.recovery().damagedPlaces())
                        .as("seed=%d round=%d", seed, round)
                        .isZero();
                Set<Integer> left = new TreeSet<>();
                int last = 0;
                for (String element = queue.poll(); element != null; element = queue.poll()) {
                    int number = Integer.parseInt(element.strip().substring("element ".length()));
                    assertThat(element).isEqualTo(element(number));
                    assertThat(number).as("seed=%d round=%d", seed, round).isGreaterThan(last);
                    last = number;
                    left.add(number);
                }
                left.removeIf(number -> number <= 10);
                assertThat(left.size()).as("seed=%d round=%d", seed, round).isGreaterThanOrEqualTo((int) (690 - lost));
            }
        }
    }

    @Test
    void dump_formatsKindsAndBounds() throws IOException {
        try (DiskQueue<String> queue = open(Durability.SYNCED)) {
            QueueCursor<String> audit = queue.cursor("audit");
            queue.add("one");
            queue.add("two\n\\");
            queue.add("drei €");
            queue.poll();
            audit.poll();
            audit.poll();
            queue.add("four"); // carries the removals
            queue.offer("later", Duration.ofDays(1));
        }
        assertThat(run("dump", folder, "--kinds", "Element")).isZero();
        assertThat(out.toString().lines())
                .containsExactly("2 element two\\u000a\\\\", "3 element drei €", "4 element four");
        assertThat(run("dump", folder, "--kinds", "delayed")).isZero();
        assertThat(out.toString()).matches("5 delayed \\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z later\\R");
        assertThat(run("dump", folder, "--all", "--limit", 1, "--format", "hex"))
                .isZero();
        assertThat(out.toString().strip()).isEqualTo("1 element 6f6e65");
        assertThat(run("dump", folder, "--from", 4, "--limit", 1, "--format", "base64"))
                .isZero();
        assertThat(out.toString().strip()).isEqualTo("4 element Zm91cg==");
        assertThat(run("dump", folder, "--cursor", "audit", "--limit", 2, "--format", "json"))
                .isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "{\"kind\":\"element\",\"sequence\":3,\"text\":\"drei €\"}",
                        "{\"kind\":\"element\",\"sequence\":4,\"text\":\"four\"}");
        assertThat(run("dump", folder, "--all", "--kinds", "consumption")).isZero();
        assertThat(out.toString()).contains("- consumption cursor=1 consumed from 0 to 1");
        assertThat(run("dump", folder, "--all", "--kinds", "consumption", "--format", "json"))
                .isZero();
        assertThat(out.toString().lines()).contains("{\"kind\":\"consumption\",\"cursor\":1,\"first\":0,\"end\":2}");
        assertThat(run("dump", folder, "--from", 99)).isZero();
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void dump_overDamage_tellsAndGoesOn() throws IOException {
        fill(Durability.WRITTEN);
        Path file = damage(20);
        assertThat(run("dump", folder, "--from", 19, "--limit", 2)).isEqualTo(QueueExitCode.DAMAGED);
        assertThat(out.toString().lines().map(line -> line.split(" ", -1)[0])).containsExactly("19", "21");
        assertThat(err.toString()).contains("damage: file=" + file.getFileName());
    }

    /** Checks that elements behind a damaged header are shown: since nobody writes, none of them is incomplete. */
    @Test
    void dump_overADamagedHeaderInTheLastFile_showsTheElementsBehindIt() throws IOException {
        try (DiskQueue<String> queue = open(Durability.SYNCED)) {
            queue.addAll(List.of("first", "second", "third"));
        }
        Path file = segments().get(0);
        int at = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).indexOf("second");
        flip(file, at - RECORD_BYTES);
        assertThat(run("dump", folder)).isEqualTo(QueueExitCode.DAMAGED);
        assertThat(out.toString().lines()).containsExactly("1 element first", "3 element third");
        assertThat(err.toString()).contains("damage: file=" + file.getFileName());
    }

    @Test
    void line_ofADelayedElement_hasItsTime() {
        RecordLines lines =
                new RecordLines(console(), ElementFormat.TEXT, Set.of(RecordKind.DELAYED, RecordKind.CONSUMPTION), 2);
        assertThat(lines.element(6, 0, new byte[] {'n', 'o'})).isTrue();
        assertThat(lines.element(7, 1000, new byte[] {'h', 'i'})).isTrue();
        lines.attempted(1, 5, 3, 0);
        assertThat(lines.element(8, 1000, new byte[] {'h', 'o'})).isFalse();
        assertThat(out.toString().lines())
                .containsExactly("7 delayed 1970-01-01T00:00:01Z hi", "- consumption cursor=1 delivered 5 times=3");
    }
}

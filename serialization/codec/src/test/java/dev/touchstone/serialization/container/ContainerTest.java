package dev.touchstone.serialization.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.Limits;
import dev.touchstone.serialization.exception.CompactContainerException;
import dev.touchstone.serialization.exception.CompactContainerException.Reason;
import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerTest {
    static final Schema BYTE = Schema.builder("b").field("a", FieldKind.INT8).build();
    static final Schema SHORT = Schema.builder("s").field("a", FieldKind.INT16).build();
    private static final int HEAD = 20;
    private static final int AROUND = 17 + 4;

    static byte[] record(Schema schema, int value) {
        byte[] record = new byte[16 + schema.layout().fixedBytes];
        BigEndian.putInt32(record, 4, -55);
        BigEndian.putInt64(record, 8, schema.id());
        record[record.length - 1] = (byte) value;
        return record;
    }

    /** A container of one record, then of a schema and a second record. */
    static byte[] container() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ContainerWriter writer = new ContainerWriter(bytes, List.of(BYTE))) {
            writer.write(record(BYTE, 1));
            writer.add(SHORT);
            writer.add(BYTE);
            writer.write(record(SHORT, 2));
        }
        return bytes.toByteArray();
    }

    private static ContainerReader open(byte[] bytes) throws IOException {
        return new ContainerReader(new ByteArrayInputStream(bytes), Limits.DEFAULT);
    }

    private static List<byte[]> readAll(byte[] bytes) throws IOException {
        try (ContainerReader reader = open(bytes)) {
            List<byte[]> records = new ArrayList<>();
            for (Optional<byte[]> next = reader.next(); next.isPresent(); next = reader.next()) {
                records.add(next.get());
            }
            return records;
        }
    }

    private static void assertRefused(byte[] bytes, Reason reason, long offset) {
        assertThatThrownBy(() -> readAll(bytes))
                .isInstanceOfSatisfying(CompactContainerException.class, e -> {
                    assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason);
                    assertThat(e.offset()).as(e.getMessage()).isEqualTo(offset);
                })
                .hasMessageContaining("offset=" + offset);
    }

    @Test
    void write_givesTheGoldenBytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ContainerWriter writer = new ContainerWriter(bytes, List.of(BYTE))) {
            writer.write(record(BYTE, 7));
        }
        assertThat(HexFormat.of().formatHex(bytes.toByteArray()))
                .isEqualTo("5453434f4d504143" + "00000001" + "00000001" + "f972ac12"
                        + "01" + "00000012" + "0000000000000000" + "1413d43f"
                        + "00000001" + "62" + "00000001" + "00000001" + "61" + "00000003" + "cc65a8bb"
                        + "02" + "00000011" + "0000000000000001" + "aea113ba"
                        + "00000000ffffffc9" + HexFormat.of().toHexDigits(BYTE.id()) + "07" + "7b090c79"
                        + "03" + "00000008" + "0000000000000002" + "b4656f2b" + "0000000000000001" + "7e433189");
    }

    @Test
    void next_givesTheRecordsAndTheirSchemas() throws IOException {
        try (ContainerReader reader = open(container())) {
            assertThat(reader.schemas()).containsExactly(BYTE);
            CompactSerialization serialization =
                    CompactSerialization.builder().schemas(reader).build();
            byte[] first = reader.next().orElseThrow();
            assertThat(first).isEqualTo(record(BYTE, 1));
            assertThat(serialization.view(first)).hasToString("b{a=1}");
            assertThat(reader.find(SHORT.id())).isNull();
            byte[] second = reader.next().orElseThrow();
            assertThat(serialization.view(second)).hasToString("s{a=2}");
            assertThat(reader.isComplete()).isFalse();
            assertThat(reader.next()).isEmpty();
            assertThat(reader.isComplete()).isTrue();
            assertThat(reader.next()).isEmpty();
            assertThat(reader.records()).isEqualTo(2);
            assertThat(reader.offset()).isEqualTo(container().length);
            assertThat(reader.schemas()).containsExactlyInAnyOrder(BYTE, SHORT);
        }
    }

    @Test
    void container_withoutRecordsOrSchemas_isEmpty() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ContainerWriter(bytes, List.of()).close();
        assertThat(readAll(bytes.toByteArray())).isEmpty();
    }

    /** Every length: the end of a block is an end without its mark, anything else is torn, and nothing is taken for damage. */
    @Test
    void next_ofACutContainer_givesWhatIsWholeAndSaysTorn() throws IOException {
        byte[] all = container();
        int first = HEAD + AROUND + SchemaFormat.encode(BYTE).length;
        int second = first + AROUND + record(BYTE, 0).length;
        int third = second + AROUND + SchemaFormat.encode(SHORT).length;
        int fourth = third + AROUND + record(SHORT, 0).length;
        assertThat(all).hasSize(fourth + AROUND + 8);
        List<Integer> ends = List.of(first, second, third, fourth);
        for (int length = 0; length < all.length; length++) {
            byte[] cut = Arrays.copyOf(all, length);
            if (ends.contains(length)) {
                try (ContainerReader reader = open(cut)) {
                    int records = length < second ? 0 : length < fourth ? 1 : 2;
                    assertThat(readAll(cut)).hasSize(records);
                    while (reader.next().isPresent()) {
                        assertThat(reader.isComplete()).isFalse();
                    }
                    assertThat(reader.isComplete()).isFalse();
                    assertThat(reader.offset()).isEqualTo(length);
                }
            } else {
                int offset = length < HEAD ? 0 : HEAD;
                for (int end : ends) {
                    offset = length > end ? end : offset;
                }
                assertRefused(cut, Reason.TORN, offset);
            }
        }
    }

    @Test
    void next_ofABlockThatIsGoneOrTwice_isRefused() throws IOException {
        byte[] all = container();
        int first = HEAD + AROUND + SchemaFormat.encode(BYTE).length;
        int second = first + AROUND + record(BYTE, 0).length;
        byte[] gone = new byte[all.length - (second - first)];
        System.arraycopy(all, 0, gone, 0, first);
        System.arraycopy(all, second, gone, first, all.length - second);
        assertRefused(gone, Reason.DAMAGED, first);
        byte[] twice = new byte[all.length + (second - first)];
        System.arraycopy(all, 0, twice, 0, second);
        System.arraycopy(all, first, twice, second, all.length - first);
        assertRefused(twice, Reason.DAMAGED, second);
        assertRefused(Arrays.copyOf(all, all.length + 1), Reason.DAMAGED, all.length - AROUND - 8);
    }

    @Test
    void open_ofSomethingElse_saysWhat() throws IOException {
        assertRefused(
                "not a container".getBytes(java.nio.charset.StandardCharsets.US_ASCII), Reason.NOT_A_CONTAINER, 0);
        assertRefused(new byte[0], Reason.TORN, 0);
        assertRefused(head(2, 0), Reason.UNKNOWN_VERSION, 0);
        assertRefused(head(1, -1), Reason.DAMAGED, 0);
        assertRefused(head(1, Integer.MAX_VALUE), Reason.DAMAGED, 0);
        byte[] changed = container();
        changed[HEAD - 1]++;
        assertRefused(changed, Reason.DAMAGED, 0);
        assertRefused(concat(head(1, 1), block((byte) 2, record(BYTE, 0), 0)), Reason.DAMAGED, HEAD);
    }

    @Test
    void next_ofForgedBlocks_isRefusedWithoutReadingThem() throws IOException {
        byte[] long1 = concat(head(1, 0), ContainerFormat.start((byte) 2, Integer.MAX_VALUE, 0));
        assertRefused(long1, Reason.TOO_LARGE, HEAD);
        byte[] negative = concat(head(1, 0), ContainerFormat.start((byte) 2, -1, 0));
        assertRefused(negative, Reason.TOO_LARGE, HEAD);
        byte[] largeSchema = concat(head(1, 0), ContainerFormat.start((byte) 1, (1 << 20) + 1, 0));
        assertRefused(largeSchema, Reason.TOO_LARGE, HEAD);
        assertRefused(concat(head(1, 0), block((byte) 4, new byte[0], 0)), Reason.DAMAGED, HEAD);
        assertRefused(concat(head(1, 0), block((byte) 1, new byte[3], 0)), Reason.DAMAGED, HEAD);
        assertRefused(concat(head(1, 0), block((byte) 3, new byte[7], 0)), Reason.DAMAGED, HEAD);
        assertRefused(concat(head(1, 0), block((byte) 3, ContainerFormat.end(1), 0)), Reason.DAMAGED, HEAD);
        byte[] schema = SchemaFormat.encode(BYTE);
        byte[] twice = concat(head(1, 1), concat(block((byte) 1, schema, 0), block((byte) 1, schema, 1)));
        assertRefused(twice, Reason.DAMAGED, HEAD + AROUND + schema.length);
    }

    @Test
    void next_afterAFailure_failsAgain() throws IOException {
        byte[] changed = container();
        changed[changed.length - 1]++;
        try (ContainerReader reader = open(changed)) {
            assertThat(reader.next()).isPresent();
            assertThat(reader.next()).isPresent();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(reader::next)
                        .isInstanceOfSatisfying(
                                CompactContainerException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED));
            }
        }
    }

    @Test
    void next_withALimit_refusesLargerRecords() throws IOException {
        int bytes = record(SHORT, 0).length;
        try (ContainerReader reader =
                new ContainerReader(new ByteArrayInputStream(container()), Limits.DEFAULT.withMaxBytes(bytes - 1))) {
            assertThat(reader.next()).isPresent();
            assertThatThrownBy(reader::next)
                    .isInstanceOfSatisfying(
                            CompactContainerException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.TOO_LARGE));
        }
    }

    @Test
    void write_ofWhatNobodyCouldRead_isRefused() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ContainerWriter writer = new ContainerWriter(bytes, List.of(BYTE));
        assertThatThrownBy(() -> writer.write(record(SHORT, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toHexString(SHORT.id()));
        assertThatThrownBy(() -> writer.write(new byte[16])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.write(new byte[3])).isInstanceOf(IllegalArgumentException.class);
        Schema large = Schema.builder("x".repeat(1 << 20)).build();
        assertThatThrownBy(() -> writer.add(large)).isInstanceOf(IllegalArgumentException.class);
        writer.write(record(BYTE, 3));
        writer.close();
        writer.close();
        assertThatThrownBy(() -> writer.write(record(BYTE, 3))).isInstanceOf(IllegalStateException.class);
        assertThat(readAll(bytes.toByteArray())).containsExactly(record(BYTE, 3));
    }

    @Test
    void open_thatFails_closesTheStream() {
        boolean[] isClosed = new boolean[1];
        InputStream in = new ByteArrayInputStream(new byte[50]) {
            @Override
            public void close() {
                isClosed[0] = true;
            }
        };
        assertThatThrownBy(() -> new ContainerReader(in, Limits.DEFAULT)).isInstanceOf(CompactContainerException.class);
        assertThat(isClosed[0]).isTrue();
    }

    private static byte[] head(int version, int schemas) {
        byte[] head = ContainerFormat.head(schemas);
        BigEndian.putInt32(head, 8, version);
        byte[] unchecked = Arrays.copyOf(head, HEAD - 4);
        return concat(unchecked, ContainerFormat.check(unchecked));
    }

    private static byte[] block(byte kind, byte[] payload, long number) {
        byte[] start = ContainerFormat.start(kind, payload.length, number);
        return concat(concat(start, payload), ContainerFormat.check(payload));
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}

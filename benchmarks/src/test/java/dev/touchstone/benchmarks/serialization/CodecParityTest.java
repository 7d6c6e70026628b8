package dev.touchstone.benchmarks.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.SubjectsOf;
import dev.touchstone.benchmarks.serialization.peer.CodecUnderTest;
import dev.touchstone.benchmarks.serialization.peer.PlainRecords;
import dev.touchstone.benchmarks.serialization.records.Alphabet;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that all libraries give back what they were given, and that ours writes the bytes of Hazelcast's serializers, in all alphabets. */
@Timeout(60)
final class CodecParityTest {

    /** The number of records of each alphabet. */
    private static final int RECORDS = 64;

    @ParameterizedTest
    @EnumSource
    void encode_oursAndCompact_sameBytes(RecordSize size) throws IOException {
        List<Object> records = records(size);
        CodecUnderTest ours = codec("OURS", records, "");
        CodecUnderTest compact = codec("COMPACT", records, "");
        CodecUnderTest generic = codec("COMPACT_GENERIC", records, "");
        for (int i = 0; i < records.size(); i++) {
            assertThat(ours.encode(i)).isEqualTo(compact.encode(i));
            assertThat(generic.encode(i)).hasSameSizeAs(compact.encode(i));
        }
    }

    @Test
    void encode_writtenSmall_bytesOfTheDesign() throws IOException {
        CodecUnderTest ours = codec("OURS", List.of(RecordSize.SMALL.written()), "");
        assertThat(HexFormat.of().formatHex(ours.encode(0)))
                .isEqualTo("00000000ffffffc91cf9e356336f1f2300000033c07a46b851eb851f00000000499602d20000002a0000001b"
                        + "4c6f72656d20697073756d20646f6c6f722073697420616d65742e14");
    }

    @ParameterizedTest
    @MethodSource("subjectsAndSizes")
    void decode_eachSubject_equalRecords(String subject, RecordSize size) throws IOException {
        List<Object> records = records(size);
        CodecUnderTest codec = codec(subject, records, "");
        for (int i = 0; i < records.size(); i++) {
            assertThat(PlainRecords.of(codec.decode(i))).isEqualTo(records.get(i));
        }
    }

    @ParameterizedTest
    @MethodSource("subjectsAndSizes")
    void encode_twice_sameLengthInAnotherArray(String subject, RecordSize size) throws IOException {
        CodecUnderTest codec = codec(subject, records(size), "");
        byte[] first = codec.encode(0);
        assertThat(codec.encode(0)).isEqualTo(first).isNotSameAs(first);
    }

    @ParameterizedTest
    @MethodSource("fieldSubjectsAndSizes")
    void field_eachSubject_readAndCompared(String subject, RecordSize size) throws IOException {
        List<Object> records = records(size);
        String wanted = RecordSize.string(records.get(3));
        CodecUnderTest codec = codec(subject, records, wanted);
        for (int i = 0; i < records.size(); i++) {
            String string = RecordSize.string(records.get(i));
            assertThat(codec.readString(i)).isEqualTo(string);
            assertThat(codec.stringEquals(i)).isEqualTo(string.equals(wanted));
        }
    }

    private static List<Object> records(RecordSize size) {
        List<Object> records = new ArrayList<>();
        for (Alphabet alphabet : Alphabet.values()) {
            records.addAll(size.random(RECORDS, alphabet));
        }
        records.add(size.written());
        return records;
    }

    private static CodecUnderTest codec(String subject, List<Object> records, String wanted) throws IOException {
        return DeclaredSubject.of(subject).open(CodecUnderTest.class, records, wanted);
    }

    private static Stream<Arguments> subjectsAndSizes() {
        return subjectsAndSizes("encode");
    }

    private static Stream<Arguments> fieldSubjectsAndSizes() {
        return subjectsAndSizes("readField");
    }

    private static Stream<Arguments> subjectsAndSizes(String method) {
        return SubjectsOf.Workloads.subjects(SubjectsOf.Workloads.of(CodecBenchmark.class)
                        .filter(workload -> workload.benchmark().endsWith("." + method)))
                .flatMap(subject -> Stream.of(RecordSize.values()).map(size -> Arguments.of(subject, size)));
    }
}

package dev.touchstone.benchmarks.messaging;

import static dev.touchstone.benchmarks.messaging.WireTerms.WIRE;
import static dev.touchstone.benchmarks.messaging.peer.PlainTerms.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.SubjectsOf;
import dev.touchstone.benchmarks.messaging.peer.TermUnderTest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All libraries read the same values from the same bytes, and from each other's. jinterface 1.6.1 knows the oldest form of a pid only, and
 * ours writes the newest, also through the drop-in.
 *
 * <pre>
 *               reads what was written by
 *               OURS          OURS_DROP_IN  JINTERFACE  ENCON
 * OURS          all           all           all         all
 * OURS_DROP_IN  all           all           all         all
 * JINTERFACE    all but PID   all but PID   all         all
 * ENCON         all           all           all         all
 * </pre>
 */
final class TermParityTest {

    private static final List<String> LIBRARIES = SubjectsOf.Workloads.subjects(
                    SubjectsOf.Workloads.of(TermBenchmark.class))
            .toList();

    @ParameterizedTest
    @CsvSource({
        "PID, 46",
        "OK_TUPLE, 32",
        "INT_LIST, 5006",
        "ATOM_MAP, 803",
        "BINARY_64K, 65541",
        "BIG_INTEGERS, 2906",
        "NESTED_TUPLES, 405",
        "LARGE_TUPLE, 6149",
        "STRING_1000, 1003"
    })
    void wire_eachTerm_hasTheSizeOfTheDesign(SampleTerm term, int bytes) {
        assertThat(term.build(WIRE)).hasSize(bytes);
    }

    @ParameterizedTest
    @MethodSource("librariesAndTerms")
    void decode_sameBytes_sameValueThatKeepsNothingOfThem(String library, SampleTerm term) throws IOException {
        byte[] wire = term.build(WIRE);
        TermUnderTest codec = codec(library, term, wire);
        Object decoded = codec.decode();
        Arrays.fill(wire, (byte) -1);
        assertThat(codec.plain(decoded)).isEqualTo(term.build(PLAIN));
    }

    @ParameterizedTest
    @MethodSource("librariesAndTerms")
    void encode_sameTerm_sameValueToWhomeverReadsIt(String library, SampleTerm term) throws IOException {
        TermUnderTest codec = codec(library, term, term.build(WIRE));
        assertThat(codec.encode()).isEqualTo(codec.encoded().length);
        for (String reader : LIBRARIES) {
            if (reads(reader, library, term)) {
                assertThat(MessagingChecks.plain(DeclaredSubject.of(reader), term, codec.encoded()))
                        .as("read by " + reader)
                        .isEqualTo(term.build(PLAIN));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("librariesAndTerms")
    void encode_twice_sameBytes(String library, SampleTerm term) throws IOException {
        TermUnderTest codec = codec(library, term, term.build(WIRE));
        codec.encode();
        byte[] first = codec.encoded();
        codec.encode();
        assertThat(codec.encoded()).isEqualTo(first);
    }

    @Test
    void decode_ourPidByJinterface_refused() throws IOException {
        TermUnderTest ours = codec("OURS", SampleTerm.PID, SampleTerm.PID.build(WIRE));
        ours.encode();
        assertThatThrownBy(
                        () -> MessagingChecks.plain(DeclaredSubject.of("JINTERFACE"), SampleTerm.PID, ours.encoded()))
                .isInstanceOf(IOException.class);
    }

    private static TermUnderTest codec(String library, SampleTerm term, byte[] wire) throws IOException {
        return DeclaredSubject.of(library).open(TermUnderTest.class, term, wire);
    }

    private static boolean reads(String reader, String writer, SampleTerm term) {
        return !reader.equals("JINTERFACE") || !writer.startsWith("OURS") || term != SampleTerm.PID;
    }

    private static Stream<Arguments> librariesAndTerms() {
        return LIBRARIES.stream()
                .flatMap(library -> Stream.of(SampleTerm.values()).map(term -> Arguments.of(library, term)));
    }
}

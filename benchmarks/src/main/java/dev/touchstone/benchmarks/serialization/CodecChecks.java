package dev.touchstone.benchmarks.serialization;

import dev.touchstone.benchmarks.Allocation;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.serialization.peer.CodecUnderTest;
import dev.touchstone.benchmarks.serialization.peer.PlainRecords;
import dev.touchstone.benchmarks.serialization.records.Alphabet;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import dev.touchstone.harness.run.check.CheckFailedException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that a codec does its work in the methods that JMH would time; otherwise its figures mean nothing. */
@SuppressWarnings("ReferenceEquality") // whether it is the same object
final class CodecChecks {

    /** Calls of a check: twice for each record. */
    private static final int CALLS = 2 * CodecBenchmark.RECORDS;

    private final CodecBenchmark benchmark = new CodecBenchmark();
    private final Allocation allocation = new Allocation();
    private final Map<Integer, Object> results = new HashMap<>();

    CodecChecks(String subject, RecordSize size, Alphabet alphabet) throws IOException {
        benchmark.subject = subject;
        benchmark.size = size;
        benchmark.alphabet = alphabet;
        benchmark.make();
    }

    /** Checks that each record's bytes are the record, in an array of their own each time, and are counted; ours and Hazelcast's are the same. */
    void encode() throws CheckFailedException, IOException {
        @Nullable CodecUnderTest twin = twin();
        byte[] last = new byte[0];
        byte[] lastAsItWas = last;
        for (int call = 1; call <= CALLS; call++) {
            CodecBenchmark.Encoded encoded = new CodecBenchmark.Encoded();
            encoded.begin();
            byte[] bytes = benchmark.encode(allocation, encoded);
            demand("recordBytes", encoded.recordBytes, (long) bytes.length);
            demand("whether the array of the call before is as it was", Arrays.equals(last, lastAsItWas), true);
            demandNew("encoded", call, bytes);
            demand("record of the bytes", PlainRecords.of(benchmark.codec().read(bytes)), record(call));
            if (twin != null) {
                demandTwin(twin, call, bytes);
            }
            last = bytes;
            lastAsItWas = bytes.clone();
        }
    }

    /** Checks that each record's bytes become what was meant, in an object of its own each time. */
    void decode() throws CheckFailedException, IOException {
        for (int call = 1; call <= CALLS; call++) {
            Object decoded = benchmark.decode(allocation);
            demandNew("decoded", call, decoded);
            demand("decoded", PlainRecords.of(decoded), record(call));
        }
    }

    /** Checks that each field that is read is the record's, in an object of its own each time. */
    void readField() throws CheckFailedException, IOException {
        for (int call = 1; call <= CALLS; call++) {
            String field = benchmark.readField(allocation);
            demandNew("field", call, field);
            demand("field", field, RecordSize.string(record(call)));
        }
    }

    /** Checks that the result for a record is not the object of the record's first call, which the subject would have remembered. */
    private void demandNew(String what, int call, Object result) throws CheckFailedException {
        Object known = results.putIfAbsent(call % CodecBenchmark.RECORDS, result);
        if (known == result) {
            throw new CheckFailedException(what + ": expected another object for call=" + call
                    + " than for the first call with that record, got the same");
        }
    }

    /** A field equals what is wanted where the record's does, which one record's does. */
    void fieldEquals() throws CheckFailedException, IOException {
        int equal = 0;
        for (int call = 1; call <= CodecBenchmark.RECORDS; call++) {
            boolean answer = benchmark.fieldEquals(allocation);
            String field = RecordSize.string(record(call));
            demand("whether " + field + " equals", answer, field.equals(benchmark.wanted()));
            equal += answer ? 1 : 0;
        }
        demand("equal fields", equal, 1);
    }

    private void demandTwin(CodecUnderTest twin, int call, byte[] bytes) throws CheckFailedException, IOException {
        byte[] expected = twin.encode(call % CodecBenchmark.RECORDS);
        if (!Arrays.equals(bytes, expected)) {
            HexFormat hex = HexFormat.of();
            throw new CheckFailedException(
                    "expected the bytes of OURS and COMPACT to be the same, got " + hex.formatHex(bytes) + " of "
                            + benchmark.subject + ", " + hex.formatHex(expected) + " of the other");
        }
        demand("record of the other's bytes", PlainRecords.of(benchmark.codec().read(expected)), record(call));
    }

    /** Returns the codec that must write the same bytes, Hazelcast's for ours and ours for Hazelcast's; null for other subjects. */
    private @Nullable CodecUnderTest twin() throws IOException {
        return switch (benchmark.subject) {
            case "OURS" -> codec("COMPACT");
            case "COMPACT" -> codec("OURS");
            default -> null;
        };
    }

    private CodecUnderTest codec(String subject) throws IOException {
        return DeclaredSubject.of(subject).open(CodecUnderTest.class, benchmark.records(), benchmark.wanted());
    }

    private Object record(int call) {
        return benchmark.records().get(call % CodecBenchmark.RECORDS);
    }

    static void demand(String what, Object got, Object expected) throws CheckFailedException {
        if (!got.equals(expected)) {
            throw new CheckFailedException(what + ": expected " + expected + ", got " + got);
        }
    }
}

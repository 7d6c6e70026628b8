package dev.touchstone.benchmarks.mutants;

import com.hazelcast.query.Predicates;
import dev.touchstone.benchmarks.serialization.CodecBenchmark;
import dev.touchstone.benchmarks.serialization.peer.CodecUnderTest;
import dev.touchstone.benchmarks.serialization.peer.MapUnderTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Broken codecs and maps. */
final class SerializationMutants {
    private SerializationMutants() {}

    static List<Mutant> all() {
        return List.of(
                codec(
                        "encode-gives-one-array",
                        "serialization-codec-encode-small/OURS",
                        SerializationMutants::oneArray),
                codec(
                        "encode-gives-one-record",
                        "serialization-codec-encode-large/KRYO",
                        call -> firstRecord(call, "encode")),
                codec(
                        "decode-gives-one-record",
                        "serialization-codec-decode-small/PROTOBUF",
                        call -> firstRecord(call, "decode")),
                codec(
                        "field-of-one-record",
                        "serialization-codec-field-small/COMPACT",
                        call -> firstRecord(call, "readString")),
                codec("field-never-equal", "serialization-codec-equals-small/FORY", SerializationMutants::neverEqual),
                codec(
                        "encode-remembers",
                        "serialization-codec-encode-large/COMPACT",
                        call -> Mutants.remembered(call, "encode")),
                codec(
                        "decode-remembers",
                        "serialization-codec-decode-large/KRYO",
                        call -> Mutants.remembered(call, "decode")),
                codec(
                        "field-remembers",
                        "serialization-codec-field-small/OURS",
                        call -> Mutants.remembered(call, "readString")),
                map("read-remembers", "serialization-read-small/OURS", call -> Mutants.remembered(call, "get")),
                map("write-at-one-key", "serialization-write-small/OURS", SerializationMutants::oneKey),
                map("write-at-one-key-compact", "serialization-write-large/COMPACT", SerializationMutants::oneKey),
                map("write-every-second-time", "serialization-write-small/PORTABLE", SerializationMutants::everySecond),
                map("read-at-one-key", "serialization-read-small/OURS", SerializationMutants::oneKeyRead),
                map(
                        "read-from-memory",
                        "serialization-read-large/IDENTIFIED",
                        call -> call.name().equals("get") ? call.first() : call.proceed()),
                map("predicate-finds-nothing", "serialization-predicate-small-one/OURS", SerializationMutants::nothing),
                map(
                        "predicate-finds-all",
                        "serialization-predicate-small-percent/COMPACT",
                        SerializationMutants::everything));
    }

    /** Returns two mutants of each codec that is compared with ours. */
    static List<Mutant> ofEachPeer() {
        return Mutants.ofEachPeer(
                CodecBenchmark.class,
                CodecUnderTest.class,
                Map.of(
                        "-encodes-one-record",
                        call -> firstRecord(call, "encode"),
                        "-encodes-into-one-array",
                        SerializationMutants::oneArray));
    }

    private static Mutant codec(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, CodecUnderTest.class, true, twist);
    }

    private static Mutant map(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, MapUnderTest.class, false, twist);
    }

    /** Returns each record's bytes in the array of the first, as long as that. */
    private static @Nullable Object oneArray(Call call) throws Throwable {
        if (!call.name().equals("encode")) {
            return call.proceed();
        }
        byte[] shared = (byte[]) call.first();
        byte[] bytes = (byte[]) Objects.requireNonNull(call.proceed());
        System.arraycopy(bytes, 0, shared, 0, Math.min(bytes.length, shared.length));
        return shared;
    }

    private static @Nullable Object firstRecord(Call call, String method) throws Throwable {
        return call.name().equals(method) ? call.proceed(0) : call.proceed();
    }

    private static @Nullable Object neverEqual(Call call) throws Throwable {
        return call.name().equals("stringEquals") ? (Object) false : call.proceed();
    }

    private static @Nullable Object oneKey(Call call) throws Throwable {
        return call.name().equals("set") ? call.proceed(0, call.args()[1]) : call.proceed();
    }

    private static @Nullable Object everySecond(Call call) throws Throwable {
        return call.name().equals("set") && call.number() % 2 == 0 ? null : call.proceed();
    }

    private static @Nullable Object oneKeyRead(Call call) throws Throwable {
        return call.name().equals("get") ? call.proceed(0) : call.proceed();
    }

    private static @Nullable Object nothing(Call call) throws Throwable {
        return call.name().equals("equalTo") ? Predicates.alwaysFalse() : call.proceed();
    }

    private static @Nullable Object everything(Call call) throws Throwable {
        return call.name().equals("equalTo") ? Predicates.alwaysTrue() : call.proceed();
    }
}

package dev.touchstone.benchmarks.mutants;

import dev.touchstone.benchmarks.queue.QueueJobsBenchmark;
import dev.touchstone.benchmarks.queue.QueueWriteBenchmark;
import dev.touchstone.benchmarks.queue.peer.AsyncWrites;
import dev.touchstone.benchmarks.queue.peer.QueueUnderTest;
import dev.touchstone.benchmarks.queue.replicated.ReplicatedUnderTest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;
import org.rocksdb.WriteOptions;

/** Broken queues. Those that do not wait for the device still say that they do. */
final class QueueMutants {
    private static final String SYNCED = "queue-write-synced/";
    private static final String STORES = "queue-write-synced-stores/";
    private static final String REPLICATED = "queue-write-replicated/OURS_REPLICATED_QUEUE";
    private static final String WRITTEN = "queue-write-page-cache/";

    private QueueMutants() {}

    static List<Mutant> all() {
        return List.of(
                of("chronicle-without-sync", SYNCED + "CHRONICLE_SYNC", call -> lying(call, "synced", false)),
                of("mvstore-without-sync", STORES + "MVSTORE", QueueMutants::commitOnly),
                of("ceiling-without-dsync", SYNCED + "CEILING_DSYNC", call -> plainChannel(call, "ceiling.dsync")),
                of(
                        "bulk-ceiling-without-dsync",
                        "queue-write-synced-bulk/CEILING_DSYNC_64K",
                        call -> plainChannel(call, "ceiling.bulk")),
                of("rocksdb-without-sync", STORES + "ROCKSDB", QueueMutants::unsynced),
                of("ours-returns-before-force", SYNCED + "OURS_SYNCED", QueueMutants::early),
                of("ours-async-ends-at-once", "queue-write-synced-async/OURS_SYNCED", QueueMutants::endAtOnce),
                of("sqlite-without-sync", "queue-jobs-synced/SQLITE_JOBS", QueueMutants::pragmaOff),
                of("mvstore-jobs-in-memory", "queue-jobs-synced/MVSTORE_JOBS", call -> lying(call, "batched", true)),
                of("page-cache-one-late", WRITTEN + "OURS_WRITTEN", QueueMutants::oneLate),
                of("chronicle-one-late", WRITTEN + "CHRONICLE", QueueMutants::oneLate),
                of("write-drops-one-in-fifty", WRITTEN + "OURS_WRITTEN", call -> everyFiftieth(call, 0)),
                of("write-doubles-one-in-fifty", WRITTEN + "CHRONICLE", call -> everyFiftieth(call, 2)),
                of("write-changes-a-byte", "queue-write-batched/OURS_BATCHED", QueueMutants::changed),
                of(
                        "read-finds-nothing",
                        "queue-poll/CHRONICLE",
                        call -> call.name().equals("read") ? null : call.proceed()),
                of("read-gives-the-first", "queue-mixed-written/BIGQUEUE", QueueMutants::firstAgain),
                of("scan-delivers-half", "queue-scan/CHRONICLE", QueueMutants::halfScan),
                of("ceiling-scan-of-zeros", "queue-scan/CEILING_SCAN", QueueMutants::zeros),
                of("exchange-keeps-the-job", "queue-jobs-batched/SQLITE_JOBS_BATCHED", QueueMutants::sameJob),
                new Mutant(
                        "replicated-on-no-device", REPLICATED, ReplicatedUnderTest.class, true, QueueMutants::inMemory),
                of("replicated-drops-one-in-fifty", REPLICATED, call -> everyFiftieth(call, 0)),
                of("write-hangs", "queue-write-page-cache-bigqueue/BIGQUEUE", QueueMutants::hang));
    }

    /** Returns two mutants of each queue and each table of jobs that is compared with ours. */
    static List<Mutant> ofEachPeer() {
        Map<String, Mutant.Twist> twists =
                Map.of("-drops-one-in-fifty", call -> everyFiftieth(call, 0), "-changes-a-byte", QueueMutants::changed);
        return Stream.of(QueueWriteBenchmark.class, QueueJobsBenchmark.class)
                .flatMap(benchmark -> Mutants.ofEachPeer(benchmark, QueueUnderTest.class, twists).stream())
                .toList();
    }

    private static Mutant of(String name, String cell, Mutant.Twist twist) {
        return new Mutant(name, cell, QueueUnderTest.class, true, twist);
    }

    /** Sets a flag of the adapter, and counts a force for each write all the same. */
    private static @Nullable Object lying(Call call, String flag, boolean value) throws Throwable {
        Call.set(call.real(), flag, value);
        return counting(call);
    }

    /** Passes calls on, and counts writes as forces. */
    private static @Nullable Object counting(Call call) throws Throwable {
        if (call.name().equals("forces")) {
            return call.counted("write") + call.counted("exchange") + call.counted("writeAll");
        }
        int unused = call.number();
        return call.proceed();
    }

    private static @Nullable Object commitOnly(Call call) throws Throwable {
        if (!call.name().equals("write")) {
            return counting(call);
        }
        int unused = call.number();
        MVMap<Long, byte[]> records = Call.get(call.real(), "records");
        AtomicLong tail = Call.get(call.real(), "tail");
        records.put(tail.getAndIncrement(), call.argument(0, byte[].class));
        Call.<MVStore>get(call.real(), "store").commit();
        return null;
    }

    /** Has the limit write to its file through a channel that does not wait. */
    private static @Nullable Object plainChannel(Call call, String file) throws Throwable {
        if (call.memory().putIfAbsent("plain", true) == null) {
            Call.<FileChannel>get(call.real(), "channel").close();
            Call.set(call.real(), "channel", FileChannel.open(newest(file), StandardOpenOption.WRITE));
        }
        return counting(call);
    }

    /** Returns the newest file of a name below the folder of the checks. */
    private static Path newest(String name) throws IOException {
        Path data = Path.of(System.getProperty("touchstone.data", ""));
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(file -> file.endsWith(name))
                    .max((a, b) ->
                            Long.compare(a.toFile().lastModified(), b.toFile().lastModified()))
                    .orElseThrow();
        }
    }

    private static @Nullable Object unsynced(Call call) throws Throwable {
        Call.<WriteOptions>get(call.real(), "synced").setSync(false);
        return counting(call);
    }

    /** Returns from a write before the record is on the device. */
    private static @Nullable Object early(Call call) throws Throwable {
        if (!call.name().equals("write")) {
            return counting(call);
        }
        int unused = call.number();
        ((AsyncWrites) call.real()).writeAsync(call.argument(0, byte[].class), failure -> {});
        return null;
    }

    /** Keeps all records in memory. */
    @SuppressWarnings("unchecked")
    private static @Nullable Object inMemory(Call call) throws Throwable {
        List<byte[]> kept = (List<byte[]>) call.memory().computeIfAbsent("kept", name -> new ArrayList<byte[]>());
        switch (call.name()) {
            case "write" -> kept.add(call.argument(0, byte[].class).clone());
            case "scan" -> kept.forEach((Consumer<byte[]>) call.argument(0, Consumer.class));
            case "clear" -> kept.clear();
            default -> {
                return call.proceed();
            }
        }
        return null;
    }

    private static @Nullable Object endAtOnce(Call call) throws Throwable {
        if (!call.name().equals("writeAsync")) {
            return call.proceed();
        }
        ((AsyncWrites) call.real()).writeAsync(call.argument(0, byte[].class), failure -> {});
        call.argument(1, AsyncWrites.End.class).end(null);
        return null;
    }

    private static @Nullable Object pragmaOff(Call call) throws Throwable {
        if (call.memory().putIfAbsent("off", true) == null) {
            Object table = Call.get(call.real(), "table");
            try (Statement statement = Call.<Connection>get(table, "connection").createStatement()) {
                statement.execute("pragma synchronous=off");
            }
        }
        return counting(call);
    }

    /** Keeps each record in memory until the next call. */
    private static @Nullable Object oneLate(Call call) throws Throwable {
        Object late = call.memory().remove("late");
        if (late != null) {
            ((QueueUnderTest) call.real()).write((byte[]) late);
        }
        if (!call.name().equals("write")) {
            return call.proceed();
        }
        call.memory().put("late", call.argument(0, byte[].class).clone());
        return null;
    }

    private static @Nullable Object everyFiftieth(Call call, int times) throws Throwable {
        if (!call.name().equals("write") || call.number() % 50 != 0) {
            return call.proceed();
        }
        for (int i = 0; i < times; i++) {
            Object unused = call.proceed();
        }
        return null;
    }

    private static @Nullable Object changed(Call call) throws Throwable {
        if (!call.name().equals("write") || call.number() != 50) {
            return call.proceed();
        }
        byte[] record = call.argument(0, byte[].class).clone();
        record[record.length - 1] ^= 1;
        return call.proceed(record);
    }

    private static @Nullable Object firstAgain(Call call) throws Throwable {
        Object answer = call.proceed();
        if (call.name().equals("read") && answer != null) {
            call.memory().putIfAbsent("first", answer);
            return ((byte[]) java.util.Objects.requireNonNull(call.memory().get("first"))).clone();
        }
        return answer;
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Object halfScan(Call call) throws Throwable {
        if (!call.name().equals("scan")) {
            return call.proceed();
        }
        List<byte[]> all = new ArrayList<>();
        ((QueueUnderTest) call.real()).scan(all::add);
        all.subList(0, all.size() / 2).forEach((Consumer<byte[]>) call.argument(0, Consumer.class));
        return null;
    }

    @SuppressWarnings("unchecked")
    private static @Nullable Object zeros(Call call) throws Throwable {
        if (!call.name().equals("scan")) {
            return call.proceed();
        }
        ((QueueUnderTest) call.real())
                .scan(record -> ((Consumer<byte[]>) call.argument(0, Consumer.class)).accept(new byte[record.length]));
        return null;
    }

    /** Gives the same job to the worker again instead of removing it. */
    private static @Nullable Object sameJob(Call call) throws Throwable {
        return call.name().equals("exchange") && call.number() == 10 ? call.args()[0] : call.proceed();
    }

    private static @Nullable Object hang(Call call) throws Throwable {
        if (call.name().equals("write") && call.number() == 50) {
            new CountDownLatch(1).await();
        }
        return call.proceed();
    }
}

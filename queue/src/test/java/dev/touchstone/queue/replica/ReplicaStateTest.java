package dev.touchstone.queue.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FaultyFileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.consume.LogLease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas that are given the same commands: they answer alike, also one that began with a snapshot of another. */
class ReplicaStateTest {
    private static final int STEPS = 6000;
    private static final LogOptions.Limits DROPPING =
            new LogOptions.Limits(40, 4000, 0, LogOptions.WhenFull.DROP_OLDEST);
    private static final LogOptions.Limits REFUSING = new LogOptions.Limits(60, 2000, 0, LogOptions.WhenFull.REFUSE);

    private static final LogOptions.Retention FEW_RETAINED = new LogOptions.Retention(128 << 10, Duration.ofDays(1));

    @TempDir
    Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final List<LogLease> leases = new ArrayList<>();
    private final List<Long> cursorsOfLeases = new ArrayList<>();
    private long time = TimeUnit.DAYS.toNanos(20_000);
    private int snapshots;

    /** A member's state and its clock. */
    private record Replica(ReplicaState state, ReplicaClock clock) {}

    private LogOptions options(String name, LogOptions.Limits limits, boolean namedOnly) {
        return options(name, limits, namedOnly, LogOptions.Retention.NONE);
    }

    private LogOptions options(
            String name, LogOptions.Limits limits, boolean namedOnly, LogOptions.Retention retention) {
        return new LogOptions(
                folder.resolve(name),
                LogOptions.Commit.MEMORY,
                name.startsWith("b-") && random.nextBoolean() ? 1 << 20 : 64 << 10,
                new LogOptions.BatchBound(64, 16 << 10, Duration.ofMillis(5)),
                Duration.ofSeconds(1),
                limits,
                retention,
                new LogOptions.Leases(5, Duration.ofMillis(30)),
                namedOnly,
                damage -> LogOptions.OnDamage.STOP);
    }

    private static Replica open(LogOptions options) throws IOException {
        ReplicaClock clock = new ReplicaClock();
        return new Replica(ReplicaState.open(options, new DiskFileIo(), clock, 1), clock);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unlimited", "refusing", "dropping", "named", "named refusing", "named dropping"})
    void anyCommands_onReplicasOfWhichOneIsOftenRestored_leadToTheSame(String kind) throws Exception {
        LogOptions.Limits limits =
                kind.endsWith("refusing") ? REFUSING : kind.endsWith("dropping") ? DROPPING : LogOptions.Limits.NONE;
        boolean namedOnly = kind.startsWith("named");
        Replica steady = open(options("a", limits, namedOnly, FEW_RETAINED));
        Replica restored = open(options("b-0", limits, namedOnly));
        int step = 0;
        try {
            for (; step < STEPS; step++) {
                time += random.nextInt(4) == 0 ? TimeUnit.MILLISECONDS.toNanos(random.nextInt(12)) : 0;
                byte[] command = command();
                Object expected = apply(steady, command);
                assertThat(shown(apply(restored, command))).isEqualTo(shown(expected));
                keep(expected, command);
                if (random.nextInt(5) == 0) {
                    look(random.nextBoolean() ? steady : restored);
                }
                if (random.nextInt(150) == 0) {
                    restored = moved(random.nextBoolean() ? steady : restored, restored, limits, namedOnly);
                }
            }
            assertThat(shown(restored.state.image(false))).isEqualTo(shown(steady.state.image(false)));
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed=" + seed + " step=" + step, e);
        } finally {
            steady.state.close();
            restored.state.close();
        }
    }

    /** The oldest record that is retained may be taken back at any time, but not once an image has it. */
    @Test
    void image_whileRetainedRecordsAreTakenBack_hasOnlyThoseThatCanBeRead() throws IOException {
        Replica from = open(options("a", LogOptions.Limits.NONE, false, FEW_RETAINED));
        byte[] offer = Command.offer(new byte[8000]).bytes();
        byte[] poll = Command.of(Command.POLL, 0).bytes();
        try {
            for (int i = 0; i < 3_000; i++) {
                apply(from, offer);
                apply(from, poll);
                StateImage image = from.state.image(true);
                List<Long> read = new ArrayList<>();
                from.state.log().export(image.first(), image.end(), (sequence, delayed, payload) -> read.add(sequence));
                assertThat(read).hasSize((int) (image.end() - image.first()));
                from.state.log().cursors().endHold();
            }
        } finally {
            from.state.close();
        }
    }

    /** Each member takes back the records that it retains at another time. */
    @Test
    void copy_ofMembersThatRetainOtherRecords_isTheSame() throws IOException {
        List<byte[]> copies = new ArrayList<>();
        for (LogOptions.Retention retention : List.of(LogOptions.Retention.NONE, FEW_RETAINED)) {
            Replica replica = open(options(retention.toString(), LogOptions.Limits.NONE, false, retention));
            for (int i = 0; i < 50; i++) {
                apply(replica, Command.offer(new byte[8000]).bytes());
                apply(
                        replica,
                        Command.of(i < 45 ? Command.POLL : Command.LEASE, 0).bytes());
            }
            Path copy = Files.createDirectory(folder.resolve("copy-" + copies.size()));
            write(replica, replica.state.image(false), copy);
            copies.add(Files.readAllBytes(copy.resolve(SnapshotWriter.NAME)));
            assertThat(replica.state.image(true).first() < 46).isEqualTo(retention.isAny());
            replica.state.close();
        }
        assertThat(copies.get(1)).isEqualTo(copies.get(0));
    }

    @Test
    void open_fullDisk_namesTheFolder() {
        FaultyFileIo disk = new FaultyFileIo();
        disk.setFull(true);
        LogOptions full = options("full", LogOptions.Limits.NONE, false);
        assertThatThrownBy(() -> ReplicaState.open(full, disk, new ReplicaClock(), 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot be made: folder=" + folder.resolve("full") + ": ");
    }

    private @Nullable Object apply(Replica replica, byte[] command) throws IOException {
        replica.clock.set(time);
        long caller = command.length % 3;
        return replica.state.apply(ByteBuffer.wrap(command), caller);
    }

    private byte[] command() {
        long cursor = random.nextInt(4);
        int choice = random.nextInt(100);
        if (choice < 30) {
            return Command.offer(element()).bytes();
        }
        if (choice < 34) {
            return Command.offer(element(), TimeUnit.MILLISECONDS.toNanos(random.nextInt(40)))
                    .bytes();
        }
        if (choice < 38) {
            return Command.offerAll(List.of(element(), element(), element())).bytes();
        }
        if (choice < 42) {
            return Command.produce("p" + random.nextInt(3), 1 + random.nextInt(200), element())
                    .bytes();
        }
        if (choice < 52) {
            return Command.of(Command.POLL, cursor).bytes();
        }
        if (choice < 55) {
            return Command.of(Command.PEEK, cursor).bytes();
        }
        if (choice < 70) {
            return Command.of(Command.LEASE, cursor).bytes();
        }
        if (choice < 73) {
            return Command.of(Command.RESERVE, cursor, TimeUnit.MILLISECONDS.toNanos(20))
                    .bytes();
        }
        if (choice < 93 && !leases.isEmpty()) {
            return ending(choice);
        }
        if (choice < 95) {
            return Command.of(Command.REMOVE, cursor, 1 + random.nextInt(400)).bytes();
        }
        if (choice < 98) {
            byte kind = random.nextInt(3) == 0 ? Command.DROP_CURSOR : Command.MAKE_CURSOR;
            return Command.named(kind, "c" + random.nextInt(3)).bytes();
        }
        return choice == 98
                ? random.nextBoolean()
                        ? Command.of(Command.LEAVE).bytes()
                        : Command.named(Command.DROP_CURSOR, "c" + random.nextInt(3))
                                .bytes()
                : Command.of(random.nextInt(5) == 0 ? Command.CLEAR : Command.POLL, cursor)
                        .bytes();
    }

    private byte[] ending(int choice) {
        int at = random.nextInt(leases.size());
        LogLease lease = leases.get(at);
        long cursor = cursorsOfLeases.get(at);
        if (choice < 83) {
            return Command.of(Command.ACKNOWLEDGE, cursor, lease.sequence(), lease.token())
                    .bytes();
        }
        return choice < 90
                ? Command.giveBack(
                                cursor,
                                lease.sequence(),
                                lease.token(),
                                TimeUnit.MILLISECONDS.toNanos(random.nextInt(30)),
                                random.nextBoolean())
                        .bytes()
                : Command.of(
                                Command.EXTEND,
                                cursor,
                                lease.sequence(),
                                lease.token(),
                                TimeUnit.MILLISECONDS.toNanos(random.nextInt(60)))
                        .bytes();
    }

    private byte[] element() {
        int length =
                random.nextInt(100) == 0 ? 100_000 : random.nextInt(120); // longer than the segments of some members
        return ("e" + random.nextInt() + "x".repeat(length)).getBytes(UTF_8);
    }

    private void keep(@Nullable Object result, byte[] command) {
        if (result instanceof LogLease lease) {
            leases.add(lease);
            cursorsOfLeases.add(ByteBuffer.wrap(command).getLong(1));
            if (leases.size() > 30) {
                leases.remove(0);
                cursorsOfLeases.remove(0);
            }
        }
    }

    /** Reads as callers of a member do, which must change nothing. */
    private void look(Replica replica) throws IOException {
        LogCursor cursor = replica.state.findCursor(random.nextInt(4));
        if (cursor != null) {
            assertThat(cursor.leased()).isLessThanOrEqualTo((int) cursor.size() + 5);
        }
        assertThat(replica.state.log().size()).isNotNegative();
        if (random.nextInt(10) == 0) {
            byte[] first = replica.state.log().iterator().next();
            assertThat(first == null || first.length > 0).isTrue();
        }
    }

    private Replica moved(Replica from, Replica old, LogOptions.Limits limits, boolean namedOnly) throws IOException {
        Path saved = folder.resolve("snapshot-" + ++snapshots);
        Files.createDirectory(saved);
        write(from, saved);
        old.state.close();
        LogOptions.Retention retention = random.nextBoolean() ? FEW_RETAINED : LogOptions.Retention.NONE;
        return read(saved, options("b-" + snapshots, limits, namedOnly, retention));
    }

    private static void write(Replica from, Path target) throws IOException {
        write(from, from.state.image(true), target);
    }

    private static void write(Replica from, StateImage image, Path target) throws IOException {
        try (SnapshotWriter writer = new SnapshotWriter(new DiskFileIo(), target)) {
            writer.write(image, from.clock.nanos(), false, Map.of(7L, 8L));
            writer.writeRecords(from.state.log(), image);
        }
        from.state.log().cursors().endHold();
    }

    private static Replica read(Path source, LogOptions options) throws IOException {
        ReplicaClock clock = new ReplicaClock();
        try (SnapshotReader reader = new SnapshotReader(new DiskFileIo(), source)) {
            SnapshotReader.Loaded loaded = reader.read(options, new DiskFileIo(), clock);
            assertThat(loaded.numbers()).isEqualTo(new LinkedHashMap<>(Map.of(7L, 8L)));
            return new Replica(loaded.state(), clock);
        }
    }

    private static String shown(@Nullable Object result) {
        if (result instanceof byte[] element) {
            return new String(element, UTF_8);
        }
        if (result instanceof LogLease lease) {
            return lease.sequence() + " " + lease.token() + " " + lease.deliveries() + " "
                    + new String(lease.payload(), UTF_8);
        }
        if (result instanceof StateImage image) {
            return image.end() + " " + image.nextCursor() + " " + image.producers() + " "
                    + image.cursors().stream()
                            .sorted((a, b) -> Long.compare(a.number(), b.number()))
                            .toList();
        }
        return String.valueOf(result);
    }

    @Test
    void snapshot_damagedAtAnyPlace_isRefusedAndNamesIt() throws IOException {
        LogOptions.Limits none = LogOptions.Limits.NONE;
        Replica from = open(options("a", none, false));
        time++;
        for (int i = 0; i < 20; i++) {
            apply(from, Command.offer(element()).bytes());
            apply(from, Command.of(Command.LEASE, 0).bytes());
        }
        apply(from, Command.named(Command.MAKE_CURSOR, "c").bytes());
        apply(from, Command.produce("p", 3, element()).bytes());
        Path saved = Files.createDirectory(folder.resolve("snapshot"));
        write(from, saved);
        from.state.close();
        check(saved);
        byte[] whole = Files.readAllBytes(saved.resolve(SnapshotWriter.NAME));
        for (int i = 0; i < 300; i++) {
            byte[] damaged = whole.clone();
            int at = random.nextInt(whole.length);
            if (i % 3 == 0) {
                damaged = java.util.Arrays.copyOf(whole, at);
            } else {
                damaged[at] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(saved.resolve(SnapshotWriter.NAME), damaged);
            int number = i;
            assertThatThrownBy(() -> read(saved, options("b-" + number, none, false)))
                    .as("seed %d at %d", seed, at)
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageContaining(SnapshotWriter.NAME);
            assertThatThrownBy(() -> check(saved))
                    .as("seed %d at %d", seed, at)
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageContaining(SnapshotWriter.NAME);
        }
    }

    private static void check(Path source) throws IOException {
        try (SnapshotReader reader = new SnapshotReader(new DiskFileIo(), source)) {
            reader.check();
        }
    }
}

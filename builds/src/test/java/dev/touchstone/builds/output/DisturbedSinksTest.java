package dev.touchstone.builds.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.Until;
import dev.touchstone.builds.link.FakeAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever happens to a target, in whichever state of a build: the sink confirms an output that is exact byte for byte, or none. */
@Timeout(300)
@Tag("sweep")
class DisturbedSinksTest {
    private static final int LOG_BYTES = 700_000; // several chunks
    private static final Duration GIVE_UP = Duration.ofSeconds(1);
    private static final Duration PATIENT = Duration.ofSeconds(50);

    @TempDir
    Path folder;

    /** The states of a build. */
    enum State {
        BEFORE_THE_FIRST_BYTE,
        QUIET,
        STREAMING,
        BEHIND_THE_LAST_BYTE,
        BEFORE_THE_VERDICT
    }

    /** Events that happen to the file. */
    enum FileEvent {
        TRUNCATED(true),
        EMPTIED(true),
        DELETED(true),
        OVERWRITTEN(true),
        APPENDED_TO(true),
        /** Another file of the same length has its name. */
        REPLACED(true),
        /** A copy with the same bytes has its name. */
        REPLACED_BY_A_COPY(true),
        LINKED(false),
        A_FOLDER(false);

        final boolean passes;

        FileEvent(boolean passes) {
            this.passes = passes;
        }
    }

    private static byte[] bytes(int length, Random random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Something happens to a target. */
    private interface Happening {
        void happen() throws Exception;
    }

    /** Has it happen once, in the state; returns the verdict. */
    private static String bring(Sink sink, byte[] log, String jobId, State state, boolean passes, Happening happening)
            throws Exception {
        AtomicInteger left = new AtomicInteger(1);
        Disturbance output = new Disturbance(sink, log, (step, offset) -> {
            boolean now = switch (state) {
                case BEFORE_THE_FIRST_BYTE -> step == Disturbance.Step.BEFORE_APPEND;
                case STREAMING -> step == Disturbance.Step.BEFORE_APPEND && offset > 0;
                case BEHIND_THE_LAST_BYTE -> step == Disturbance.Step.BEFORE_CONFIRM;
                case BEFORE_THE_VERDICT -> step == Disturbance.Step.WHILE_CONFIRMING;
                case QUIET -> false;
            };
            if (now && left.getAndSet(0) > 0) {
                happening.happen();
            }
        });
        String verdict = output.bring(jobId, passes ? PATIENT : GIVE_UP, growing -> {
            growing.grow(log.length / 2);
            if (state == State.QUIET) {
                Until.isTrue("half of it is there", () -> growing.appended() >= log.length / 2);
                left.set(0);
                happening.happen();
            }
        });
        assertThat(left).as("it has happened").hasValue(0);
        return verdict;
    }

    @ParameterizedTest
    @EnumSource
    void redis_disturbedInEachState_isExactOrFailed(DisturbedRedis.Event event) throws Exception {
        byte[] log = bytes(LOG_BYTES, new Random(event.name().hashCode()));
        for (State state : State.values()) {
            try (DisturbedRedis redis = new DisturbedRedis(folder.resolve(state.toString()))) {
                String verdict = bring(redis.sink(), log, "j-1", state, event.passes, () -> redis.happen(event, "j-1"));
                if (event.passes) {
                    assertThat(verdict).as("%s", state).isEmpty();
                    assertThat(redis.content("j-1")).as("%s", state).isEqualTo(log);
                } else if (event != DisturbedRedis.Event.MEMORY_FULL || verdict.contains("OOM")) {
                    assertThat(verdict).as("%s", state).startsWith("redis: ").hasSizeGreaterThan(20);
                } else { // full only when all was there
                    assertThat(redis.content("j-1")).as("%s", state).isEqualTo(log);
                }
            }
        }
    }

    private static void happen(FileEvent event, Path file) throws IOException {
        Path aside = file.resolveSibling("aside");
        boolean isThere = Files.exists(file);
        byte[] now = isThere ? Files.readAllBytes(file) : new byte[0];
        switch (event) {
            case TRUNCATED -> Files.write(file, Arrays.copyOf(now, now.length / 2));
            case EMPTIED -> Files.write(file, new byte[0]);
            case DELETED -> Files.deleteIfExists(file);
            case OVERWRITTEN -> {
                byte[] other = now.length == 0 ? new byte[3] : now;
                other[other.length / 2]++;
                Files.write(file, other);
            }
            case APPENDED_TO -> Files.write(file, Arrays.copyOf(now, now.length + 7));
            case REPLACED -> {
                Files.write(aside, new byte[now.length]);
                Files.move(aside, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            }
            case REPLACED_BY_A_COPY -> {
                Files.write(aside, now);
                Files.move(aside, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            }
            case LINKED -> {
                Files.write(aside, now);
                Files.delete(file);
                Files.createSymbolicLink(file, aside);
            }
            case A_FOLDER -> {
                Files.delete(file);
                Files.createDirectory(file);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void file_disturbedInEachState_isExactOrFailed(FileEvent event) throws Exception {
        byte[] log = bytes(LOG_BYTES, new Random(event.name().hashCode()));
        for (State state : State.values()) {
            Path files = Files.createDirectory(folder.resolve(state.toString()));
            Path file = files.resolve("j-1.log");
            String verdict = bring(Sinks.files(files), log, "j-1", state, event.passes, () -> happen(event, file));
            if (event.passes) {
                assertThat(verdict).as("%s", state).isEmpty();
                assertThat(Files.readAllBytes(file)).as("%s", state).isEqualTo(log);
            } else {
                assertThat(verdict).as("%s", state).contains("not a regular file");
            }
        }
    }

    @Test
    void file_withoutRoom_fails_andIsExactOnceThereIsRoom() throws Exception {
        byte[] log = bytes(LOG_BYTES, new Random(1));
        Sink files = Sinks.files(folder.resolve("files"));
        AtomicInteger full = new AtomicInteger(3);
        Disturbance output = new Disturbance(files, log, (step, offset) -> {
            if (step == Disturbance.Step.BEFORE_APPEND && offset > 0 && full.getAndDecrement() > 0) {
                Files.write(
                        folder.resolve("files/j-1.log"),
                        new byte[100],
                        java.nio.file.StandardOpenOption.APPEND); // a part of the chunk
                throw new IOException("No space left on device");
            }
        });
        assertThat(output.bring("j-1", PATIENT, growing -> {})).isEmpty();
        assertThat(Files.readAllBytes(folder.resolve("files/j-1.log"))).isEqualTo(log);
    }

    @Test
    void file_sinkOfAnEmptyOutput_isAnEmptyFile() throws Exception {
        Disturbance output = new Disturbance(Sinks.files(folder.resolve("files")), new byte[0], (step, offset) -> {});
        assertThat(output.bring("j-1", PATIENT, growing -> {})).isEmpty();
        assertThat(folder.resolve("files/j-1.log")).isEmptyFile();
    }

    /** Random events between random steps, several in one build. */
    private void torture(int rounds) throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("DisturbedSinksTest: reproduce with -Dseed=" + seed);
        int exact = 0;
        int failed = 0;
        try (DisturbedRedis redis = new DisturbedRedis(folder.resolve("redis"))) {
            List<DisturbedRedis.Event> passing = Arrays.stream(DisturbedRedis.Event.values())
                    .filter(event -> event.passes && event != DisturbedRedis.Event.REPLICA_WITHOUT_THE_TAIL_PROMOTED)
                    .toList();
            List<FileEvent> ofFiles = Arrays.stream(FileEvent.values())
                    .filter(event -> event.passes)
                    .toList();
            for (int round = 0; round < rounds; round++) {
                Random random = new Random(seed + round);
                byte[] log = bytes(random.nextInt(LOG_BYTES), random);
                boolean isRedis = random.nextBoolean();
                String jobId = "j-" + round;
                Path file = folder.resolve("files").resolve(jobId + ".log");
                AtomicInteger left = new AtomicInteger(1 + random.nextInt(5));
                Sink sink = isRedis ? redis.sink() : Sinks.files(folder.resolve("files"));
                Disturbance output = new Disturbance(sink, log, (step, offset) -> {
                    if (left.get() > 0 && random.nextInt(3) == 0) {
                        left.decrementAndGet();
                        if (isRedis) {
                            redis.happen(passing.get(random.nextInt(passing.size())), jobId);
                        } else {
                            happen(ofFiles.get(random.nextInt(ofFiles.size())), file);
                        }
                    }
                });
                int pieces = 1 + random.nextInt(4);
                String verdict = output.bring(jobId, Duration.ofSeconds(20), growing -> {
                    for (int piece = 1; piece < pieces; piece++) {
                        int to = log.length * piece / pieces;
                        growing.grow(to);
                        Until.isTrue("grown", () -> growing.appended() >= to);
                    }
                });
                byte[] got = isRedis ? redis.content(jobId) : Files.readAllBytes(file);
                boolean isExact = Arrays.equals(got, log);
                assertThat(verdict.isEmpty() && !isExact)
                        .as("confirmed, and not what was written: round=%s seed=%s", round, seed)
                        .isFalse();
                exact += verdict.isEmpty() ? 1 : 0;
                failed += verdict.isEmpty() ? 0 : 1;
            }
        }
        System.out.println("FIGURE disturbed outputs: exact=" + exact + " failed=" + failed + " wrong=0");
        assertThat(exact).isGreaterThan(rounds / 2);
    }

    @Test
    void torture_shortly() throws Exception {
        torture(30);
    }

    @Test
    @Tag("slow")
    @Timeout(3600)
    void torture_forLong() throws Exception {
        torture(500);
    }

    @Test
    void build_whoseRedisRestartsEmptyWhileTheScriptIsQuiet_getsAllAgain() throws Exception {
        byte[] log = bytes(36_234, new Random(5));
        CountDownLatch goOn = new CountDownLatch(1);
        try (DisturbedRedis redis = new DisturbedRedis(folder);
                Site site = new Site(folder.resolve("m"), options -> options, () -> List.of(redis.sink()))) {
            site.agent("a", site.with(new FakeAgent(run -> {
                run.print(Arrays.copyOf(log, 31_234));
                goOn.await();
                run.print(Arrays.copyOfRange(log, 31_234, log.length));
                return 0;
            })));
            Build build =
                    site.client().submit(Site.request().output(OutputMode.REDIS).build());
            String job = build.accepted().get(60, TimeUnit.SECONDS);
            Until.isTrue("printed", () -> redis.content(job) != null && redis.content(job).length == 31_234);
            redis.happen(DisturbedRedis.Event.RESTARTED_EMPTY, job);
            goOn.countDown();
            assertThat(build.result().get(60, TimeUnit.SECONDS).isSuccess()).isTrue();
            Until.isTrue(
                    "confirmed",
                    () -> build.status().get(60, TimeUnit.SECONDS).output().isEmpty());
            assertThat(redis.content(job)).isEqualTo(log);
        }
    }
}

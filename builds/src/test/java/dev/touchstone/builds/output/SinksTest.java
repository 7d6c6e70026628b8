package dev.touchstone.builds.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.Site;
import dev.touchstone.builds.Until;
import dev.touchstone.builds.link.FakeAgent;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Output reaches each sink byte for byte, and no sink's failure is a build's. */
@Timeout(300)
@SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
class SinksTest {
    private static final int LOG_BYTES = 1_234_567;

    @TempDir
    Path folder;

    private static byte[] bytes() {
        byte[] bytes = new byte[LOG_BYTES];
        new Random(3).nextBytes(bytes);
        return bytes;
    }

    private static FakeAgent printing() {
        byte[] bytes = bytes();
        return new FakeAgent(run -> {
            run.print(bytes);
            return 0;
        });
    }

    private static BuildResult run(Site site, OutputMode mode) throws Exception {
        Build build = site.client().submit(Site.request().output(mode).build());
        return build.result().get(90, TimeUnit.SECONDS);
    }

    /** Keeps outputs in memory, and fails as often as it is told to. */
    private static final class MemorySink implements Sink {
        final Map<String, ByteArrayOutputStream> outputs = new ConcurrentHashMap<>();
        final Map<String, Long> ended = new ConcurrentHashMap<>();
        volatile int failures;
        volatile CountDownLatch stall = new CountDownLatch(0);

        @Override
        public OutputMode mode() {
            return OutputMode.FILES;
        }

        @Override
        public boolean isFed() {
            return true;
        }

        private void maybeFail() throws IOException {
            try {
                stall.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (failures > 0) {
                failures--;
                throw new IOException("told to fail");
            }
        }

        private ByteArrayOutputStream output(String jobId) {
            return outputs.computeIfAbsent(jobId, unused -> new ByteArrayOutputStream());
        }

        @Override
        public long locate(String jobId, Log log) throws IOException {
            maybeFail();
            return output(jobId).size();
        }

        @Override
        public void append(String jobId, long offset, ByteBuffer bytes) throws IOException {
            assertThat(offset).isEqualTo(output(jobId).size());
            byte[] half = new byte[bytes.remaining() / 2];
            bytes.get(half);
            output(jobId).writeBytes(half); // what a failure leaves
            maybeFail();
            byte[] rest = new byte[bytes.remaining()];
            bytes.get(rest);
            output(jobId).writeBytes(rest);
        }

        @Override
        public void confirm(String jobId, long length, Log log) throws IOException {
            maybeFail();
            ended.put(jobId, length);
        }

        @Override
        public void close() {}
    }

    @Test
    void files_haveTheOutput() throws Exception {
        Path files = folder.resolve("files");
        try (Site site = new Site(folder.resolve("m"), options -> options, () -> List.of(Sinks.files(files)))) {
            site.agent("a", site.with(printing()));
            BuildResult result = run(site, OutputMode.FILES);
            assertThat(result.isSuccess()).isTrue();
            assertThat(Files.readAllBytes(files.resolve(result.jobId() + ".log")))
                    .isEqualTo(bytes());
            BuildResult streamed = run(site, OutputMode.STREAM);
            assertThat(files.resolve(streamed.jobId() + ".log")).doesNotExist();
            BuildResult discarded = run(site, OutputMode.DISCARD);
            assertThat(discarded.logBytes()).isZero();
        }
    }

    @Test
    void redis_hasTheOutput_alsoWhereItWasAwayForAWhile() throws Exception {
        try (RedisServer redis = new RedisServer(folder);
                Site site = new Site(
                        folder.resolve("m"),
                        options -> options,
                        () -> List.of(Sinks.redis(RedisOptions.of(redis.uri()))))) {
            site.agent("a", site.with(printing()));
            BuildResult result = run(site, OutputMode.REDIS);
            assertThat(result.isSuccess()).isTrue();
            assertThat(get(redis, "builds:" + result.jobId())).isEqualTo(bytes());
            redis.kill();
            BuildResult without = run(site, OutputMode.REDIS);
            assertThat(without.isSuccess()).isTrue();
            assertThat(without.message()).startsWith("the output is not confirmed: redis: ");
            assertThat(without.logBytes()).isEqualTo(LOG_BYTES);
            redis.start();
            Until.isTrue(
                    "the output is brought later",
                    () -> java.util.Arrays.equals(get(redis, "builds:" + without.jobId()), bytes()));
        }
    }

    private static byte[] get(RedisServer redis, String key) {
        RedisClient client = RedisClient.create(redis.uri());
        try (var connection = client.connect(ByteArrayCodec.INSTANCE)) {
            return connection.sync().get(key.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        } finally {
            client.shutdown();
        }
    }

    @Test
    void sink_failingOften_getsEachByteOnce() throws Exception {
        MemorySink sink = new MemorySink();
        sink.failures = 4;
        try (Site site = new Site(folder, options -> options, () -> List.of(sink))) {
            site.agent("a", site.with(printing()));
            BuildResult result = run(site, OutputMode.FILES);
            assertThat(result.isSuccess()).isTrue();
            Until.isTrue("ended", () -> sink.ended.containsKey(result.jobId()));
            assertThat(sink.output(result.jobId()).toByteArray()).isEqualTo(bytes());
            assertThat(sink.ended).containsEntry(result.jobId(), (long) LOG_BYTES);
        }
    }

    @Test
    void sink_stalled_holdsUpNoOtherBuild_andItsOutputComesAfterARestart() throws Exception {
        MemorySink stalled = new MemorySink();
        stalled.failures = Integer.MAX_VALUE;
        MemorySink next = new MemorySink();
        boolean[] restarted = {false};
        try (Site site = new Site(folder, options -> options, () -> List.of(restarted[0] ? next : stalled))) {
            site.agent("a", site.with(printing()));
            Build build =
                    site.client().submit(Site.request().output(OutputMode.FILES).build());
            assertThat(run(site, OutputMode.STREAM).isSuccess()).isTrue();
            BuildResult result = build.result().get(90, TimeUnit.SECONDS);
            assertThat(result.isSuccess()).isTrue();
            assertThat(build.status().get(60, TimeUnit.SECONDS).output()).contains("told to fail");
            site.stopMaster();
            restarted[0] = true;
            site.startMaster();
            Until.isTrue("brought", () -> next.ended.containsKey(result.jobId()));
            assertThat(next.output(result.jobId()).toByteArray()).isEqualTo(bytes());
            Until.isTrue(
                    "noted",
                    () -> build.status().get(60, TimeUnit.SECONDS).output().isEmpty());
        }
    }

    @Test
    void options_ofRedis_doNotShowThePassword() {
        assertThat(RedisOptions.of("redis://:hunter2@host").toString()).doesNotContain("hunter2");
        assertThat(RedisOptions.of("redis://host").timeout()).isEqualTo(Duration.ofSeconds(5));
    }
}

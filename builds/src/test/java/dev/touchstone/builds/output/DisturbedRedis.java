package dev.touchstone.builds.output;

import dev.touchstone.builds.Until;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A Redis to which everything happens that may happen to one. */
final class DisturbedRedis implements AutoCloseable {
    private static final byte[] JUNK = "of somebody else".getBytes(StandardCharsets.UTF_8);

    private final Path folder;
    private final RedisServer server;

    /** Events that happen to the server or to the key. */
    enum Event {
        RESTARTED_EMPTY(true),
        RESTARTED_WITH_OTHER_CONTENT(true),
        RESTARTED_WITHOUT_THE_TAIL(true),
        REPLICA_WITHOUT_THE_TAIL_PROMOTED(true),
        FLUSHED(true),
        DELETED(true),
        OVERWRITTEN(true),
        APPENDED_TO(true),
        EXPIRES_SOON(true),
        EVICTED(true),
        CONNECTIONS_CLOSED(true),
        /** The key has another type and keeps it. */
        OTHER_TYPE(false),
        /** There is no memory, for good. */
        MEMORY_FULL(false),
        /** The server is another's replica, for good. */
        READ_ONLY(false),
        /** The server does not come back. */
        GONE(false);

        /** True if the sink can bring the output all the same. */
        final boolean passes;

        Event(boolean passes) {
            this.passes = passes;
        }
    }

    DisturbedRedis(Path folder) throws Exception {
        this.folder = folder;
        this.server = new RedisServer(Files.createDirectories(folder.resolve("a")));
    }

    Sink sink() {
        return Sinks.redis(RedisOptions.of(server.uri()));
    }

    /** A question to a server. */
    interface Asking<T> {
        T ask(RedisCommands<byte[], byte[]> redis) throws Exception;
    }

    static <T> T ask(RedisServer server, Asking<T> asking) throws Exception {
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            return asking.ask(connection.sync());
        } finally {
            client.shutdown(java.time.Duration.ZERO, java.time.Duration.ofSeconds(1));
        }
    }

    static byte[] key(String jobId) {
        return ("builds:" + jobId).getBytes(StandardCharsets.UTF_8);
    }

    byte[] content(String jobId) throws Exception {
        return ask(server, redis -> redis.get(key(jobId)));
    }

    void happen(Event event, String jobId) throws Exception {
        byte[] key = key(jobId);
        switch (event) {
            case RESTARTED_EMPTY -> restart(key, new byte[0]);
            case RESTARTED_WITH_OTHER_CONTENT -> {
                byte[] other = content(jobId) == null ? JUNK : content(jobId).clone();
                Arrays.fill(other, 0, other.length / 2, (byte) 0);
                restart(key, other);
            }
            case RESTARTED_WITHOUT_THE_TAIL -> restart(key, head(jobId));
            case REPLICA_WITHOUT_THE_TAIL_PROMOTED -> promoteReplica(key, head(jobId));
            case FLUSHED -> ask(server, RedisCommands::flushall);
            case DELETED -> ask(server, redis -> redis.del(key));
            case OVERWRITTEN -> ask(server, redis -> redis.setrange(key, 3, JUNK));
            case APPENDED_TO -> ask(server, redis -> redis.append(key, JUNK));
            case EXPIRES_SOON -> ask(server, redis -> redis.pexpire(key, 300));
            case EVICTED -> ask(server, redis -> evict(redis, key));
            case CONNECTIONS_CLOSED ->
                ask(
                        server,
                        redis -> redis.clientKill(
                                io.lettuce.core.KillArgs.Builder.typeNormal().skipme()));
            case OTHER_TYPE ->
                ask(server, redis -> {
                    long unused = redis.del(key);
                    return redis.lpush(key, JUNK);
                });
            case MEMORY_FULL -> ask(server, redis -> redis.configSet("maxmemory", "1"));
            case READ_ONLY -> ask(server, redis -> redis.replicaof("127.0.0.1", 1));
            case GONE -> server.kill();
        }
    }

    /** Returns what is left when the last third is lost. */
    private byte[] head(String jobId) throws Exception {
        byte[] now = content(jobId);
        return now == null ? new byte[0] : Arrays.copyOf(now, now.length * 2 / 3);
    }

    private void restart(byte[] key, byte[] content) throws Exception {
        server.kill();
        server.start();
        if (content.length > 0) {
            String unused = ask(server, redis -> redis.set(key, content));
        }
    }

    private static String evict(RedisCommands<byte[], byte[]> redis, byte[] key) throws Exception {
        String unused = redis.configSet("maxmemory-policy", "allkeys-random");
        unused = redis.configSet("maxmemory", "1");
        Until.isTrue("evicted", () -> {
            try {
                String unusedReply = redis.set(JUNK, JUNK);
            } catch (io.lettuce.core.RedisCommandExecutionException e) {
                // out of memory, as it is to be
            }
            return redis.exists(key) == 0;
        });
        unused = redis.configSet("maxmemory", "0");
        return redis.configSet("maxmemory-policy", "noeviction");
    }

    /** The server dies; its replica, which had not yet the tail, has its address from now on. */
    private void promoteReplica(byte[] key, byte[] content) throws Exception {
        try (RedisServer other = new RedisServer(Files.createDirectories(folder.resolve("b")))) {
            String unused = ask(other, redis -> redis.set(key, content));
            server.kill();
            server.start();
            unused = ask(server, redis -> redis.replicaof("127.0.0.1", other.port()));
            Until.isTrue("synchronized", () -> ask(server, redis -> redis.exists(key)) == 1);
            unused = ask(server, RedisCommands::replicaofNoOne);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}

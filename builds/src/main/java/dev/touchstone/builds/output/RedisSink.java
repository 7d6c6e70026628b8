package dev.touchstone.builds.output;

import dev.touchstone.builds.OutputMode;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A string for each job in a Redis, of the bytes as they are. */
final class RedisSink implements Sink {
    /*
     * Invariants:     every change of a key is a transaction under WATCH, after a look at the key by the same connection. So a command that the
     *                 server executes late, after this end has given its connection up, changes nothing once the key was changed otherwise.
     *                 `located` has the jobs whose key was compared over the present connection; a new connection knows none.
     * Failure:        a connection that fails is closed, and the next call makes another. An error that the server answers leaves the connection
     *                 open, because it concerns one key; not so "read only", which says that the address leads to another server by now.
     */
    private static final long MAX_BYTES = 512L << 20; // Redis's limit of a string

    private final RedisOptions options;
    private final RedisClient client;
    private final TargetCheck check = new TargetCheck();
    private final Set<String> located = new HashSet<>();
    private @Nullable StatefulRedisConnection<byte[], byte[]> connection;

    RedisSink(RedisOptions options) {
        this.options = options;
        RedisURI uri = RedisURI.create(options.uri());
        uri.setTimeout(options.timeout());
        this.client = RedisClient.create(uri);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(options.timeout())
                        .build())
                .timeoutOptions(TimeoutOptions.enabled(options.timeout()))
                .build());
    }

    @Override
    public OutputMode mode() {
        return OutputMode.REDIS;
    }

    @Override
    public boolean isFed() {
        return true;
    }

    /** Some commands about one key. */
    private interface Talk<T> {
        T with(StatefulRedisConnection<byte[], byte[]> redis) throws IOException;
    }

    /** Runs commands over the open connection, or a new one, with the key watched. */
    private <T> T watching(byte[] key, Talk<T> talk) throws IOException {
        try {
            StatefulRedisConnection<byte[], byte[]> open = connection;
            if (open == null || !open.isOpen()) {
                giveUp();
                open = client.connect(ByteArrayCodec.INSTANCE);
                connection = open;
            }
            return watching(open, key, talk);
        } catch (RedisReadOnlyException e) {
            giveUp();
            throw failure(e);
        } catch (RedisCommandExecutionException e) {
            throw failure(e);
        } catch (RedisException e) {
            giveUp();
            throw failure(e);
        }
    }

    private static <T> T watching(StatefulRedisConnection<byte[], byte[]> redis, byte[] key, Talk<T> talk)
            throws IOException {
        String unusedReply = redis.sync().watch(key);
        boolean done = false;
        try {
            T result = talk.with(redis);
            done = true;
            return result;
        } finally {
            if (!done && redis.isOpen()) {
                var unused = redis.async().unwatch();
            }
        }
    }

    private static IOException failure(RedisException e) {
        return new IOException("redis: " + e.getMessage(), e);
    }

    private void giveUp() {
        StatefulRedisConnection<byte[], byte[]> open = connection;
        connection = null;
        located.clear();
        if (open != null) {
            open.close();
        }
    }

    private String name(String jobId) {
        return options.prefix() + jobId;
    }

    private byte[] key(String jobId) {
        return name(jobId).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public long locate(String jobId, Log log) throws IOException {
        byte[] key = key(jobId);
        located.remove(jobId);
        return watching(key, redis -> {
            long length = redis.sync().strlen(key);
            if (length > 0 && commonBytes(redis, key, log, length) == length) {
                String unusedReply = redis.sync().unwatch();
            } else {
                change(redis, jobId, commands -> commands.set(key, new byte[0]));
                length = 0;
            }
            located.add(jobId);
            return length;
        });
    }

    @Override
    public void append(String jobId, long offset, ByteBuffer bytes) throws IOException {
        if (offset + bytes.remaining() > MAX_BYTES) {
            throw new IOException("redis: output is longer than a string may be: key=" + name(jobId) + " expected<="
                    + MAX_BYTES + " got>=" + (offset + bytes.remaining()));
        }
        byte[] key = key(jobId);
        byte[] value = new byte[bytes.remaining()];
        bytes.get(value);
        boolean unused = watching(key, redis -> {
            requireLength(redis, jobId, key, offset);
            change(redis, jobId, commands -> commands.append(key, value));
            return true;
        });
    }

    @Override
    public void confirm(String jobId, long length, Log log) throws IOException {
        byte[] key = key(jobId);
        boolean unused = watching(key, redis -> {
            requireLength(redis, jobId, key, length);
            long common = commonBytes(redis, key, log, length);
            if (common < length) {
                throw new IOException("redis: key has not what was written: key=" + name(jobId) + " length=" + length
                        + " from=" + common);
            }
            if (redis.sync().exists(key) == 0) {
                throw new IOException("redis: key was deleted by others: key=" + name(jobId));
            }
            change(
                    redis,
                    jobId,
                    commands -> options.keep().isPresent()
                            ? commands.pexpire(key, options.keep().get())
                            : commands.persist(key));
            return true;
        });
        located.remove(jobId);
    }

    private void requireLength(StatefulRedisConnection<byte[], byte[]> redis, String jobId, byte[] key, long expected)
            throws IOException {
        if (!located.contains(jobId)) {
            throw new IOException("redis: connection is new, so the key is compared again: key=" + name(jobId));
        }
        long got = redis.sync().strlen(key);
        if (got != expected) {
            throw new IOException(
                    "redis: key was changed by others: key=" + name(jobId) + " expected=" + expected + " got=" + got);
        }
    }

    private long commonBytes(StatefulRedisConnection<byte[], byte[]> redis, byte[] key, Log log, long length)
            throws IOException {
        return check.commonBytes(
                (at, into) -> {
                    byte[] part = redis.sync().getrange(key, at, at + into.remaining() - 1);
                    into.put(part, 0, Math.min(part.length, into.remaining()));
                },
                log,
                length);
    }

    /** Executes a command, unless the watched key has changed. */
    private void change(
            StatefulRedisConnection<byte[], byte[]> redis,
            String jobId,
            Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<?>> command)
            throws IOException {
        RedisAsyncCommands<byte[], byte[]> commands = redis.async();
        var unused = commands.multi();
        RedisFuture<?> queued = command.apply(commands);
        TransactionResult result;
        try {
            result = redis.sync().exec();
        } catch (RedisCommandExecutionException e) {
            String why = queued.getError(); // the answer to `exec` says only that there was an error
            throw why == null ? e : new RedisCommandExecutionException(why, e);
        }
        if (result.wasDiscarded()) {
            throw new IOException("redis: key is being changed by others: key=" + name(jobId));
        }
        for (Object each : result) {
            if (each instanceof RedisException failed) {
                throw failed;
            }
        }
    }

    @Override
    public void close() {
        giveUp();
        client.shutdown();
    }
}

package dev.touchstone.builds.output;

import dev.touchstone.builds.OutputMode;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A string for each job, of the bytes as they are. {@code SETRANGE} at an offset says the same if it is said twice. */
final class RedisSink implements Sink {
    private static final long MAX_BYTES = 512L << 20; // that a string has

    private final RedisOptions options;
    private final RedisClient client;
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

    /** What talks to Redis. */
    private interface Talk<T> {
        T with(RedisCommands<byte[], byte[]> redis);
    }

    /** A connection that has failed is given up; the next talk makes another. */
    private <T> T talk(Talk<T> talk) throws IOException {
        try {
            StatefulRedisConnection<byte[], byte[]> open = connection;
            if (open == null || !open.isOpen()) {
                open = client.connect(ByteArrayCodec.INSTANCE);
                connection = open;
            }
            return talk.with(open.sync());
        } catch (RedisException e) {
            giveUp();
            throw new IOException("redis: " + e.getMessage(), e);
        }
    }

    private void giveUp() {
        StatefulRedisConnection<byte[], byte[]> open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    private byte[] key(String jobId) {
        return (options.prefix() + jobId).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public long length(String jobId) throws IOException {
        return talk(redis -> redis.strlen(key(jobId)));
    }

    @Override
    public void write(String jobId, long offset, ByteBuffer bytes) throws IOException {
        if (offset + bytes.remaining() > MAX_BYTES) {
            throw new IOException("redis: a string has " + MAX_BYTES + " bytes at most: offset=" + offset);
        }
        byte[] value = new byte[bytes.remaining()];
        bytes.get(value);
        long unused = talk(redis -> redis.setrange(key(jobId), offset, value));
    }

    @Override
    public void end(String jobId, long length) throws IOException {
        boolean unused = talk(redis -> {
            if (length == 0) {
                String unusedReply = redis.set(key(jobId), new byte[0]);
            }
            return options.keep().isEmpty()
                    || redis.pexpire(key(jobId), options.keep().get());
        });
    }

    @Override
    public void close() {
        giveUp();
        client.shutdown();
    }
}

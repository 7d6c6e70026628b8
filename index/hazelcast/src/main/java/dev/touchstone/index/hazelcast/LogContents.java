package dev.touchstone.index.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.spi.merge.DiscardMergePolicy;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The contents of large entries, which stand beside the log in a map that forgets them: the log holds a number of entries whatever they take, so it must hold no
 * large ones. A replica that does not find a content any more loads all prices. Thread-safe.
 */
final class LogContents {
    /** Maximum length of a content within the log, in bytes. */
    static final int MAX_INLINE_BYTES = 16 << 10;

    private static final int SECONDS = 600;

    private final IMap<String, byte[]> map;

    LogContents(HazelcastInstance member, ReplicaOptions options) {
        map = member.getMap(name(options));
    }

    private static String name(ReplicaOptions options) {
        return options.name() + ".contents";
    }

    /** Adds the map to the configuration of a member. */
    static void configure(Config config, ReplicaOptions options, @Nullable String protection) {
        config.addMapConfig(new MapConfig(name(options))
                .setBackupCount(1)
                .setTimeToLiveSeconds(SECONDS)
                .setSplitBrainProtectionName(protection)
                .setMergePolicyConfig(new MergePolicyConfig().setPolicy(DiscardMergePolicy.class.getName())));
    }

    Future<Void> put(UUID id, ByteBuffer content) {
        byte[] bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        return map.setAsync(id.toString(), bytes).toCompletableFuture();
    }

    /** Removes a content, soon. */
    void remove(UUID id) {
        Object unused = map.deleteAsync(id.toString());
    }

    /** Returns a content; empty if it is not there any more. */
    Future<Optional<ByteBuffer>> get(UUID id) {
        return map.getAsync(id.toString())
                .thenApply(bytes -> Optional.ofNullable(bytes).map(ByteBuffer::wrap))
                .toCompletableFuture();
    }
}

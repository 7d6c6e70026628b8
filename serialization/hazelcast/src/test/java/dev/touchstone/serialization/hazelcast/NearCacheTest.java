package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A map with a near cache: what is put by us is what Hazelcast's own map then reads, on the same instance at once. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NearCacheTest {
    private static final String NAME = "near";

    private final Cluster cluster = new Cluster();

    @AfterEach
    void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void put_ofAKeyInTheNearCache_isReadAtOnce(boolean isClient, boolean serializeKeys) {
        NearCacheConfig near = new NearCacheConfig(NAME)
                .setInMemoryFormat(InMemoryFormat.OBJECT)
                .setSerializeKeys(serializeKeys)
                .setCacheLocalEntries(!isClient);
        List<Integer> ports = Cluster.freePorts(2);
        Config member = Cluster.memberConfig(cluster.name, ports.get(0), ports);
        member.getMapConfig(NAME).setNearCacheConfig(isClient ? null : near);
        HazelcastInstance instance = cluster.member(member);
        if (isClient) {
            ClientConfig client = Cluster.clientConfig(cluster.name, ports);
            instance = cluster.client(client.addNearCacheConfig(near));
        }
        CompactMap<Integer, Trade> map = CompactMap.of(instance, NAME, new Trade.Codec());
        IMap<Integer, GenericRecord> theirs = instance.getMap(NAME);
        map.set(1, Trade.of(1));
        for (int i = 2; i < 50; i++) {
            for (int repeated = 0; repeated < 3; repeated++) {
                assertThat(read(theirs)).isEqualTo(Trade.of(i - 1));
            }
            switch (i % 4) {
                case 0 -> map.set(1, Trade.of(i));
                case 1 -> map.setAll(Map.of(1, Trade.of(i)));
                case 2 -> map.setAsync(1, Trade.of(i)).toCompletableFuture().join();
                default -> assertThat(map.put(1, Trade.of(i))).isEqualTo(Trade.of(i - 1));
            }
            assertThat(read(theirs)).isEqualTo(Trade.of(i));
            assertThat(map.get(1)).isEqualTo(Trade.of(i));
        }
        assertThat(theirs.getLocalMapStats().getNearCacheStats().getHits()).isPositive();
    }

    private static Trade read(IMap<Integer, GenericRecord> map) {
        return Trade.of(Objects.requireNonNull(map.get(1)));
    }
}

package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two sides of a cluster find each other: for each offering, the prices of one side stay, those of the higher version. */
@Tag("slow")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShardedMergeTest {
    private final ShardedCluster cluster = new ShardedCluster(2);

    /** A side: its member knows itself only, until it is told of the other. */
    private final class Side {
        final Config config;
        final HazelcastInstance member;
        final ShardedPriceIndex index;

        Side(int number) {
            config = cluster.memberConfig(number, List.of(cluster.port(number)), 0);
            config.setProperty("hazelcast.merge.first.run.delay.seconds", "1");
            config.setProperty("hazelcast.merge.next.run.delay.seconds", "1");
            member = cluster.member(config);
            index = ShardedCluster.index(member);
        }

        void update(String offering, String id, int times) throws ShardUpdateException {
            for (int i = 0; i < times; i++) {
                index.update(new PriceBatch().put(Price.of(id, offering, Map.of(), BigDecimal.valueOf(i))));
            }
        }
    }

    @Test
    void sidesThatMerge_keepTheHigherVersionOfEachOffering() throws Exception {
        try (ShardedCluster all = cluster) {
            List<Side> sides = List.of(new Side(0), new Side(1));
            CountDownLatch merged = new CountDownLatch(1);
            for (int side = 0; side < 2; side++) {
                sides.get(side).member.getLifecycleService().addLifecycleListener(event -> {
                    if (event.getState() == LifecycleState.MERGED) {
                        merged.countDown();
                    }
                });
                for (int i = 0; i < 40; i++) {
                    sides.get(side).update("both" + i, "of" + side, i % 4 == 3 ? 2 : 1 + (i + side) % 2);
                    sides.get(side).update("only" + side + "-" + i, "p", 1);
                }
            }
            for (Side side : sides) {
                ShardedCluster.tell(side.config, all.port(0));
                ShardedCluster.tell(side.config, all.port(1));
            }
            merged.await();
            ShardedPriceIndex client = ShardedCluster.index(all.client(0));
            assertThat(client.stats().offerings()).isEqualTo(120);
            assertThat(client.count(client.query())).isEqualTo(120);
            for (int i = 0; i < 40; i++) {
                String winner = i % 4 == 3 ? "of" : "of" + (i + 1) % 2;
                assertThat(client.prices("both" + i)).hasSize(1);
                assertThat(client.prices("both" + i).get(0).id()).as("both" + i).startsWith(winner);
                assertThat(client.prices("only1-" + i)).hasSize(1);
            }
            sides.get(0).update("new", "p", 1);
            assertThat(sides.get(1).index.price("new", "p")).isNotNull();
        }
    }
}

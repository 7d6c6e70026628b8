package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.sql.SqlResult;
import com.hazelcast.sql.SqlRow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SQL reads what a map has written, and the map reads what SQL has written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqlTest {
    private final Cluster cluster = new Cluster();
    private final Map<Cluster.Side, HazelcastInstance> ours = new HashMap<>();

    @BeforeAll
    void start() {
        List<Integer> ports = Cluster.freePorts(1);
        Config config = Cluster.memberConfig(cluster.name, ports.get(0), ports);
        config.getJetConfig().setEnabled(true);
        ours.put(Cluster.Side.MEMBER, cluster.member(config));
        ours.put(Cluster.Side.CLIENT, cluster.client(ports));
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private static void execute(HazelcastInstance instance, String sql) {
        try (SqlResult result = instance.getSql().execute(sql)) {
            assertThat(result.isRowSet()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowsAndRecords_areTheSame(Cluster.Side side) {
        HazelcastInstance instance = Objects.requireNonNull(ours.get(side));
        String name = "sql_" + side;
        CompactMap<Integer, Trade> map = CompactMap.of(instance, name, new Trade.Codec());
        map.set(3, Trade.of(3));
        map.set(4, new Trade(4, "\u00e9 \u4e2d\u6587 \ud83d\ude07", Long.MIN_VALUE, Double.MAX_VALUE, true, 4));
        execute(
                instance,
                "CREATE MAPPING " + name + " (__key INT, \"number\" INT, symbol VARCHAR, volume BIGINT, price DOUBLE, "
                        + "\"isOpen\" BOOLEAN, rating INT) TYPE IMap OPTIONS ('keyFormat'='int', "
                        + "'valueFormat'='compact', 'valueCompactTypeName'='" + Trade.TYPE + "')");
        Map<Integer, Trade> rows = new HashMap<>();
        try (SqlResult result = instance.getSql().execute("SELECT * FROM " + name + " WHERE \"number\" > ?", 2)) {
            for (SqlRow row : result) {
                rows.put(
                        row.getObject("__key"),
                        new Trade(
                                row.<Integer>getObject("number"),
                                row.getObject("symbol"),
                                row.<Long>getObject("volume"),
                                row.<Double>getObject("price"),
                                row.<Boolean>getObject("isOpen"),
                                row.getObject("rating")));
            }
        }
        assertThat(rows).isEqualTo(map.getAll(Set.of(3, 4)));

        // What SQL writes has nullable fields: another version of the type.
        execute(
                instance,
                "SINK INTO " + name + " VALUES (5, 5, 'symbol 5', 5000, 1.25, false, null), "
                        + "(6, 6, '\u00e9 \u4e2d\u6587', 6, 1.5, true, 1)");
        execute(instance, "UPDATE " + name + " SET symbol = 'updated' WHERE \"number\" = 3");
        assertThat(map.get(5)).isEqualTo(new Trade(5, "symbol 5", 5000, 1.25, false, null));
        assertThat(map.get(6)).isEqualTo(new Trade(6, "\u00e9 \u4e2d\u6587", 6, 1.5, true, 1));
        assertThat(map.keySet(FieldPredicate.greaterEqual("number", 4))).containsExactlyInAnyOrder(4, 5, 6);
        assertThat(map.values(FieldPredicate.equal("symbol", "updated")))
                .extracting(Trade::number)
                .containsExactly(3);
        execute(instance, "DELETE FROM " + name + " WHERE __key = 6");
        assertThat(map.containsKey(6)).isFalse();
    }
}

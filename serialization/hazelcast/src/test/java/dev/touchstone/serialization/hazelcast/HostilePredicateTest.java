package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Predicates at their limits, of a client that means no good: an answer or a typed error, in bounded time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostilePredicateTest {
    private static final int ENTRIES = 100;
    private static final int MAX_VALUES = 99_999;
    private static final int MAX_DEPTH = 64;

    private final Cluster cluster = new Cluster();
    private final Map<Cluster.Side, HazelcastInstance> ours = new HashMap<>();

    @BeforeAll
    void start() {
        ours.putAll(cluster.sides(Cluster.freePorts(2)));
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private CompactMap<Integer, Trade> filled(Cluster.Side side) {
        CompactMap<Integer, Trade> map = CompactMap.of(
                Objects.requireNonNull(ours.get(side)), "hostile-" + UUID.randomUUID(), new Trade.Codec());
        Map<Integer, Trade> trades = new HashMap<>();
        IntStream.range(0, ENTRIES).forEach(i -> trades.put(i, Trade.of(i)));
        map.setAll(trades);
        return map;
    }

    @ParameterizedTest
    @EnumSource
    void asManyConstantsAsMayBe_areCompared(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        Comparable<?>[] texts = new Comparable<?>[MAX_VALUES];
        Comparable<?>[] decimals = new Comparable<?>[MAX_VALUES];
        for (int i = 0; i < MAX_VALUES; i++) {
            texts[i] = "symbol " + (i + 1);
            decimals[i] = new BigDecimal(BigInteger.valueOf(i), 1);
        }
        assertThat(map.keySet(FieldPredicate.in("symbol", texts)))
                .doesNotContain(0, 7, 10)
                .contains(1, 2, 99);
        assertThat(map.keySet(FieldPredicate.in("number", decimals))).hasSize(ENTRIES);
        assertThatThrownBy(() -> map.keySet(FieldPredicate.in("number", texts))).isInstanceOf(FieldKindException.class);
        Comparable<?>[] tooMany = new Comparable<?>[MAX_VALUES + 1];
        assertThatThrownBy(() -> FieldPredicate.in("number", tooMany)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource
    void asDeepAsMayBe_isEvaluated(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        FieldPredicate<Integer, Object> deep = FieldPredicate.equal("number", 1);
        for (int depth = 2; depth <= MAX_DEPTH; depth++) {
            deep = depth % 2 == 0
                    ? FieldPredicate.and(FieldPredicate.lessThan("number", ENTRIES), deep)
                    : FieldPredicate.or(FieldPredicate.equal("number", 2), deep);
        }
        assertThat(map.keySet(deep)).containsExactlyInAnyOrder(1, 2);
        FieldPredicate<Integer, Object> deepest = deep;
        assertThatThrownBy(() -> FieldPredicate.and(List.of(deepest).get(0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too deep");
        assertThatThrownBy(() -> map.keySet(FieldPredicate.equal("a.".repeat(MAX_DEPTH - 1) + "b", 1)))
                .isInstanceOf(UnknownFieldException.class);
        assertThatThrownBy(() -> FieldPredicate.equal("a.".repeat(MAX_DEPTH) + "b", 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> map.keySet(FieldPredicate.equal("a".repeat(1_000_000), 1)))
                .isInstanceOf(UnknownFieldException.class);
    }

    /** Java's regular expressions, which Hazelcast takes for these, need exponential time for some. */
    @ParameterizedTest
    @EnumSource
    void patternsThatExplode_endSoon(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        String text = "a".repeat(20_000);
        map.set(1000, new Trade(1000, text, 0, 0, true, null));
        for (String pattern :
                List.of("%a".repeat(500), "%" + "a".repeat(500) + "%", "_%".repeat(500), "%".repeat(5000))) {
            assertThat(map.keySet(FieldPredicate.like("symbol", pattern))).contains(1000);
            assertThat(map.keySet(FieldPredicate.ilike("symbol", pattern + "A")))
                    .contains(1000);
            assertThat(map.keySet(FieldPredicate.like("symbol", pattern + "b"))).isEmpty();
        }
    }

    /** Numbers whose digits nobody could write down. */
    @ParameterizedTest
    @EnumSource
    void numbersOfAnyScale_areCompared(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side);
        BigInteger longest = BigInteger.ONE.shiftLeft(8 * (1 << 16) - 2);
        for (int scale : new int[] {0, 1, 157_000, 158_000, Integer.MAX_VALUE, -157_000, Integer.MIN_VALUE + 1}) {
            BigDecimal number = new BigDecimal(longest, scale);
            for (String field : List.of("number", "price", "rating")) {
                int less = map.keySet(FieldPredicate.lessThan(field, number)).size();
                int more =
                        map.keySet(FieldPredicate.greaterEqual(field, number)).size();
                int nulls = map.keySet(FieldPredicate.isNull(field)).size();
                assertThat(less + more + nulls).isEqualTo(ENTRIES);
                assertThat(map.keySet(FieldPredicate.equal(field, number))).isEmpty();
            }
        }
    }

    @Test
    void errorOfAHugePredicate_isShort() {
        CompactMap<Integer, Trade> map = filled(Cluster.Side.CLIENT);
        map.map().set(1, "no record");
        Comparable<?>[] texts = new Comparable<?>[10_000];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = "text " + i;
        }
        assertThatThrownBy(() -> map.keySet(FieldPredicate.in("symbol", texts)))
                .isInstanceOfSatisfying(
                        DamagedEntryException.class,
                        e -> assertThat(e.getMessage()).hasSizeLessThan(1000));
    }
}

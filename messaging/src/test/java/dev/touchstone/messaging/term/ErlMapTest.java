package dev.touchstone.messaging.term;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ErlMapTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 8, 9, 31, 32, 33, 50, 64, 127, 128, 129, 1000, 40_000})
    void get_inMapsOfAllSizes_findsEveryKeyAndNoOther(int size) {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        Map<Term, Term> model = new LinkedHashMap<>();
        while (model.size() < size) {
            Term key = random.nextInt(10) == 0 ? Terms.random(random, 2) : Tuple.of(Terms.leaf(random));
            model.put(random.nextBoolean() ? Atom.of("key" + model.size()) : key, Int.of(model.size()));
        }
        ErlMap map = ErlMap.of(model);
        assertThat(map.size()).as("seed=%d", seed).isEqualTo(size);
        assertThat(map.asMap()).as("seed=%d", seed).isEqualTo(model);
        assertThat(map.asMap().keySet()).as("seed=%d", seed).containsExactlyElementsOf(model.keySet());
        model.forEach(
                (key, value) -> assertThat(map.get(key)).as("seed=%d", seed).isEqualTo(value));
        for (int i = 0; i < 100; i++) {
            Term absent = Tuple.of(Int.of(i), Atom.of("absent"), Int.of(random.nextInt()));
            assertThat(map.get(absent)).as("seed=%d", seed).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8, 9, 100, 1000})
    void of_withAKeyTwice_isRefused(int size) {
        Term[] entries = new Term[2 * size];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = Int.of(i);
        }
        entries[entries.length - 2] = Int.of(0);
        assertThatThrownBy(() -> ErlMap.of(entries))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at=0 and=" + (size - 1));
    }

    @Test
    void of_withAKeyWithoutValue_isRefused() {
        assertThatThrownBy(() -> ErlMap.of(Atom.OK)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void equals_inAnotherOrder_isTrue() {
        ErlMap map = ErlMap.of(Atom.of("a"), Int.of(1), Atom.of("b"), Int.of(2));
        ErlMap other = ErlMap.of(Atom.of("b"), Int.of(2), Atom.of("a"), Int.of(1));
        assertThat(map).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(map).isNotEqualTo(ErlMap.of(Atom.of("b"), Int.of(1), Atom.of("a"), Int.of(2)));
        assertThat(map.keyAt(0)).isEqualTo(Atom.of("a"));
        assertThat(other.valueAt(0)).isEqualTo(Int.of(2));
    }

    @Test
    void of_mapsInKeysOfMaps_areRefusedBeyondTheLimitOnly() {
        Term key = Atom.OK;
        for (int i = 0; i <= ErlMap.MAX_KEY_NESTING; i++) {
            key = ErlMap.of(Tuple.of(key), Int.of(1), Int.of(i), Int.of(2));
            assertThat(key).isEqualTo(Terms.copy(key, new SplittableRandom(i)));
        }
        Term deepest = Tuple.of(key);
        assertThatThrownBy(() -> ErlMap.of(deepest, Int.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too deep");
        Term values = Terms.nested(100_000, Int.of(1), term -> ErlMap.of(Int.of(1), term));
        assertThat(ErlMap.of(values, Int.of(1)).get(values)).isEqualTo(Int.of(1));
    }

    @Test
    void wrap_withKeysThatAllCollide_isRefusedInTime() {
        int size = 200_000;
        Term[] entries = new Term[2 * size];
        for (int i = 0; i < size; i++) {
            entries[2 * i] = Terms.colliding(i);
            entries[2 * i + 1] = Atom.OK;
        }
        assertThatThrownBy(() -> ErlMap.wrap(entries))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("same hash");
    }
}

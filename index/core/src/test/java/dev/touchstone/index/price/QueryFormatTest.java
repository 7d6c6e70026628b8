package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Queries as bytes, beside the queries that they were. */
class QueryFormatTest {
    private static final List<MatchPolicy> POLICIES = List.of(MatchPolicy.values());

    private final long seed = Long.getLong("seed", System.nanoTime());

    @RepeatedTest(5)
    void decode_ofRandomQueries_findsWhatTheQueryFinds() throws CorruptEncodingException {
        RandomPrices random = new RandomPrices(seed, 7, 4, 3);
        List<Price> prices = random.prices(400);
        PriceIndex full = random.builder().build(prices);
        PriceIndex empty = random.builder().build(List.of());
        for (int i = 0; i < 300; i++) {
            @Nullable String offering = random.random.nextInt(3) == 0 ? null : random.offering();
            List<Condition> conditions =
                    random.random.nextBoolean() ? random.conditions(4) : random.whole(prices.get(i % prices.size()));
            // made where no string has a code, and where each has one
            for (PriceIndex origin : List.of(empty, full)) {
                PriceQuery query = random(origin, random, offering, conditions);
                String what = "seed=" + seed + " i=" + i + " query=" + query;
                PriceQuery decoded =
                        new QueryFormat(full).decode(ByteBuffer.wrap(new QueryFormat(origin).encode(query)));
                assertThat(decoded.toString()).as(what).isEqualTo(query.toString());
                assertThat(decoded.policy()).isEqualTo(query.policy());
                assertThat(decoded.limit()).isEqualTo(query.limit());
                assertThat(decoded.hasWildcards()).isEqualTo(query.hasWildcards());
                assertThat(full.search(decoded).toString())
                        .as(what)
                        .isEqualTo(full.search(random(full, query, offering, conditions))
                                .toString());
                assertThat(full.count(decoded))
                        .as(what)
                        .isEqualTo(full.count(random(full, query, offering, conditions)));
            }
        }
    }

    private static PriceQuery random(
            PriceIndex index, RandomPrices random, @Nullable String offering, List<Condition> conditions) {
        List<String> names = index.fields().stream()
                .map(field -> field.name())
                .skip(random.random.nextInt(4))
                .toList();
        return Answers.query(index, offering, conditions)
                .limit(1 + random.random.nextInt(9))
                .wildcards(random.random.nextBoolean())
                .policy(POLICIES.get(random.random.nextInt(POLICIES.size())))
                .precedence(names);
    }

    /** The same query for another index. */
    private static PriceQuery random(
            PriceIndex index, PriceQuery like, @Nullable String offering, List<Condition> conditions) {
        List<String> names = Arrays.stream(like.bound.precedence())
                .mapToObj(ordinal -> index.fields().get(ordinal).name())
                .toList();
        return Answers.query(index, offering, conditions)
                .limit(like.limit())
                .wildcards(like.hasWildcards())
                .policy(like.policy())
                .precedence(names);
    }

    @Test
    void decode_ofNestedQueries_findsWhatTheyFind() throws CorruptEncodingException {
        PriceIndex index = PriceIndex.builder().string("a").integer("b").build(List.of());
        PriceQuery inner = index.query()
                .anyOf(index.query().eq("a", "x"), index.query().eq("b", 2L).wildcards(true));
        PriceQuery query = index.query()
                .noneOf(inner, index.query().in("b", List.of(1L, 3L)))
                .eq("a", "y");
        QueryFormat format = new QueryFormat(index);
        PriceQuery decoded = format.decode(ByteBuffer.wrap(format.encode(query)));
        assertThat(decoded).hasToString(query.toString());
        assertThat(format.encode(decoded)).isEqualTo(format.encode(query));
    }

    @Test
    void decode_intoAUsedQuery_forgetsWhatItHad() throws CorruptEncodingException {
        RandomPrices random = new RandomPrices(seed, 7, 4, 3);
        PriceIndex index = random.builder().build(random.prices(50));
        PriceQuery used = index.copy().query();
        QueryFormat format = new QueryFormat(index);
        for (int i = 0; i < 500; i++) {
            String offering = random.random.nextBoolean() ? random.offering() : null;
            byte[] bytes = format.encode(random(index, random, offering, random.conditions(5)));
            byte[] cut = Arrays.copyOf(bytes, random.random.nextInt(bytes.length));
            assertThatThrownBy(() -> format.decode(ByteBuffer.wrap(cut), used))
                    .as("seed=" + seed)
                    .isInstanceOf(CorruptEncodingException.class);
            assertThat(format.decode(ByteBuffer.wrap(bytes), used)).isSameAs(used);
            assertThat(format.encode(used)).as("seed=" + seed).isEqualTo(bytes);
            SearchResult expected = index.search(format.decode(ByteBuffer.wrap(bytes)));
            assertThat(index.search(used).getClass()).as("seed=" + seed).isEqualTo(expected.getClass());
        }
    }

    @Test
    void decode_ofDamagedBytes_throwsOrFindsAnotherQuery() {
        RandomPrices random = new RandomPrices(seed, 7, 4, 3);
        PriceIndex index = random.builder().build(random.prices(50));
        QueryFormat format = new QueryFormat(index);
        for (int i = 0; i < 2000; i++) {
            byte[] bytes = format.encode(random(index, random, random.offering(), random.conditions(5)));
            byte[] damaged = Arrays.copyOf(bytes, random.random.nextInt(bytes.length + 2));
            for (int k = random.random.nextInt(3); k > 0 && damaged.length > 0; k--) {
                damaged[random.random.nextInt(damaged.length)] = (byte) random.random.nextInt();
            }
            try {
                assertThat(format.encode(format.decode(ByteBuffer.wrap(damaged))))
                        .isNotEmpty();
            } catch (CorruptEncodingException e) {
                assertThat(e).as("seed=" + seed).hasMessageContainingAll(" ");
            }
        }
    }

    @Test
    void decode_ofBytesOfOthers_namesThePart() {
        QueryFormat format = new QueryFormat(PriceIndex.builder().string("a").build(List.of()));
        assertDamage(format, "02", "corrupt format: value=2 expected=1");
        assertDamage(format, "0109", "corrupt policy: value=9");
        assertDamage(format, "01000000000000000000", "corrupt limit: value=0");
        assertDamage(format, "01000000000000000001" + "0109", "corrupt field: value=9 expected=below 1");
        assertDamage(format, "01000000000000000001" + "00" + "00" + "01" + "030000", "a string has no number: name=a");
        assertDamage(format, "01000000000000000001" + "00" + "00" + "01" + "0c8f8f07", "corrupt queries: count=");
        assertDamage(format, "01000000000000000001" + "00" + "00" + "00" + "00", "corrupt end: bytes=1");
        assertDamage(format, "01000000000000000001" + "00" + "00" + "ffffffff07", "corrupt conditions: count=");
    }

    private static void assertDamage(QueryFormat format, String hex, String message) {
        assertThatThrownBy(() -> format.decode(ByteBuffer.wrap(HexFormat.of().parseHex(hex))))
                .isInstanceOf(CorruptEncodingException.class)
                .hasMessageContaining(message);
    }

    @Test
    void encode_ofAQueryOfOtherFields_isRefused() {
        PriceIndex one = PriceIndex.builder().string("a").build(List.of());
        PriceIndex other = PriceIndex.builder().string("b").build(List.of());
        assertThatThrownBy(() -> new QueryFormat(one).encode(other.query()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

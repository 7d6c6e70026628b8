package dev.touchstone.index.hazelcast.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.SearchResult;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shards, updates and matches as bytes, whole, cut off, and with bits that have flipped. */
@SuppressWarnings("NullAway") // a map entry without a value is one that does not exist
class ShardedMessagesTest {
    private static final String NAME = "prices";

    private final PriceIndex schema =
            PriceIndex.builder().string("country").integer("level").build(List.of());
    private final ShardSchemas schemas = new ShardSchemas();
    private final ShardFormat format;

    ShardedMessagesTest() {
        schemas.add(NAME, schema, false);
        format = Objects.requireNonNull(schemas.find(NAME));
    }

    private static Price price(String offering, String id, Map<String, Object> conditions) {
        return Price.of(id, offering, conditions, new BigDecimal("1.50"));
    }

    private ShardUpdate update(UUID id, long order, PriceBatch batch) {
        return new ShardUpdate(schemas, NAME, id, order, format.batches().encode(2, batch));
    }

    private OfferingShard shard() {
        SimpleEntry<String, OfferingShard> entry = new SimpleEntry<>("o", null);
        for (int i = 0; i < 3; i++) {
            PriceBatch batch = new PriceBatch().put(price("o", "p" + i, Map.of("country", "c" + i, "level", (long) i)));
            assertThat(update(new UUID(i, i), 7, batch).process(entry)).isEqualTo(i + 2L);
        }
        return entry.getValue();
    }

    @Test
    void shard_asBytes_isTheSame() throws IOException {
        OfferingShard shard = shard();
        OfferingShard read = schemas.read(schemas.write(shard));
        assertThat(read.order()).isEqualTo(7);
        assertThat(read.recent()).isEqualTo(shard.recent());
        assertThat(read.index().version()).isEqualTo(4);
        assertThat(read.index().prices("o")).isEqualTo(shard.index().prices("o"));
        assertThat(read.index().search(schema.query().eq("level", 2L))).isInstanceOf(SearchResult.Found.class);
    }

    /** Hazelcast sends an entry to the backup only where it was set, and an update is sent again where it has missed its backup. */
    @Test
    void updateThatIsSentAgain_setsTheSameShardAgain() {
        List<OfferingShard> set = new ArrayList<>();
        SimpleEntry<String, OfferingShard> entry = new SimpleEntry<>("o", null) {
            private static final long serialVersionUID = 1;

            @Override
            public OfferingShard setValue(OfferingShard value) {
                set.add(value);
                return super.setValue(value);
            }
        };
        ShardUpdate update = update(new UUID(1, 1), 7, new PriceBatch().put(price("o", "p", Map.of("level", 1L))));
        assertThat(update.process(entry)).isEqualTo(2L);
        assertThat(update.process(entry)).isEqualTo(2L);
        assertThat(set).hasSize(2).containsOnly(entry.getValue());
        ShardUpdate nothing = new ShardUpdate(schemas, NAME, new UUID(1, 1), ShardUpdate.NO_ORDER, new byte[0]);
        assertThat(nothing.process(entry)).isEqualTo(2L);
        assertThat(set).hasSize(2);
    }

    @Test
    void damagedShard_isReadOrRefusedByType() throws IOException {
        byte[] bytes = schemas.write(shard());
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> schemas.read(cut)).as("length=" + length).isInstanceOf(IOException.class);
        }
        Random random = new Random(1);
        for (int at = 0; at < bytes.length; at++) {
            byte[] flipped = bytes.clone();
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            readOrRefuse(flipped, "at=" + at);
        }
        for (int i = 0; i < 2000; i++) {
            byte[] wild = new byte[random.nextInt(300)];
            random.nextBytes(wild);
            System.arraycopy(bytes, 0, wild, 0, Math.min(wild.length, random.nextInt(60)));
            readOrRefuse(wild, "wild=" + i);
        }
    }

    private void readOrRefuse(byte[] bytes, String what) {
        try {
            assertThat(schemas.read(bytes).index().version()).as(what).isPositive();
        } catch (IOException e) {
            assertThat(e).as(what).hasMessageContaining("=");
        } catch (RuntimeException e) {
            fail(what, e);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, an earlier", "3, a later"})
    void shardOfAnotherFormat_isRefusedAndNamesTheRelease(byte other, String release) throws IOException {
        byte[] bytes = schemas.write(shard());
        bytes[0] = other;
        assertThatThrownBy(() -> schemas.read(bytes))
                .isInstanceOf(CorruptEncodingException.class)
                .hasMessageContaining("format=" + other + " expected=2; a member may have " + release + " release");
    }

    @Test
    void shardOfAnotherIndexOrOtherFields_isRefused() throws IOException {
        byte[] bytes = schemas.write(shard());
        assertThatThrownBy(() -> new ShardSchemas().read(bytes))
                .isInstanceOf(CorruptEncodingException.class)
                .hasMessageContaining("not configured here: name=" + NAME);
        ShardSchemas others = new ShardSchemas();
        others.add(NAME, PriceIndex.builder().string("other").build(List.of()), false);
        assertThatThrownBy(() -> others.read(bytes))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("other fields");
    }

    @Test
    void damagedMatches_areReadOrRefusedByType() throws IOException {
        ShardMatches matches = new ShardMatches(MatchPolicy.ALL, 10, 1);
        matches.add(
                ShardMatches.of(shard(), schema.query().policy(MatchPolicy.ALL).limit(10), false));
        byte[] bytes = ShardMatches.encode(format, List.of(matches));
        for (int length = 0; length < bytes.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(bytes, 0, length);
            assertThatThrownBy(() -> ShardMatches.decode(format, cut, MatchPolicy.ALL, 10))
                    .as("length=" + length)
                    .isInstanceOf(CorruptEncodingException.class);
        }
        for (int at = 0; at < bytes.length * 8; at++) {
            byte[] flipped = bytes.clone();
            flipped[at / 8] ^= (byte) (1 << at % 8);
            try {
                SearchResult result = ShardMatches.decode(format, ByteBuffer.wrap(flipped), MatchPolicy.ALL, 10)
                        .result();
                assertThat(result.version()).as("at=" + at).isNotNegative();
            } catch (CorruptEncodingException | InvalidValueException e) {
                assertThat(e).as("at=" + at).hasMessageNotContaining("null");
            } catch (RuntimeException e) {
                fail("at=" + at, e);
            }
        }
    }

    @Test
    void update_thatRunsTwice_isAppliedOnce() {
        SimpleEntry<String, OfferingShard> entry = new SimpleEntry<>("o", shard());
        PriceBatch again = new PriceBatch().remove("o", "p0").put(price("o", "p0", Map.of()));
        ShardUpdate update = update(new UUID(9, 9), 0, again.put(price("o", "p1", Map.of())));
        assertThat(update.process(entry)).isEqualTo(5L);
        List<Price> prices = entry.getValue().index().prices("o");
        assertThat(update(new UUID(8, 8), 0, new PriceBatch().put(price("o", "p4", Map.of())))
                        .process(entry))
                .isEqualTo(6L);
        assertThat(update.process(entry)).isEqualTo(5L);
        assertThat(entry.getValue().index().prices("o"))
                .startsWith(prices.toArray(Price[]::new))
                .hasSize(4);
        assertThat(entry.getValue().index().version()).isEqualTo(6);
        for (int i = 0; i < OfferingShard.MAX_RECENT; i++) {
            update(UUID.randomUUID(), 0, new PriceBatch()).process(entry);
        }
        assertThat(entry.getValue().recent()).hasSize(2 * OfferingShard.MAX_RECENT);
        assertThat(entry.getValue().versionOf(new UUID(8, 8))).isZero();
    }

    @Test
    void update_thatCannotBeApplied_changesNothing() {
        SimpleEntry<String, OfferingShard> entry = new SimpleEntry<>("o", null);
        UUID id = UUID.randomUUID();
        PriceBatch batch = new PriceBatch().put(price("o", "p", Map.of()));
        assertThat(update(id, ShardUpdate.NO_ORDER, batch).process(entry)).isEqualTo(ShardUpdate.NEEDS_ORDER);
        PriceBatch two = new PriceBatch().put(price("o", "p", Map.of())).put(price("other", "p", Map.of()));
        assertThat(update(id, 1, two).process(entry)).isEqualTo("changes are of several offerings: index=prices");
        assertThat(new ShardUpdate(schemas, NAME, id, 1, new byte[3]).process(entry))
                .asString()
                .contains("too short");
        assertThat(entry.getValue()).isNull();
    }

    @Test
    void update_ofTheLastPrice_removesTheShard() {
        SimpleEntry<String, OfferingShard> entry = new SimpleEntry<>("o", shard());
        PriceBatch all = new PriceBatch().remove("o", "p0").remove("o", "p1").remove("o", "p2");
        assertThat(update(UUID.randomUUID(), 0, all).process(entry)).isEqualTo(1L);
        assertThat(entry.getValue()).isNull();
    }

    @Test
    void damagedQuery_isRefusedByType() throws CorruptEncodingException {
        byte[] answer = new ShardSearch(schemas, NAME, ShardSearch.Kind.SEARCH, new byte[] {9, 9})
                .process(new SimpleEntry<>("o", shard()));
        ShardMatches refused = ShardMatches.decode(format, ByteBuffer.wrap(answer), MatchPolicy.FIRST, 1);
        assertThatThrownBy(refused::result)
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("query was refused: index=prices");
        assertThatThrownBy(refused::count).isInstanceOf(InvalidValueException.class);
    }
}

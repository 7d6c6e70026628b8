package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Versions that are derived before they are published, and what a store needs besides. */
class DerivedIndexTest {
    private final long seed = Long.getLong("seed", System.nanoTime());

    @TempDir
    Path folder;

    private static Price price(String id, String offering, String colour) {
        return price(id, offering, "colour", colour);
    }

    private static Price price(String id, String offering, String field, String value) {
        return Price.of(id, offering, Map.of(field, value), BigDecimal.ONE);
    }

    private static PriceIndex index(Price... prices) {
        return PriceIndex.builder().string("colour").build(List.of(prices));
    }

    @Test
    void publish_showsTheLastOfSeveralDerivedVersions() {
        PriceIndex index = index(price("a", "o", "red"));
        PriceQuery query = index.query().offering("o").eq("colour", "blue");
        PriceIndex second = index.after(new PriceBatch().put(price("b", "o", "blue")));
        PriceIndex third = second.after(new PriceBatch().remove("o", "a"));

        assertThat(index.version()).isEqualTo(1);
        assertThat(index.search(query)).isInstanceOf(SearchResult.NotFound.class);
        index.publish(third);

        assertThat(index.version()).isEqualTo(3);
        assertThat(index.search(query)).isInstanceOf(SearchResult.Found.class);
        assertThat(index.prices("o")).containsExactly(price("b", "o", "blue"));
        assertThat(second.prices("o")).hasSize(2);
        assertThat(index.update(new PriceBatch())).isEqualTo(4);
    }

    /** Checks that whatever later versions share with older ones is not changed in them: blocks, removed rows, values, dictionaries and counts of uses. */
    @ParameterizedTest
    @CsvSource({"1, 16, 2", "64, 1000, 1", "4, 64, 80"})
    void after_manyTimes_leavesAllVersionsBeforeAsTheyWere(int small, int most, int offerings) {
        RandomPrices random = new RandomPrices(seed, 5, 6, offerings);
        PriceModel model = PriceModel.of(random.prices(300));
        List<PriceIndex> versions = new ArrayList<>();
        List<List<Price>> expected = new ArrayList<>();
        PriceIndex last = random.builder().blocks(small, most).build(model.all());
        for (int version = 1; version <= 60; version++) {
            versions.add(last);
            expected.add(model.all());
            PriceModel.Update update = model.random(random, 8);
            List<Price> some = model.all();
            Price price = some.get(random.random.nextInt(some.size()));
            update.put(
                    new Price( // only the digits of the value are others
                            price.id(),
                            price.offering(),
                            price.conditions(),
                            BigDecimal.valueOf(version, price.value().scale()),
                            price.currency(),
                            price.isDefault(),
                            price.payload()));
            last = last.after(update.batch());
            model.apply(update);
        }
        for (int i = 0; i < versions.size(); i++) {
            PriceIndex index = versions.get(i);
            List<Price> all = new ArrayList<>();
            index.forEach(index.query(), () -> false, all::add);
            assertThat(all).as("seed=%d version=%d", seed, i + 1).isEqualTo(expected.get(i));
            PriceIndex next =
                    index.after(new PriceBatch().put(price("z", "new", "field0", "new"))); // its counts still hold
            assertThat(next.prices("new")).as("seed=%d version=%d", seed, i + 1).hasSize(1);
            assertThat(next.stats().prices()).isEqualTo(all.size() + 1);
        }
    }

    @Test
    void publish_ofAnotherIndexOrAnEarlierVersion_isRefused() {
        PriceIndex index = index();
        PriceIndex second = index.after(new PriceBatch());
        PriceIndex other = index().after(new PriceBatch());
        index.publish(second);

        assertThatThrownBy(() -> index.publish(second))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not derived from this index: version=2 expected=later than 2");
        assertThatThrownBy(() -> index().publish(other)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void after_batchThatIsRefused_leavesTheIndexAsItWas() {
        PriceIndex index = index();
        PriceBatch bad = new PriceBatch()
                .put(price("a", "o", "red"))
                .put(Price.of("b", "o", Map.of("size", "large"), BigDecimal.ONE));

        assertThatThrownBy(() -> index.after(bad)).isInstanceOf(UnknownFieldException.class);
        assertThat(index.version()).isEqualTo(1);
        assertThat(index.stats().prices()).isZero();
    }

    @Test
    void write_withPermissions_makesTheFileWithThem() throws IOException {
        Path file = folder.resolve("prices.index");
        Files.writeString(file, "old");
        index(price("a", "o", "red"))
                .write(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PriceIndex.open(file).prices("o")).hasSize(1);
    }

    @Test
    void visit_givesTheChangesInTheOrderOfTheirEffect() {
        List<String> changes = new ArrayList<>();
        PriceBatch batch = new PriceBatch()
                .put(price("a", "o", "red"))
                .remove("p", "x")
                .remove("o", "a")
                .put(price("a", "o", "blue"));
        batch.visit(new PriceBatch.Visitor() {
            @Override
            public void put(Price price) {
                changes.add("put " + price.offering() + " " + price.id() + " "
                        + price.conditions().get("colour"));
            }

            @Override
            public void remove(String offering, String id) {
                changes.add("remove " + offering + " " + id);
            }
        });
        assertThat(changes).containsExactly("put o a red", "remove o a", "put o a blue", "remove p x");
    }

    @Test
    void remove_ofWhatNoPriceCanHave_isRefused() {
        assertThatThrownBy(() -> new PriceBatch().remove("o", "\uD800"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("half of a character: in=id");
    }
}

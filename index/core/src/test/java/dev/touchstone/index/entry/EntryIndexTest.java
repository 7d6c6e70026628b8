package dev.touchstone.index.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules, flags, products and advertisements in an index; their order, files and errors. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EntryIndexTest {
    @TempDir
    Path folder;

    private static List<String> ids(EntryIndex.Result result) {
        return result.entries().stream().map(Entry::id).toList();
    }

    @Test
    void rules_firstMatchWins() {
        EntryIndex rules = EntryIndex.builder()
                .string("country", "method")
                .integer("amount")
                .build(List.of(
                        Entry.of("review", Map.of("country", "US", "method", "card"))
                                .with("check by hand"),
                        Entry.of("deny", Map.of("method", "cheque")),
                        Entry.of("allow", Map.of())));
        PriceQuery query = rules.query().wildcards(true).policy(MatchPolicy.FIRST);
        assertThat(ids(rules.search(query.eq("country", "US").eq("method", "card"))))
                .containsExactly("review");
        assertThat(rules.search(query).entries().get(0).payload()).isEqualTo("check by hand");
        assertThat(ids(rules.search(query.clear().eq("country", "US").eq("method", "cheque"))))
                .containsExactly("deny");
        assertThat(ids(rules.search(query.clear().eq("country", "FR").eq("method", "cash"))))
                .containsExactly("allow");
    }

    @Test
    void flags_mostSpecificWins() {
        EntryIndex flags = EntryIndex.builder()
                .string("tenant", "country")
                .integer("from", "to")
                .build(List.of(
                        Entry.of("off", Map.of()).in("dark-mode"),
                        Entry.of("on in France", Map.of("country", "FR", "from", 10L))
                                .in("dark-mode"),
                        Entry.of("off for acme", Map.of("tenant", "acme")).in("dark-mode")));
        PriceQuery query = flags.query().wildcards(true).policy(MatchPolicy.SPECIFIC);
        query.offering("dark-mode")
                .eq("tenant", "globex")
                .eq("country", "FR")
                .atMost(flags.field("from"), 12L)
                .atLeast(flags.field("to"), 12L);
        assertThat(ids(flags.search(query))).containsExactly("on in France");
        query.clear().offering("dark-mode").eq("tenant", "acme").eq("country", "FR");
        assertThat(ids(flags.search(query))).containsExactly("off for acme");
        assertThat(flags.explain(query).ranks()).hasSize(3);
    }

    @Test
    void query_ofTheEmptyGroup_findsEntriesWithoutAGroupOnly() {
        EntryIndex index = EntryIndex.builder()
                .build(List.of(Entry.of("a", Map.of()), Entry.of("b", Map.of()).in("g"), Entry.of("c", Map.of())));
        assertThat(ids(index.search(index.query("").policy(MatchPolicy.ALL)))).containsExactly("a", "c");
        assertThat(ids(index.search(index.query("g").policy(MatchPolicy.ALL)))).containsExactly("b");
        assertThat(ids(index.search(index.query().policy(MatchPolicy.ALL)))).containsExactly("a", "b", "c");
    }

    @Test
    void products_haveSeveralValues() {
        EntryIndex products = EntryIndex.builder()
                .string("color", "size")
                .build(List.of(
                        Entry.of("shirt", Map.of("color", Set.of("red", "blue"), "size", Set.of("S", "M"))),
                        Entry.of("coat", Map.of("color", "blue", "size", Set.of("M", "L")))));
        PriceQuery query = products.query().policy(MatchPolicy.ALL);
        assertThat(ids(products.search(query.eq("color", "blue").eq("size", "M"))))
                .containsExactly("shirt", "coat");
        assertThat(ids(products.search(query.eq("size", "L")))).containsExactly("coat");
        assertThat(products.get("", "shirt"))
                .isEqualTo(Entry.of("shirt", Map.of("color", List.of("blue", "red"), "size", List.of("M", "S"))));
        assertThat(products.get("", "hat")).isNull();
        assertThat(products.get("none", "shirt")).isNull();
    }

    @Test
    void advertisements_areValidInTheirInterval() {
        Instant march = Instant.parse("2026-03-01T00:00:00Z");
        Instant april = Instant.parse("2026-04-01T00:00:00Z");
        EntryIndex ads = EntryIndex.builder()
                .string("section")
                .dateTime("from", "to")
                .build(List.of(
                        Entry.of("spring", Map.of("section", "garden", "from", march, "to", april)),
                        Entry.of("always", Map.of("section", "garden"))));
        PriceQuery query = ads.query().wildcards(true).policy(MatchPolicy.ALL);
        query.eq("section", "garden").within(ads.field("from"), ads.field("to"), march);
        assertThat(ids(ads.search(query))).containsExactly("spring", "always");
        query.clear().eq("section", "garden").within(ads.field("from"), ads.field("to"), april);
        assertThat(ids(ads.search(query))).containsExactly("always");
    }

    @Test
    void rules_thatChange_keepTheirPlaces() throws IOException {
        EntryIndex rules = EntryIndex.builder()
                .string("method")
                .build(List.of(Entry.of("review", Map.of("method", "card")), Entry.of("allow", Map.of())));
        PriceQuery query =
                rules.query().wildcards(true).policy(MatchPolicy.FIRST).limit(7).eq("method", "card");
        rules.update(new EntryIndex.Batch()
                .put(Entry.of("review", Map.of("method", Set.of("card", "cheque"))))
                .put(Entry.of("deny", Map.of())));
        assertThat(rules.search(query))
                .isEqualTo(new EntryIndex.Result(
                        2, 1, List.of(Entry.of("review", Map.of("method", Set.of("card", "cheque"))))));
        assertThat(query.limit()).isEqualTo(7);
        query.policy(MatchPolicy.ALL);
        assertThat(ids(rules.search(query))).containsExactly("review", "allow", "deny");
        rules.write(folder.resolve("rules"));
        rules = EntryIndex.map(folder.resolve("rules"));
        rules.update(new EntryIndex.Batch().remove("", "review").put(Entry.of("review", Map.of())));
        query = rules.query().wildcards(true).policy(MatchPolicy.ALL);
        assertThat(ids(rules.search(query))).containsExactly("allow", "deny", "review");
    }

    @Test
    void preferredEntries_thatChange_keepTheirPlaces() {
        EntryIndex index = EntryIndex.builder()
                .string("a")
                .build(List.of(
                        new Entry("x", "", Map.of("a", "1"), true, null),
                        new Entry("y", "", Map.of("a", "1"), true, null),
                        Entry.of("z", Map.of("a", "1"))));
        index.update(new EntryIndex.Batch().put(new Entry("x", "", Map.of("a", "1"), true, "changed")));
        for (MatchPolicy policy : List.of(MatchPolicy.DEFAULT, MatchPolicy.SPECIFIC)) {
            EntryIndex.Result result = index.search(index.query().eq("a", "1").policy(policy));
            assertThat(ids(result)).containsExactly("x");
            assertThat(result.matches()).isEqualTo(1);
        }
    }

    @Test
    void files_ofPricesAndOfEntries_areTold() throws IOException {
        Path prices = folder.resolve("prices");
        Path entries = folder.resolve("entries");
        PriceIndex.builder().keyField("group").string("a").build(List.of()).write(prices);
        EntryIndex.builder().string("a", "group").build(List.of()).write(entries);
        assertThatThrownBy(() -> EntryIndex.open(prices))
                .isInstanceOf(CorruptIndexException.class)
                .hasMessage("holds prices, expected=entries: file=" + prices + " section=SCHEMA[0]");
        assertThatThrownBy(() -> EntryIndex.map(prices))
                .isInstanceOf(CorruptIndexException.class)
                .hasMessageContaining("holds prices");
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> PriceIndex.open(entries), () -> PriceIndex.map(entries), () -> PriceIndex.map(entries, 0))) {
            assertThatThrownBy(call)
                    .isInstanceOf(CorruptIndexException.class)
                    .hasMessage("holds entries, expected=prices: file=" + entries + " section=SCHEMA[0]");
        }
        PriceIndex.validate(entries);
        assertThat(EntryIndex.open(entries).field("group").name()).isEqualTo("group");
        assertThatThrownBy(() -> PriceIndex.builder().keyField(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name of the key is empty");
    }

    @Test
    void badEntries_areRefusedByNameValueAndPlace() {
        assertThatThrownBy(() -> Entry.of("", Map.of()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("id is empty: offering=''");
        EntryIndex.Builder builder = EntryIndex.builder().integer("n");
        assertThatThrownBy(() -> builder.build(List.of(Entry.of("a", Map.of("m", 1L)))))
                .isInstanceOf(UnknownFieldException.class)
                .hasMessageContaining("'m'");
        assertThatThrownBy(() -> builder.build(List.of(Entry.of("a", Map.of("n", "one")))))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("field=n")
                .hasMessageContaining("'one'");
        assertThatThrownBy(() -> builder.build(List.of(Entry.of("a", Map.of()), Entry.of("a", Map.of("n", 1L)))))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("id='a'");
        EntryIndex index = builder.build(List.of(Entry.of("a", Map.of("n", 1L))));
        EntryIndex.Batch batch =
                new EntryIndex.Batch().put(Entry.of("a", Map.of("n", 2L))).put(Entry.of("b", Map.of("n", "two")));
        assertThatThrownBy(() -> index.update(batch))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("'two'");
        assertThat(index.version()).isEqualTo(1);
        assertThat(index.get("", "a")).isEqualTo(Entry.of("a", Map.of("n", 1L)));
        assertThatThrownBy(() -> new EntryIndex.Batch().remove("", "\ud800"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("id");
        assertThatThrownBy(() -> index.search(builder.build(List.of()).query()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("query of another index");
        PriceQuery foreign =
                builder.build(List.of()).query().policy(MatchPolicy.FIRST).limit(7);
        assertThatThrownBy(() -> index.search(foreign)).isInstanceOf(IllegalArgumentException.class);
        assertThat(foreign.limit()).isEqualTo(7);
        assertThatThrownBy(() -> index.page(index.query(), EntryIndex.byPlace(), "x"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("not a cursor of a page: cursor='x'");
    }
}

package dev.touchstone.index.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.PriceQuery;
import dev.touchstone.index.UnknownFieldException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules, flags, products and advertisements in an index, and random entries beside a model. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EntryIndexTest {
    private final long seed = Long.getLong("seed", System.nanoTime());

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
    void badEntries_areRefusedByName() {
        assertThatThrownBy(() -> Entry.of("", Map.of()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("id is empty");
        EntryIndex.Builder builder = EntryIndex.builder().integer("n");
        assertThatThrownBy(() -> builder.build(List.of(Entry.of("a", Map.of("m", 1L)))))
                .isInstanceOf(UnknownFieldException.class)
                .hasMessageContaining("m");
        assertThatThrownBy(() -> builder.build(List.of(Entry.of("a", Map.of("n", "one")))))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("n");
        assertThatThrownBy(() -> builder.build(List.of(Entry.of("a", Map.of()), Entry.of("a", Map.of("n", 1L)))))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("a");
    }

    @Test
    void update_ofRandomEntries_holdsWhatAModelHolds() throws IOException {
        Random random = new Random(seed);
        Map<String, Entry> model = new LinkedHashMap<>();
        EntryIndex index = EntryIndex.builder().string("a", "b").build(List.of());
        for (int version = 2; version < 80; version++) {
            EntryIndex.Batch batch = new EntryIndex.Batch();
            for (int i = random.nextInt(20); i >= 0; i--) {
                Map<String, Object> fields = new HashMap<>();
                for (String name : List.of("a", "b")) {
                    if (random.nextInt(3) > 0) {
                        fields.put(name, name + random.nextInt(4));
                    }
                }
                String group = random.nextInt(3) == 0 ? "" : "g" + random.nextInt(3);
                Entry entry =
                        new Entry("e" + random.nextInt(60), group, fields, false, random.nextInt(2) == 0 ? "p" : null);
                String key = group + " " + entry.id();
                if (random.nextInt(4) == 0) {
                    batch.remove(group, entry.id());
                    model.remove(key);
                } else {
                    batch.put(entry);
                    model.put(key, entry);
                }
            }
            assertThat(index.update(batch)).isEqualTo(version);
            if (version % 20 == 0) {
                index.write(folder.resolve("index"));
                index = version % 40 == 0
                        ? EntryIndex.open(folder.resolve("index"))
                        : EntryIndex.map(folder.resolve("index"));
            }
            assertSame(index, model, random, version);
        }
    }

    private void assertSame(EntryIndex index, Map<String, Entry> model, Random random, int version) {
        String what = "seed=" + seed + " version=" + version;
        assertThat(index.size()).as(what).isEqualTo(model.size());
        assertThat(index.version()).as(what).isEqualTo(version);
        for (Entry entry : model.values()) {
            assertThat(index.get(entry.group(), entry.id())).as(what).isEqualTo(entry);
        }
        String a = "a" + random.nextInt(4);
        PriceQuery query = index.query("g1").policy(MatchPolicy.ALL).limit(1000).eq("a", a);
        List<Entry> expected = new ArrayList<>(model.values());
        expected.removeIf(
                entry -> !entry.group().equals("g1") || !a.equals(entry.fields().get("a")));
        EntryIndex.Result result = index.search(query);
        assertThat(result.entries()).as(what).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(result.matches()).as(what).isEqualTo(expected.size());
        EntryIndex.Result one = index.search(query.policy(MatchPolicy.ERROR));
        assertThat(one.isAmbiguous()).as(what).isEqualTo(expected.size() > 1);
        assertThat(one.first()).as(what).isEqualTo(expected.size() == 1 ? expected.get(0) : null);
    }
}

package dev.touchstone.index.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Facet;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.price.PricePage;
import dev.touchstone.index.price.PriceQuery;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random entries, updates, files and queries beside a map in order. */
@Tag("sweep")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EntryModelTest {
    private static final Comparator<Entry> BY_ID =
            Comparator.comparing(Entry::id).thenComparing(Entry::group);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<List<String>, Entry> model = new LinkedHashMap<>(); // by group and id, in the order of the index

    @TempDir
    Path folder;

    /** A condition as a query has it, and as a plain comparison. */
    private record Asked(String field, boolean isNegative, Predicate<Object> value) {
        boolean holds(Entry entry, boolean hasWildcards) {
            Object had = entry.fields().get(field);
            if (had == null) {
                return hasWildcards || isNegative;
            }
            Stream<?> values = had instanceof Collection<?> several ? several.stream() : Stream.of(had);
            return isNegative ? values.noneMatch(value) : values.anyMatch(value);
        }
    }

    @ParameterizedTest
    @CsvSource({"12, 2, 60", "60, 4, 80", "3000, 3, 30"})
    void answers_afterRandomUpdatesAndFiles_areThoseOfTheModel(int ids, int groups, int versions) throws IOException {
        EntryIndex.Builder builder = EntryIndex.builder()
                .string("a", "b")
                .integer("n")
                .decimal("d", 2)
                .dateTime("from", "to");
        List<Entry> first = new ArrayList<>();
        for (int i = 0; i < ids; i++) {
            Entry entry = entry("e" + i, groups);
            first.add(entry);
            put(entry);
        }
        EntryIndex index = builder.build(first);
        for (int version = 2; version < versions; version++) {
            EntryIndex.Batch batch = new EntryIndex.Batch();
            for (int i = random.nextInt(Math.max(20, ids / 20)); i >= 0; i--) {
                change(batch, ids, groups);
            }
            assertThat(index.update(batch)).as("seed=" + seed).isEqualTo(version);
            if (version % 7 == 0) {
                Path file = folder.resolve("index");
                index.write(file);
                index = version % 2 == 0 ? EntryIndex.open(file) : EntryIndex.map(file);
            }
            String what = "seed=" + seed + " version=" + version;
            assertEntries(index, groups, what);
            for (int i = 0; i < 20; i++) {
                assertAnswers(index, groups, what + " query=" + i);
            }
        }
    }

    private void change(EntryIndex.Batch batch, int ids, int groups) {
        Entry entry = entry("e" + random.nextInt(ids * 5 / 4 + 1), groups);
        List<Entry> known = List.copyOf(model.values());
        if (!known.isEmpty() && random.nextInt(3) > 0) { // one that there is, with other contents
            Entry old = known.get(random.nextInt(known.size()));
            entry = new Entry(old.id(), old.group(), entry.fields(), entry.isPreferred(), entry.payload());
        }
        if (random.nextInt(4) == 0) {
            batch.remove(entry.group(), entry.id());
            model.remove(List.of(entry.group(), entry.id()));
        }
        if (random.nextInt(4) > 0) {
            batch.put(entry);
            put(entry);
        }
    }

    private void put(Entry entry) {
        model.put(List.of(entry.group(), entry.id()), entry); // a key that there is keeps its place
    }

    private Entry entry(String id, int groups) {
        Map<String, Object> fields = new HashMap<>();
        for (String name : List.of("a", "b")) {
            Set<String> values = new HashSet<>();
            for (int left = random.nextInt(4); left > 0; left--) {
                values.add(name + random.nextInt(6));
            }
            if (!values.isEmpty()) {
                fields.put(name, values.size() == 1 ? values.iterator().next() : values);
            }
        }
        for (String name : List.of("n", "d", "from", "to")) {
            if (random.nextInt(3) > 0) {
                fields.put(name, value(name));
            }
        }
        return new Entry(
                id, group(groups), fields, random.nextInt(5) == 0, random.nextInt(3) == 0 ? "payload " + id : null);
    }

    private String group(int groups) {
        int group = random.nextInt(groups);
        return group == 0 ? "" : "g" + group;
    }

    private Object value(String field) {
        int number = random.nextInt(8);
        return switch (field) {
            case "n" -> (long) number - 3;
            case "d" -> BigDecimal.valueOf(number * 25L, 2);
            case "from", "to" -> START.plusSeconds(number);
            default -> field + number; // two of them that no entry has
        };
    }

    private void assertEntries(EntryIndex index, int groups, String what) {
        assertThat(index.size()).as(what).isEqualTo(model.size());
        for (Entry entry : model.values()) {
            assertThat(index.get(entry.group(), entry.id())).as(what).isEqualTo(entry);
        }
        Entry some = entry("e" + random.nextInt(100), groups);
        assertThat(index.get(some.group(), some.id())).as(what).isEqualTo(model.get(List.of(some.group(), some.id())));
    }

    private List<Asked> conditions(PriceQuery query, EntryIndex index) {
        List<Asked> tests = new ArrayList<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            String name = List.of("a", "b", "n", "d").get(random.nextInt(4));
            Object one = value(name);
            Object other = value(name);
            boolean isOrdered = name.equals("n") || name.equals("d");
            switch (random.nextInt(6)) {
                case 0 -> {
                    query.ne(name, one);
                    tests.add(new Asked(name, true, one::equals));
                }
                case 1 -> {
                    query.in(name, List.of(one, other));
                    tests.add(new Asked(name, false, List.of(one, other)::contains));
                }
                case 2 -> {
                    query.notIn(name, List.of(one, other));
                    tests.add(new Asked(name, true, List.of(one, other)::contains));
                }
                case 3 -> {
                    if (isOrdered) {
                        query.between(name, one, other);
                        tests.add(new Asked(name, false, had -> compare(had, one) >= 0 && compare(had, other) <= 0));
                    }
                }
                case 4 -> {
                    Object at = value("from");
                    query.within(index.field("from"), index.field("to"), at);
                    tests.add(new Asked("from", false, had -> compare(had, at) <= 0));
                    tests.add(new Asked("to", false, had -> compare(had, at) > 0));
                }
                default -> {
                    query.eq(name, one);
                    tests.add(new Asked(name, false, one::equals));
                }
            }
        }
        return tests;
    }

    @SuppressWarnings("unchecked") // both values are of one field
    private static int compare(Object one, Object other) {
        return ((Comparable<Object>) one).compareTo(other);
    }

    private void assertAnswers(EntryIndex index, int groups, String where) {
        @Nullable String group = random.nextInt(3) == 0 ? null : group(groups);
        boolean hasWildcards = random.nextBoolean();
        int limit = 1 + random.nextInt(12);
        PriceQuery query = group == null ? index.query() : index.query(group);
        query.wildcards(hasWildcards).limit(limit);
        List<Asked> tests = conditions(query, index);
        String what = where + " group=" + group + " wildcards=" + hasWildcards + " limit=" + limit + " " + query;
        List<Entry> expected = model.values().stream()
                .filter(entry -> group == null || entry.group().equals(group))
                .filter(entry -> tests.stream().allMatch(test -> test.holds(entry, hasWildcards)))
                .toList();
        for (MatchPolicy policy : MatchPolicy.values()) {
            List<Entry> of = policy == MatchPolicy.SPECIFIC ? mostSpecific(expected) : expected;
            assertThat(index.search(query.policy(policy)))
                    .as(what + " policy=" + policy)
                    .isEqualTo(result(index.version(), of, policy, limit));
            assertThat(index.count(query)).as(what + " policy=" + policy).isEqualTo(of.size());
        }
        query.policy(MatchPolicy.ALL);
        List<Entry> passed = new ArrayList<>();
        assertThat(index.forEach(query, passed::add)).as(what).isEqualTo(index.version());
        passed.sort(BY_ID);
        List<Entry> byId = expected.stream().sorted(BY_ID).toList();
        assertThat(passed).as(what).isEqualTo(byId);
        query.limit(Math.max(limit, expected.size() / 10));
        assertThat(pages(index, query, EntryIndex.byPlace())).as(what).isEqualTo(expected);
        assertThat(pages(index, query, PricePage.Order.byId())).as(what).isEqualTo(byId);
        assertFacet(index, query, expected, what);
    }

    private static EntryIndex.Result result(long version, List<Entry> matches, MatchPolicy policy, int limit) {
        List<Entry> preferred = matches.stream().filter(Entry::isPreferred).toList();
        List<Entry> chosen = switch (policy) {
            case ALL -> matches;
            case FIRST -> matches.subList(0, Math.min(1, matches.size()));
            case ERROR -> matches.size() == 1 ? matches : List.of();
            case DEFAULT, SPECIFIC ->
                matches.size() == 1 ? matches : preferred.subList(0, Math.min(1, preferred.size()));
        };
        long count = policy == MatchPolicy.ALL || chosen.isEmpty() ? matches.size() : 1;
        return new EntryIndex.Result(version, count, chosen.subList(0, Math.min(limit, chosen.size())));
    }

    private static List<Entry> mostSpecific(List<Entry> entries) {
        List<Entry> left = entries;
        for (String name : List.of("a", "b", "n", "d", "from", "to")) {
            List<Entry> having = left.stream()
                    .filter(entry -> entry.fields().containsKey(name))
                    .toList();
            left = having.isEmpty() ? left : having;
        }
        return left;
    }

    private static List<Entry> pages(EntryIndex index, PriceQuery query, PricePage.Order order) {
        List<Entry> all = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            EntryIndex.Page page = index.page(query, order, cursor);
            assertThat(page.isChanged()).isFalse();
            assertThat(page.entries()).hasSizeLessThanOrEqualTo(query.limit());
            all.addAll(page.entries());
            assertThat(all.size()).isLessThanOrEqualTo((int) index.count(query)); // pages that repeat would have no end
            cursor = page.next();
        } while (cursor != null);
        return all;
    }

    private static void assertFacet(EntryIndex index, PriceQuery query, List<Entry> expected, String what) {
        Map<Object, Long> counts = expected.stream()
                .map(entry -> entry.fields().get("a"))
                .filter(Objects::nonNull)
                .flatMap(had -> had instanceof Collection<?> several ? several.stream() : Stream.of(had))
                .collect(Collectors.groupingBy(value -> value, Collectors.counting()));
        Facet facet = index.facets(query, List.of("a"), 100).get(0);
        assertThat(facet.values().stream().collect(Collectors.toMap(Facet.Value::value, Facet.Value::prices)))
                .as(what)
                .isEqualTo(counts);
        assertThat(facet.missing())
                .as(what)
                .isEqualTo(expected.stream()
                        .filter(entry -> !entry.fields().containsKey("a"))
                        .count());
    }
}

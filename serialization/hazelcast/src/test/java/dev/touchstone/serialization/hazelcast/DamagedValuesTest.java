package dev.touchstone.serialization.hazelcast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.query.impl.CachedQueryEntry;
import com.hazelcast.query.impl.getters.Extractors;
import dev.touchstone.serialization.GenericView;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Predicates of each operator on fields of each kind, over records that were changed at random: where a view can read the value, the answer is that
 * of a model over the value; else it is an answer or a {@link DamagedEntryException}, and nothing else. {@code -Ddamage.seed} repeats a run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DamagedValuesTest {
    private static final int ROUNDS = 20;
    private static final int CHANGES = 40;
    private static final int SCHEMA_ID_AT = 8;
    private static final int HEADER_BYTES = 16;

    private final Cluster cluster = new Cluster();
    private final InternalSerializationService service = new DefaultSerializationServiceBuilder().build();
    private final Extractors extractors = Extractors.newBuilder(service).build();
    private final WideRecords records = new WideRecords();
    private final Map<String, Integer> ends = new TreeMap<>();
    private @Nullable HazelcastInstance member;
    private @Nullable Schema other;
    private SplittableRandom random = new SplittableRandom(0);

    @BeforeAll
    void start() {
        List<Integer> ports = Cluster.freePorts(1);
        HazelcastInstance started = cluster.member(ports.get(0), ports);
        HazelcastBridge bridge = HazelcastBridge.of(started);
        records.records().forEach(record -> Schemas.of(records.serialization.view(record), bridge::publish));
        bridge.publish(records.serialization.view(records.oldRecord("x")).schema());
        other = withOtherKinds(
                records.serialization.view(records.records().get(0)).schema());
        bridge.publish(other);
        member = started;
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    /** Returns a schema that has the fields of another one, each with the next kind. */
    private static Schema withOtherKinds(Schema schema) {
        List<FieldKind> kinds = List.of(FieldKind.values());
        return Schema.of(
                "other",
                schema.fields().stream()
                        .map(field -> new FieldDescriptor(
                                field.name(), kinds.get((kinds.indexOf(field.kind()) + 1) % kinds.size())))
                        .toList());
    }

    /** Predicate, and the answer for a value that is not null. */
    private record Case(
            FieldPredicate<Object, Object> predicate,
            String field,
            Item item,
            String inside,
            boolean matchesNull,
            Predicate<Object> model) {}

    /** Place of the value in a field. */
    private enum Item {
        WHOLE(""),
        ANY("[any]"),
        FIRST("[0]"),
        SECOND("[1]"),
        BEYOND("[7]");

        final String path;

        Item(String path) {
            this.path = path;
        }
    }

    @Test
    void predicateOverChangedRecords_givesTheAnswerOrNamesTheDamage() {
        check(Long.getLong("seed", System.nanoTime()), ROUNDS);
    }

    @Tag("slow")
    @Test
    void predicateOverManyChangedRecords_givesTheAnswerOrNamesTheDamage() {
        check(Long.getLong("seed", System.nanoTime()), 100 * ROUNDS);
    }

    private void check(long seed, int rounds) {
        System.out.println("damage.seed=" + seed);
        random = new SplittableRandom(seed);
        List<byte[]> originals = records.records();
        for (int round = 0; round < rounds; round++) {
            byte[] original = originals.get(round % originals.size());
            List<Case> cases = cases(records.serialization.view(original));
            for (Case each : cases) {
                check(each, original, "seed=" + seed);
            }
            for (int change = 0; change < CHANGES; change++) {
                byte[] changed = changed(original);
                for (Case each : cases) {
                    check(each, changed, "seed=" + seed);
                }
            }
        }
        System.out.println("ends=" + ends);
        assertThat(ends.keySet()).contains("true", "false", "DamagedEntryException", "FieldKindException");
    }

    private byte[] changed(byte[] original) {
        byte[] bytes = original.clone();
        int at = random.nextInt(SCHEMA_ID_AT, bytes.length);
        switch (random.nextInt(8)) {
            case 0 ->
                bytes = Arrays.copyOf(
                        bytes, random.nextInt(SCHEMA_ID_AT, bytes.length + 5)); // Hazelcast has no shorter ones
            case 1 -> bytes[at] = (byte) (random.nextInt(5) - 2);
            case 2 ->
                ByteBuffer.wrap(bytes)
                        .putLong(SCHEMA_ID_AT, requireNonNull(other).id());
            case 3 ->
                ByteBuffer.wrap(bytes)
                        .putInt(
                                random.nextInt(bytes.length - 3),
                                random.nextBoolean() ? random.nextInt(bytes.length) : random.nextInt());
            case 4 -> bytes[random.nextInt(HEADER_BYTES)] ^= (byte) (1 << random.nextInt(8));
            default -> bytes[at] ^= (byte) (1 + random.nextInt(255));
        }
        return bytes;
    }

    private void check(Case each, byte[] record, String seed) {
        String what = seed + " predicate=" + each.predicate + " bytes="
                + HexFormat.of().formatHex(record);
        Object expected;
        try {
            expected = expected(each, records.serialization.view(record));
        } catch (CompactException e) {
            expected = e;
        }
        Object answer;
        try {
            answer = each.predicate.apply(
                    new CachedQueryEntry<>(service, service.toData(1), HazelcastBridge.toData(record), extractors));
        } catch (DamagedEntryException | FieldKindException e) {
            assertThat(e.getMessage()).as(what).contains(each.field);
            answer = e.getClass().getSimpleName();
        } catch (RuntimeException | Error e) {
            throw new AssertionError(what, e);
        }
        ends.merge(answer.toString(), 1, Integer::sum);
        if (expected instanceof Boolean) {
            assertThat(answer).as(what).isEqualTo(expected);
        } else if (!isOfOtherKinds(record)) {
            assertThat(answer).as(what).isNotEqualTo("FieldKindException");
        }
    }

    private boolean isOfOtherKinds(byte[] record) {
        return record.length >= HEADER_BYTES
                && ByteBuffer.wrap(record).getLong(SCHEMA_ID_AT)
                        == requireNonNull(other).id();
    }

    /** Returns the answer by the value that a view reads. */
    private boolean expected(Case each, GenericView view) {
        Object value = view.value(each.field);
        if (value == null) {
            return each.matchesNull;
        }
        if (each.item == Item.WHOLE) {
            return expectedOfItem(each, value);
        }
        int items = Array.getLength(value);
        if (each.item == Item.ANY) {
            boolean found = items == 0 && each.matchesNull;
            for (int i = 0; i < items; i++) {
                found |= expectedOfItem(each, Array.get(value, i));
            }
            return found;
        }
        int index = each.item.path.charAt(1) - '0';
        return expectedOfItem(each, index < items ? Array.get(value, index) : null);
    }

    private boolean expectedOfItem(Case each, @Nullable Object item) {
        Object value = item != null && !each.inside.isEmpty() ? ((GenericView) item).value(each.inside) : item;
        return value == null ? each.matchesNull : each.model.test(value);
    }

    /** Returns cases of each operator for each field, with constants that the fields of the record have. */
    private List<Case> cases(GenericView view) {
        List<Case> cases = new ArrayList<>();
        for (FieldDescriptor field : view.schema().fields()) {
            Object value = view.value(field.name());
            if (field.kind() == FieldKind.COMPACT) {
                addAll(
                        cases,
                        field.name(),
                        Item.WHOLE,
                        "label",
                        value == null ? null : ((GenericView) value).value("label"));
                addAll(cases, field.name(), Item.WHOLE, "weight", 1.5f);
                addNull(cases, field.name(), Item.WHOLE, "");
            } else if (field.kind() == FieldKind.ARRAY_OF_COMPACT) {
                Item item = Item.values()[random.nextInt(1, 5)];
                addAll(cases, field.name(), item, "label", "plain ASCII");
                addAll(cases, field.name(), item, "weight", -0.0f);
                addNull(cases, field.name(), item, "");
            } else if (field.kind().isArray()) {
                addNull(cases, field.name(), Item.WHOLE, "");
                Object first = value == null ? null : Array.get(value, 0);
                addAll(cases, field.name(), Item.values()[random.nextInt(1, 5)], "", first);
            } else {
                addAll(cases, field.name(), Item.WHOLE, "", value);
            }
        }
        return cases;
    }

    private static String path(String field, Item item, String inside) {
        return field + item.path + (inside.isEmpty() ? "" : "." + inside);
    }

    private void addNull(List<Case> cases, String field, Item item, String inside) {
        String path = path(field, item, inside);
        add(cases, FieldPredicate.isNull(path), field, item, inside, true, value -> false);
        if (item != Item.ANY) {
            add(cases, FieldPredicate.isNotNull(path), field, item, inside, false, value -> true);
        }
    }

    /** Adds some cases of a field whose values are compared with a constant, if there is one. */
    private void addAll(List<Case> cases, String field, Item item, String inside, @Nullable Object like) {
        if (!(like instanceof Comparable<?> constant)) {
            addNull(cases, field, item, inside);
            return;
        }
        String path = path(field, item, inside);
        Comparable<?> least = constant instanceof Boolean ? (Comparable<?>) false : constant;
        boolean isText = constant instanceof String;
        switch (random.nextInt(isText ? 10 : 8)) {
            case 0 ->
                add(
                        cases,
                        FieldPredicate.equal(path, constant),
                        field,
                        item,
                        inside,
                        false,
                        value -> isEqual(value, constant));
            case 1 -> {
                if (item == Item.ANY) {
                    addNull(cases, field, item, inside);
                } else {
                    add(
                            cases,
                            FieldPredicate.notEqual(path, constant),
                            field,
                            item,
                            inside,
                            true,
                            value -> !isEqual(value, constant));
                }
            }
            case 2 ->
                add(
                        cases,
                        FieldPredicate.greaterThan(path, constant),
                        field,
                        item,
                        inside,
                        false,
                        value -> compare(value, constant) > 0);
            case 3 ->
                add(
                        cases,
                        FieldPredicate.not(FieldPredicate.lessThan(path, constant)),
                        field,
                        item,
                        inside,
                        false,
                        value -> compare(value, constant) >= 0);
            case 4 ->
                add(
                        cases,
                        FieldPredicate.lessThan(path, constant),
                        field,
                        item,
                        inside,
                        false,
                        value -> compare(value, constant) < 0);
            case 5 ->
                add(
                        cases,
                        FieldPredicate.lessEqual(path, constant),
                        field,
                        item,
                        inside,
                        false,
                        value -> compare(value, constant) <= 0);
            case 6 ->
                add(
                        cases,
                        FieldPredicate.between(path, least, constant),
                        field,
                        item,
                        inside,
                        false,
                        value -> compare(value, least) >= 0 && compare(value, constant) <= 0);
            case 7 ->
                add(
                        cases,
                        FieldPredicate.in(path, constant, null),
                        field,
                        item,
                        inside,
                        true,
                        value -> isEqual(value, constant));
            case 8 -> {
                String start = constant.toString().substring(0, 1);
                add(
                        cases,
                        FieldPredicate.like(path, start + "%"),
                        field,
                        item,
                        inside,
                        false,
                        value -> value.toString().startsWith(start));
            }
            default ->
                add(
                        cases,
                        FieldPredicate.ilike(path, "%" + constant),
                        field,
                        item,
                        inside,
                        false,
                        value -> endsWith(value, constant));
        }
    }

    private static boolean endsWith(Object value, Object end) {
        String text = value.toString();
        int from = text.length() - end.toString().length();
        return from >= 0
                && text.regionMatches(
                        true, from, end.toString(), 0, end.toString().length());
    }

    private void add(
            List<Case> cases,
            FieldPredicate<Object, Object> predicate,
            String field,
            Item item,
            String inside,
            boolean matchesNull,
            Predicate<Object> model) {
        predicate.setHazelcastInstance(requireNonNull(member));
        cases.add(new Case(predicate, field, item, inside, matchesNull, model));
    }

    private static boolean isEqual(Object value, Object constant) {
        boolean isFloating = value instanceof Float || value instanceof Double;
        return isFloating
                ? Double.compare(((Number) value).doubleValue(), ((Number) constant).doubleValue()) == 0
                : value.equals(constant);
    }

    @SuppressWarnings("unchecked") // both are of the field's type
    private static int compare(Object value, Object constant) {
        boolean isFloating = value instanceof Float || value instanceof Double;
        return isFloating
                ? Double.compare(((Number) value).doubleValue(), ((Number) constant).doubleValue())
                : ((Comparable<Object>) value).compareTo(constant);
    }
}

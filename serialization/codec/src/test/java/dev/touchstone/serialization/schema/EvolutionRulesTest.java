package dev.touchstone.serialization.schema;

import static dev.touchstone.serialization.schema.Compatibility.BACKWARD;
import static dev.touchstone.serialization.schema.Compatibility.FORWARD;
import static dev.touchstone.serialization.schema.Compatibility.FULL;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EvolutionRulesTest {
    private static final Schema OLD = Schema.builder("person")
            .field("age", FieldKind.INT32)
            .field("name", FieldKind.STRING)
            .build();

    private static Schema with(Schema schema, String name, FieldKind kind) {
        List<FieldDescriptor> fields = new ArrayList<>(schema.fields());
        fields.removeIf(field -> field.name().equals(name));
        fields.add(new FieldDescriptor(name, kind));
        return Schema.of(schema.typeName(), fields);
    }

    private static Schema without(Schema schema, String name) {
        List<FieldDescriptor> fields = new ArrayList<>(schema.fields());
        fields.removeIf(field -> field.name().equals(name));
        return Schema.of(schema.typeName(), fields);
    }

    private static TypeDescriptor described(Schema schema, String field, FieldMeaning meaning) {
        return new TypeDescriptor(schema, "p.Person", new TreeMap<>(Map.of(field, meaning)));
    }

    private static List<EvolutionRule> rules(Compatibility demanded, Schema before, Schema after) {
        return EvolutionRules.of(demanded)
                .check(TypeDescriptor.ofSchema(before), TypeDescriptor.ofSchema(after))
                .stream()
                .map(Violation::rule)
                .toList();
    }

    /** The rules that are broken where all is demanded, new readers only, and old readers only. */
    private static void assertBroken(Schema before, Schema after, EvolutionRule rule, boolean inNew, boolean inOld) {
        assertThat(rules(FULL, before, after)).containsExactly(rule);
        assertThat(rules(BACKWARD, before, after)).isEqualTo(inNew ? List.of(rule) : List.of());
        assertThat(rules(FORWARD, before, after)).isEqualTo(inOld ? List.of(rule) : List.of());
    }

    @Test
    void check_ofTheSameFieldsInAnyOrder_findsNothing() {
        List<FieldDescriptor> fields = new ArrayList<>(OLD.fields());
        for (int i = 0; i < 10; i++) {
            Collections.shuffle(fields, new Random(i));
            assertThat(rules(FULL, OLD, Schema.of("person", fields))).isEmpty();
        }
    }

    @Test
    void check_ofAnAddedField_asksWhetherItMayBeNull() {
        Schema plain = with(OLD, "height", FieldKind.FLOAT64);
        assertBroken(OLD, plain, EvolutionRule.FIELD_ADDED, true, false);
        assertThat(rules(FULL, OLD, with(OLD, "height", FieldKind.NULLABLE_FLOAT64)))
                .isEmpty();
        assertThat(rules(FULL, OLD, with(OLD, "tags", FieldKind.ARRAY_OF_STRING)))
                .isEmpty();
        TypeDescriptor stated = described(plain, "height", FieldMeaning.PLAIN.withMissing("1.0"));
        assertThat(EvolutionRules.of(FULL).check(TypeDescriptor.ofSchema(OLD), stated))
                .isEmpty();
    }

    @Test
    void check_ofARemovedField_asksWhetherItMayBeNull() {
        assertBroken(OLD, without(OLD, "age"), EvolutionRule.FIELD_REMOVED, false, true);
        assertThat(rules(FULL, OLD, without(OLD, "name"))).isEmpty();
        TypeDescriptor stated = described(OLD, "age", FieldMeaning.PLAIN.withMissing("1"));
        TypeDescriptor without = TypeDescriptor.ofSchema(without(OLD, "age"));
        assertThat(EvolutionRules.of(FULL).check(stated, without)).isEmpty();
    }

    @Test
    void check_ofARename_refusesBothNames() {
        Schema renamed = with(without(OLD, "name"), "fullName", FieldKind.STRING);
        for (Compatibility each : Compatibility.values()) {
            assertThat(EvolutionRules.of(each).check(TypeDescriptor.ofSchema(OLD), TypeDescriptor.ofSchema(renamed)))
                    .containsExactly(
                            new Violation(
                                    EvolutionRule.FIELD_RENAMED,
                                    "person",
                                    "fullName",
                                    Optional.empty(),
                                    Optional.of(FieldKind.STRING),
                                    ""),
                            new Violation(
                                    EvolutionRule.FIELD_RENAMED,
                                    "person",
                                    "name",
                                    Optional.of(FieldKind.STRING),
                                    Optional.empty(),
                                    ""));
        }
        Schema nullableToo = with(without(OLD, "age"), "years", FieldKind.NULLABLE_INT32);
        assertThat(rules(FULL, OLD, nullableToo))
                .containsExactly(EvolutionRule.FIELD_RENAMED, EvolutionRule.FIELD_RENAMED);
        Schema another = with(without(OLD, "name"), "tags", FieldKind.ARRAY_OF_STRING);
        assertThat(rules(FULL, OLD, another)).isEmpty();
    }

    @Test
    void checkOlder_ofARename_takesItForTwoChanges() {
        Schema renamed = with(without(OLD, "age"), "years", FieldKind.INT32);
        assertThat(EvolutionRules.of(FULL).checkOlder(TypeDescriptor.ofSchema(OLD), TypeDescriptor.ofSchema(renamed)))
                .extracting(Violation::rule)
                .containsExactly(EvolutionRule.FIELD_REMOVED, EvolutionRule.FIELD_ADDED);
    }

    @Test
    void check_ofEveryChangeOfKind_isWhatReadersCanTake() {
        for (FieldKind before : FieldKind.values()) {
            for (FieldKind after : FieldKind.values()) {
                Schema old = with(OLD, "x", before);
                Schema changed = with(OLD, "x", after);
                if (before == after) {
                    assertThat(rules(FULL, old, changed)).isEmpty();
                } else if (!before.isReadableAs(after)) {
                    assertBroken(old, changed, EvolutionRule.FIELD_KIND_CHANGED, true, true);
                } else if (after.name().contains("NULLABLE")) {
                    assertBroken(old, changed, EvolutionRule.NULLS_ALLOWED, false, true);
                } else {
                    assertBroken(old, changed, EvolutionRule.NULLS_FORBIDDEN, true, false);
                }
            }
        }
    }

    /** The rules that a change of what a field means breaks, where all is demanded. */
    private static List<String> broken(FieldMeaning before, FieldMeaning after) {
        return EvolutionRules.of(FULL).check(described(OLD, "name", before), described(OLD, "name", after)).stream()
                .map(each -> each.rule() + " " + each.detail())
                .toList();
    }

    @Test
    void check_ofMeanings_asksWhoMayMeetAValueThatItRefuses() {
        FieldMeaning ab = FieldMeaning.constants(List.of("B", "A"));
        FieldMeaning abc = FieldMeaning.constants(List.of("A", "B", "C"));
        FieldMeaning uuid = FieldMeaning.format("uuid");
        assertThat(broken(ab, FieldMeaning.constants(List.of("A", "B")).withMissing("A")))
                .isEmpty();
        assertThat(broken(ab, abc)).containsExactly("VALUES_ADDED values=[C]");
        assertThat(broken(abc, ab)).containsExactly("VALUES_REMOVED values=[C]");
        assertThat(broken(ab, FieldMeaning.constants(List.of("A", "X"))))
                .containsExactly("VALUES_REMOVED values=[B]", "VALUES_ADDED values=[X]");
        assertThat(broken(FieldMeaning.PLAIN, ab)).containsExactly("VALUES_REMOVED was=any is=enum");
        assertThat(broken(ab, FieldMeaning.PLAIN)).containsExactly("VALUES_ADDED was=enum is=any");
        assertThat(broken(ab, uuid)).containsExactly("FORMAT_CHANGED was=enum is=uuid");
        assertThat(EvolutionRules.of(FULL).check(TypeDescriptor.ofSchema(OLD), described(OLD, "name", uuid)))
                .isEmpty();
    }

    @Test
    void check_ofAnotherTypeName_isRefused() {
        Schema other = Schema.of("human", OLD.fields());
        for (Compatibility each : Compatibility.values()) {
            assertThat(rules(each, OLD, other)).containsExactly(EvolutionRule.TYPE_RENAMED);
        }
    }

    @Test
    void violation_saysRuleTypeFieldAndKinds() {
        Schema changed = with(OLD, "age", FieldKind.STRING);
        assertThat(EvolutionRules.of(FULL)
                        .check(TypeDescriptor.ofSchema(OLD), TypeDescriptor.ofSchema(changed))
                        .get(0))
                .hasToString(
                        "FIELD_KIND_CHANGED: type=person field=age old=INT32 new=STRING (neither kind is read as the"
                                + " other)");
    }
}

package dev.touchstone.serialization.processor;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.schema.Compatibility;
import dev.touchstone.serialization.schema.EvolutionRule;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.LockReport;
import dev.touchstone.serialization.schema.LockedVersion;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.TypeDescriptor;
import dev.touchstone.serialization.schema.Violation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sequences of versions of a type. What the lock says of each version is held against what happens: the version's codec reads the bytes that all
 * versions before it wrote, and theirs read its bytes.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EvolutionProofTest {
    private static final String ENUM = "@CompactField(encode = Encoding.ENUM_AS_STRING) ";
    private static final String UUID = "@CompactField(encode = Encoding.UUID_AS_STRING) java.util.UUID a";
    private static final String HALVES = "@CompactField(encode = Encoding.UUID_AS_INT64S) java.util.UUID a";
    private static final String TIME = "@CompactField(encode = Encoding.TIME_AS_STRING) java.time.";
    private static final String INSTANT = "@CompactField(encode = Encoding.INSTANT_AS_TIMESTAMP) java.time.Instant a";
    private static final String MANY =
            "@CompactField(encode = {Encoding.COLLECTIONS, Encoding.ENUM_AS_STRING}) java.util.";
    private static final String ID = "java.util.UUID.fromString(\"0e7bd3d2-8d7c-4f3a-9a1f-6f6f0d6f0a11\")";
    private static final String CAT = " @Compact(\"cat\") public record Cat(String name) {} ";
    private static final String DOG = " @Compact(\"dog\") public record Dog(String name) {} ";
    private static final String PET = " @Compact public sealed interface Pet permits ";

    private static final int SEQUENCES = Integer.getInteger("sequences", 12);
    private static final int MAX_VALUES = 3;

    /** Lists for each of three fields what a version may have: nothing, or a component and the values that it has in records. */
    private static final List<List<List<String>>> CHOICES = List.of(
            List.of(
                    List.of(),
                    List.of("int a", "1"),
                    List.of("Integer a", "1", "null"),
                    List.of("@CompactField(missing = \"7\") int a", "1"),
                    List.of("String a", "\"y\"", "null"),
                    List.of("long[] a", "new long[] {1}", "null")),
            List.of(
                    List.of(),
                    List.of("boolean b", "true"),
                    List.of("@CompactField(missing = \"true\") boolean b", "true"),
                    List.of("Boolean b", "true", "null")),
            List.of(
                    List.of(),
                    List.of(ENUM + "Color c", "A", "B"),
                    List.of(ENUM + "Color c", "A", "B", "C"),
                    List.of("java.math.BigDecimal c", "java.math.BigDecimal.ONE", "null")));

    private static final Map<String, Version> COMPILED = new HashMap<>();

    /** A version of the type: its class, what the processor found in it, and records that a program may write. */
    private record Version(Loaded loaded, List<CompactCodec<Object>> codecs, TypeDescriptor descriptor) {
        static Version compile(String source) {
            Compilation compilation = Compilation.of(source);
            Loaded loaded = compilation.load();
            List<CompactCodec<Object>> codecs = new ArrayList<>();
            for (String path : compilation.outputs.keySet()) {
                if (path.endsWith("Codec.class") && !path.contains("Pet")) {
                    codecs.add(loaded.codec(path.substring(0, path.length() - "Codec.class".length())
                            .replace('/', '.')));
                }
            }
            byte[] text = requireNonNull(compilation.outputs.get("META-INF/compact/p.T.schema"));
            return new Version(loaded, codecs, TypeDescriptor.parse(new String(text, StandardCharsets.UTF_8)));
        }

        Object[] samples() {
            return (Object[]) loaded.call("p.T", "samples");
        }

        /** Returns whether this version takes all that another writes: no exception, no value that nobody gave, none that is lost. */
        boolean reads(Version writer, boolean isRenamed) {
            CompactSerialization.Builder writing = CompactSerialization.builder();
            writer.codecs.forEach(writing::codec);
            CompactSerialization.Builder reading = CompactSerialization.builder();
            codecs.forEach(reading::codec);
            writer.codecs.forEach(codec -> reading.schema(codec.schema()));
            CompactSerialization out = writing.build();
            CompactSerialization in = reading.build();
            for (Object sample : writer.samples()) {
                byte[] bytes = out.encode(sample);
                try {
                    Object read = in.decode(bytes);
                    if (isInvented(read, writer) || isRenamed) {
                        return false;
                    }
                } catch (CompactException e) {
                    return false;
                }
            }
            return true;
        }

        /** Returns whether a field that the writer does not have, and that cannot be null, is the zero of Java. */
        private boolean isInvented(Object read, Version writer) {
            for (FieldDescriptor field : descriptor.schema().fields()) {
                boolean isLacking = writer.descriptor.schema().indexOf(field.name()) < 0;
                if (isLacking && field.kind().isFixed()) {
                    Object value = requireNonNull(Loaded.on(read, field.name()));
                    if (value.equals(0) || value.equals(0L) || value.equals(false)) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    /** Returns the source of a version: the components of a record, what else is in its body, and the arguments of some records. */
    private static String version(String components, String body, String... samples) {
        StringBuilder all = new StringBuilder();
        for (String sample : samples) {
            all.append("new T(").append(sample).append("), ");
        }
        return String.format(Locale.ROOT, """
                package p;
                import dev.touchstone.serialization.annotation.*;
                @Compact("t")
                public record T(%s) {
                    %s
                    public static Object[] samples() {
                        return new Object[] {%s};
                    }
                }
                """, components, body, all);
    }

    private static String color(String constants) {
        String[] all = constants.split(", ", -1);
        String[] samples = new String[all.length];
        for (int i = 0; i < all.length; i++) {
            samples[i] = "Color." + all[i];
        }
        return version(ENUM + "Color a", "public enum Color {" + constants + "}", samples);
    }

    private static String colors(String type, String constants) {
        String body = "public enum Color {" + constants + "}";
        String values = constants.replaceAll("(\\w+)", "Color.$1");
        return switch (type) {
            case "List" -> version(MANY + "List<Color> a", body, "java.util.List.of(" + values + ")", "null");
            case "Set" -> version(MANY + "Set<Color> a", body, "java.util.Set.of(" + values + ")", "null");
            case "Map" ->
                version(
                        MANY + "Map<Color, String> a",
                        body,
                        "java.util.Map.of(" + values.replace(", ", ", \"x\", ") + ", \"y\")");
            default -> version(ENUM + "Color[] a", body, "new Color[] {" + values + "}");
        };
    }

    private static String pet(String type, String permits) {
        boolean hasCat = type.equals("Cat") || permits.contains("Cat");
        boolean hasDog = type.equals("Dog") || permits.contains("Dog");
        String pet = permits.isEmpty() ? "" : PET + permits + " {} ";
        String cat = permits.contains("Cat") ? CAT.replace("(String name)", "(String name) implements Pet") : CAT;
        String dog = permits.contains("Dog") ? DOG.replace("(String name)", "(String name) implements Pet") : DOG;
        List<String> samples = new ArrayList<>(List.of("null"));
        if (hasCat) {
            samples.add("new Cat(\"tom\")");
        }
        if (hasDog) {
            samples.add("new Dog(\"rex\")");
        }
        return version(type + " a", pet + (hasCat ? cat : "") + (hasDog ? dog : ""), samples.toArray(new String[0]));
    }

    private static Arguments sequence(String name, String... versions) {
        return Arguments.of(name, List.of(versions));
    }

    private static String plain(String components, String... samples) {
        return version(components, "", samples);
    }

    private static final String TEXT = plain("String s", "\"x\"", "null");
    private static final String STRING = plain("String a", "\"hello\"", "null");
    private static final String DURATION = plain(TIME + "Duration a", "java.time.Duration.ofHours(1)");
    private static final String TWO = plain("String s, String q", "\"x\", \"y\"");
    private static final String ADDED = plain("String s, @CompactField(missing = \"7\") int n", "\"x\", 1");

    static Stream<Arguments> sequences() {
        return Stream.of(
                sequence("text added and removed", TEXT, TWO, TEXT),
                sequence("number added without a default", TEXT, plain("String s, int n", "\"x\", 1")),
                sequence("number added with a default, removed, added again", TEXT, ADDED, TEXT, ADDED),
                sequence(
                        "default goes while older records lack the field",
                        TEXT,
                        ADDED,
                        plain("String s, int n", "\"x\", 1")),
                sequence("default changes", ADDED, ADDED.replace("\"7\"", "\"8\"")),
                sequence(
                        "nullable number added, then without nulls",
                        TEXT,
                        plain("String s, Integer n", "\"x\", 1", "\"x\", null"),
                        plain("String s, int n", "\"x\", 1")),
                sequence("array added and removed", TEXT, plain("String s, long[] a", "\"x\", new long[] {1}"), TEXT),
                sequence(
                        "numbers",
                        plain("int a", "1"),
                        plain("long a", "1"),
                        plain("Long a", "1L", "null"),
                        plain("double a", "1"),
                        plain("String a", "\"1\"")),
                sequence(
                        "number to nullable and back",
                        plain("int a", "1"),
                        plain("Integer a", "1", "null"),
                        plain("int a", "1")),
                sequence(
                        "numbers to nullable and back",
                        plain("int[] a", "new int[] {1}"),
                        plain("Integer[] a", "new Integer[] {1, null}", "(Integer[]) null"),
                        plain("int[] a", "new int[] {1}")),
                sequence(
                        "flags to nullable and back",
                        plain("boolean[] a", "new boolean[] {true}"),
                        plain("Boolean[] a", "new Boolean[] {true, null}"),
                        plain("boolean[] a", "new boolean[] {true}")),
                sequence("array to item", plain("int[] a", "new int[] {1}"), plain("int a", "1")),
                sequence(
                        "order",
                        plain("String s, long q, int a", "\"x\", 1, 2"),
                        plain("int a, String s, long q", "2, \"x\", 1")),
                sequence("name in the sources", TEXT, plain("@CompactField(\"s\") String called", "\"x\"")),
                sequence("text renamed", TEXT, plain("String q", "\"x\"")),
                sequence("number renamed and made nullable", plain("int a", "1"), plain("Integer b", "1", "null")),
                sequence("text goes, another comes a version later", TEXT, TWO, plain("String q", "\"y\"", "null")),
                sequence("constants grow", color("A, B"), color("A, B, C"), color("C, B, A"), color("A, B, C, D")),
                sequence("constants shrink", color("A, B, C"), color("A, C")),
                sequence("constant renamed", color("A, B"), color("A, X")),
                sequence("constant goes and comes back", color("A, B"), color("A"), color("A, B")),
                sequence("constants in an array", colors("", "A, B"), colors("", "A, B, C"), colors("", "B, C")),
                sequence(
                        "constants in a list, then a set",
                        colors("List", "A, B"),
                        colors("Set", "A, B"),
                        colors("Set", "A")),
                sequence("constants as keys", colors("Map", "A, B"), colors("Map", "A, B, C"), colors("Map", "A")),
                sequence("enum to text and back", color("A, B"), STRING, color("A, B")),
                sequence("enum to id", color("A, B"), plain(UUID, ID)),
                sequence("id to text and back", plain(UUID, ID), STRING, plain(UUID, ID)),
                sequence("id to halves", plain(UUID, ID), plain(HALVES, ID)),
                sequence(
                        "halves to numbers and back",
                        plain(HALVES, ID),
                        plain("long[] a", "new long[] {1}"),
                        plain(HALVES, ID)),
                sequence("duration to text and back", DURATION, STRING, DURATION),
                sequence("duration to period", DURATION, plain(TIME + "Period a", "java.time.Period.ofYears(1)")),
                sequence(
                        "moment to time and back",
                        plain(INSTANT, "java.time.Instant.EPOCH"),
                        plain("java.time.OffsetDateTime a", "java.time.OffsetDateTime.MAX.minusYears(1)"),
                        plain(INSTANT, "java.time.Instant.EPOCH")),
                sequence("record of another type", pet("Cat", ""), pet("Dog", "")),
                sequence("record to sealed and back", pet("Cat", ""), pet("Pet", "Cat, Dog"), pet("Cat", "")),
                sequence(
                        "permitted types grow and shrink",
                        pet("Pet", "Cat"),
                        pet("Pet", "Cat, Dog"),
                        pet("Pet", "Dog")),
                sequence("array of records of another type", plainCats("Cat"), plainCats("Dog")),
                sequence("list to array", colors("List", "A, B"), colors("", "A, B")),
                sequence(
                        "field comes back as another kind",
                        TWO,
                        TEXT,
                        ADDED,
                        plain(
                                "String s, @CompactField(missing = \"7\") int n, @CompactField(missing = \"8\") int q",
                                "\"x\", 1, 2")),
                sequence(
                        "five versions",
                        TEXT,
                        ADDED,
                        version(ADDED_COLOR, "public enum Color {A}", "\"x\", 1, Color.A", "\"x\", 1, null"),
                        version(ADDED_COLOR, "public enum Color {A, B}", "\"x\", 1, Color.B"),
                        ADDED));
    }

    private static final String ADDED_COLOR = "String s, @CompactField(missing = \"7\") int n, " + ENUM + "Color c";

    private static String plainCats(String type) {
        return version(type + "[] a", type.equals("Cat") ? CAT : DOG, "new " + type + "[] {new " + type + "(\"x\")}");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sequences")
    void verdict_isWhatReadersSee(String name, List<String> sources) {
        prove(name, sources);
    }

    @Test
    void verdictOfRandomSequences_isWhatReadersSee() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < SEQUENCES; i++) {
            List<String> sources = new ArrayList<>();
            for (int left = 2 + random.nextInt(4); left > 0; left--) {
                sources.add(anyVersion(random));
            }
            prove("-Dseed=" + seed + " sequence=" + i, sources);
        }
    }

    /** Returns a version with a text and up to three other fields, and with records that have each value of each field. */
    private static String anyVersion(SplittableRandom random) {
        List<String> components = new ArrayList<>(List.of("String s"));
        List<List<String>> values = new ArrayList<>(List.of(List.of("\"x\"", "null")));
        String body = "";
        for (List<List<String>> choices : CHOICES) {
            List<String> choice = choices.get(random.nextInt(choices.size()));
            if (!choice.isEmpty()) {
                boolean isEnum = choice.get(0).startsWith(ENUM);
                body = isEnum
                        ? "public enum Color {" + String.join(", ", choice.subList(1, choice.size())) + "}"
                        : body;
                components.add(choice.get(0));
                values.add(choice.stream()
                        .skip(1)
                        .map(value -> isEnum ? "Color." + value : value)
                        .toList());
            }
        }
        String[] samples = new String[MAX_VALUES];
        for (int i = 0; i < samples.length; i++) {
            int record = i;
            samples[i] =
                    values.stream().map(some -> some.get(record % some.size())).collect(Collectors.joining(", "));
        }
        return version(String.join(", ", components), body, samples);
    }

    private void prove(String name, List<String> sources) {
        List<Version> versions = sources.stream()
                .map(source -> COMPILED.computeIfAbsent(source, Version::compile))
                .toList();
        for (Compatibility demanded : List.of(Compatibility.BACKWARD, Compatibility.FORWARD)) {
            SchemaLock lock =
                    SchemaLock.empty(demanded).accept(List.of(versions.get(0).descriptor()));
            List<Version> before = new ArrayList<>(List.of(versions.get(0)));
            for (Version version : versions.subList(1, versions.size())) {
                LockReport report = lock.check(List.of(version.descriptor()));
                boolean isRenamed =
                        report.violations().stream().map(Violation::rule).anyMatch(EvolutionRule.FIELD_RENAMED::equals);
                boolean isReadable = before.stream()
                        .allMatch(each -> demanded == Compatibility.BACKWARD
                                ? version.reads(each, isRenamed)
                                : each.reads(version, isRenamed));
                assertThat(report.isCompatible())
                        .as(
                                "%s: %s, version %s after %s: %s",
                                name, demanded, version.descriptor(), lock.text(), report.violations())
                        .isEqualTo(isReadable);
                int known = requireNonNull(lock.types().get("t")).size();
                lock = SchemaLock.parse(
                        lock.accept(List.of(version.descriptor())).text());
                List<LockedVersion> locked = requireNonNull(lock.types().get("t"));
                if (locked.get(locked.size() - 1).isBreaking() && locked.size() > known) {
                    before.clear();
                }
                before.add(version);
            }
        }
    }

    /** Counts the changes, so that a shorter table does not pass for this one. */
    @Test
    void sequences_haveMoreThanFiftyChanges() {
        assertThat(sequences()
                        .mapToInt(each -> ((List<?>) requireNonNull(each.get()[1])).size() - 1)
                        .sum())
                .isGreaterThan(50);
    }
}

package dev.touchstone.index.server.api.v2;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.SamplePrices;
import dev.touchstone.index.server.api.handler.HandlerFactory;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.QueryReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the readers of version 2 with the reader that makes a tree: the same queries, answers and errors, with the same places. */
@Timeout(120)
class TreeParityTest {
    private static final int DOCUMENTS = 5_000;
    private static final List<String> SPACES = List.of("", "", "", " ", "\n", "\t", "\r\n ", "\r");

    private final Limits limits = new Limits(1 << 16, 1 << 20, 5, 4, 14);
    private final PriceService service = new PriceService(SamplePrices.index(), limits);
    private final Json json = new Json(limits);
    private final TreeOracle oracle = new TreeOracle(service.index(), limits);
    private final QueryReader reader = new QueryReader(service, json);
    private final Response answer = new Response();
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private boolean isCompact;
    private int valid;
    private int refused;

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String answered() {
        return new String(answer.bytes(), 0, answer.size(), StandardCharsets.UTF_8);
    }

    /** Returns whether two documents are equal, their numbers by value: an id of 1.2e1 is answered as it came, by a tree as 12. */
    private boolean isSame(String found, String expected) {
        try {
            return oracle.tree(found).equals(TreeParityTest::byValue, oracle.tree(expected));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int byValue(JsonNode left, JsonNode right) {
        boolean areNumbers = left.isNumber() && right.isNumber();
        boolean isEqual = areNumbers ? left.decimalValue().compareTo(right.decimalValue()) == 0 : left.equals(right);
        return isEqual ? 0 : 1;
    }

    private String as(byte[] body) {
        return "-Dseed=" + seed + " " + new String(body, StandardCharsets.UTF_8);
    }

    /** Returns status and message of the answer, which is a refusal. */
    private String refusal() throws IOException {
        JsonNode error = oracle.tree(answered()).path("error");
        if (error.isMissingNode()) {
            return answered();
        }
        assertThat(error.get("status").intValue()).isEqualTo(answer.status());
        return plain(answer.status() + " " + error.get("message").textValue());
    }

    /** Returns a refusal without the token at which the end of the input came too early: a reader of trees has forgotten it. */
    private static String plain(String refusal) {
        return refusal.replaceAll("end-of-input in (null|END_OBJECT|END_ARRAY) ", "end-of-input ");
    }

    private String search(byte[] body) throws IOException {
        byte[] padded = new byte[body.length + 4];
        System.arraycopy(body, 0, padded, 2, body.length);
        answer.reset();
        boolean isRead = reader.read(padded, 2, 2 + body.length, answer);
        return isRead ? TreeOracle.shown(reader.query()) : refusal();
    }

    private void check(byte[] body) throws IOException {
        String found = search(body);
        String expected = isUtf8(body) ? plain(oracle.search(body)) : TreeOracle.FAILED;
        if (expected.equals(TreeOracle.FAILED)) {
            assertThat(found).as(as(body)).startsWith("4");
        } else {
            assertThat(found).as(as(body)).isEqualTo(expected);
        }
        if (found.startsWith("4")) {
            refused++;
        } else {
            valid++;
        }
    }

    private static boolean isUtf8(byte[] bytes) {
        boolean isWide = bytes.length > 1 && (bytes[0] == 0 || bytes[1] == 0); // Jackson takes it for UTF-16 or UTF-32
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return !isWide;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    @Test
    void searches_validAndMutated_areReadAlike() throws IOException {
        for (int i = 0; i < DOCUMENTS; i++) {
            byte[] body = utf8(search(false));
            check(body);
            check(mutated(body));
        }
        assertThat(valid).as("-Dseed=%d", seed).isGreaterThan(DOCUMENTS / 4);
        assertThat(refused).as("-Dseed=%d", seed).isGreaterThan(DOCUMENTS / 4);
    }

    @Test
    void lists_validAndMutated_areAnsweredAlike() throws IOException {
        Handler handler = new HandlerFactory(service).handler(Route.SEARCH_BULK);
        for (int i = 0; i < DOCUMENTS / 4; i++) {
            List<String> items = new ArrayList<>();
            for (int left = random.nextInt(random.nextInt(20) == 0 ? 8 : 4); left > 0; left--) {
                items.add(random.nextInt(20) == 0 ? any(2) : search(true));
            }
            byte[] body = utf8(space() + "[" + String.join(space() + "," + space(), items) + "]" + space());
            body = random.nextInt(3) == 0 ? mutated(body) : body;
            answer.reset();
            handler.handle(body, 0, body.length, answer);
            if (!isUtf8(body)) {
                assertThat(answer.status()).as(as(body)).isEqualTo(400);
                continue;
            }
            Object expected = oracle.bulk(body);
            if (expected instanceof JsonNode answers) {
                assertThat(answer.status()).as(as(body)).isEqualTo(200);
                assertThat(answered())
                        .as(as(body))
                        .matches(found -> isSame(found, answers.toString()), answers.toString());
            } else if (!expected.equals(TreeOracle.FAILED)) {
                assertThat(refusal()).as(as(body)).isEqualTo(plain(expected.toString()));
            }
        }
    }

    @Test
    void explanationsOfLists_areThoseOfEachSearch() throws IOException {
        Handler bulk = new HandlerFactory(service).handler(Route.EXPLAIN_BULK);
        Limits lower = new Limits(1 << 16, 1 << 20, 5, 4, limits.depth() - 1); // the list is one level
        Handler single = new HandlerFactory(new PriceService(service.index(), lower)).handler(Route.EXPLAIN);
        for (int i = 0; i < DOCUMENTS / 4; i++) {
            List<String> items = new ArrayList<>();
            ArrayNode expected = JsonNodeFactory.instance.arrayNode();
            boolean isJson = true;
            for (int left = random.nextInt(4); left > 0; left--) {
                byte[] item = utf8(search(false));
                answer.reset();
                single.handle(item, 0, item.length, answer);
                isJson &= !answered().contains("not JSON");
                items.add(new String(item, StandardCharsets.UTF_8));
                expected.add(oracle.tree(answered()));
            }
            byte[] body = utf8("[" + String.join(",", items) + "]");
            answer.reset();
            bulk.handle(body, 0, body.length, answer);
            assertThat(answer.status()).as(as(body)).isEqualTo(isJson ? 200 : 400);
            if (isJson) {
                String found = answered().replace("known are conditions, id,", "known are conditions,");
                assertThat(oracle.tree(found)).as(as(body)).isEqualTo(expected);
            }
        }
    }

    @Test
    void updates_validAndMutated_areReadAlike() throws IOException {
        UpdateHandler handler = new UpdateHandler(service, json);
        for (int i = 0; i < DOCUMENTS / 2; i++) {
            byte[] body = utf8(update());
            body = random.nextInt(2) == 0 ? mutated(body) : body;
            String found;
            try {
                UpdateHandler.Changes changes = handler.changes(body, 0, body.length);
                List<String> removed = changes.removed().stream()
                        .map(each -> each.offering() + "/" + each.id())
                        .toList();
                found = "removed " + removed + " put " + changes.put();
            } catch (RequestException e) {
                found = plain(e.status() + " " + e.text());
            }
            String expected = isUtf8(body) ? plain(oracle.update(body)) : TreeOracle.FAILED;
            if (expected.equals(TreeOracle.FAILED)) {
                assertThat(found).as(as(body)).startsWith("4");
            } else {
                assertThat(found).as(as(body)).isEqualTo(expected);
            }
        }
    }

    private byte[] mutated(byte[] body) {
        byte[] changed = body.clone();
        int at = random.nextInt(body.length);
        byte[] odd = {
            0,
            '"',
            '\\',
            '{',
            '}',
            '[',
            ']',
            ',',
            ':',
            ' ',
            'x',
            '0',
            '-',
            '.',
            'e',
            (byte) 0xC3,
            (byte) 0xED,
            (byte) 0xFF
        };
        switch (random.nextInt(4)) {
            case 0 -> changed[at] = odd[random.nextInt(odd.length)];
            case 1 -> changed[at] = (byte) random.nextInt(256);
            case 2 -> changed = Arrays.copyOf(body, at); // may be empty
            default -> {
                changed = Arrays.copyOf(body, body.length + 1);
                System.arraycopy(body, at, changed, at + 1, body.length - at);
                changed[at] = odd[random.nextInt(odd.length)];
            }
        }
        return changed;
    }

    private String space() {
        return isCompact ? "" : SPACES.get(random.nextInt(SPACES.size()));
    }

    private boolean isRare() {
        return random.nextInt(25) == 0;
    }

    private String pick(String... texts) {
        return texts[random.nextInt(texts.length)];
    }

    /** Returns a JSON string, some of whose characters may be escaped. */
    private String text(String text) {
        StringBuilder json = new StringBuilder("\"");
        int escaped = random.nextInt(4) == 0 ? 3 : Integer.MAX_VALUE;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c) || random.nextInt(escaped) == 0) {
                String unit = String.format(Locale.ROOT, random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) c);
                json.append(c == '\n' ? "\\n" : c == '"' ? "\\\"" : unit);
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    private String any(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 6)) {
            case 0 -> "null";
            case 1 -> pick("true", "false");
            case 2 -> number();
            case 3, 4 -> text(pick("", "red", "o0", "blau gr\u00fcn", "\u732b", "\ud83d\ude00", "\ud83d"));
            case 5 -> pick("[]", "{}", "[".repeat(13) + "]".repeat(13), "{\"a\":1,\"a\":2}");
            case 6, 7 -> "[" + space() + any(depth - 1) + space() + "," + any(depth - 1) + "]";
            default ->
                "{" + text("a") + ":" + any(depth - 1) + space() + "," + space() + text("b") + ":" + any(0) + "}";
        };
    }

    private String number() {
        return pick(
                "0",
                "-0",
                "1",
                "12",
                "12.0",
                "1.2e1",
                "120e-1",
                "-7",
                "1.43",
                "0.00",
                "-0.0",
                "1e3",
                "1E-3",
                "36",
                "9223372036854775807",
                "9223372036854775808",
                "-9223372036854775808",
                "123456789012345678",
                "1e-100000000",
                "1e100000000",
                "1e99999999999",
                "1.5",
                "5",
                "1".repeat(64),
                "1".repeat(65),
                "-" + "1".repeat(64),
                "0." + "1".repeat(63),
                "0." + "1".repeat(64),
                "1" + "0".repeat(58) + "e10",
                "01",
                "1.",
                "-",
                "1e",
                "+1");
    }

    private String object(List<String> members) {
        Collections.shuffle(members, random);
        if (isRare() && !members.isEmpty()) {
            members.add(members.get(0));
        }
        if (isRare()) {
            members.add(text(pick("odd", "\u732b", "x".repeat(90))) + ":" + any(2));
        }
        return space() + "{" + space() + String.join(space() + "," + space(), members) + space() + "}" + space();
    }

    private String member(String name, String value) {
        return text(name) + space() + ":" + space() + (isRare() ? any(2) : value);
    }

    private String search(boolean isItem) {
        isCompact = random.nextBoolean();
        List<String> members = new ArrayList<>();
        if (random.nextInt(3) > 0) {
            members.add(member("offering", text(pick("o0", "o1", "dup", "none", "", "\u732b"))));
        }
        if (random.nextInt(3) == 0) {
            String policy = pick("ERROR", "DEFAULT", "SPECIFIC", "FIRST", "ALL");
            members.add(
                    member("policy", text(isRare() ? policy.toLowerCase(Locale.ROOT) : isRare() ? "best" : policy)));
        }
        if (random.nextInt(4) == 0) {
            members.add(member("limit", pick("1", "3", "5", "5.0", "1e0", "0", "6", "null", "1e10")));
        }
        if (random.nextInt(3) == 0) {
            members.add(member("wildcards", pick("true", "false", "null", "1")));
        }
        if (random.nextInt(4) == 0) {
            members.add(member(
                    "precedence",
                    pick(
                            "[]",
                            "[\"term\"]",
                            "[\"spec\", \"colour\",\"spec\"]",
                            "[\"size\"]",
                            "[1]",
                            "null",
                            "\"term\"")));
        }
        if (isItem && random.nextInt(3) > 0) {
            members.add(member("id", pick("1", "\"b\"", "null", "true", "1.50", "\"\\u732b\\n\"", "[1]", "-0", "1e3")));
        }
        if (random.nextInt(5) > 0) {
            List<String> conditions = new ArrayList<>();
            for (int left = random.nextInt(isRare() ? 7 : 4); left > 0; left--) {
                conditions.add(condition());
            }
            members.add(member("conditions", "[" + String.join(space() + "," + space(), conditions) + space() + "]"));
        }
        return object(members);
    }

    private String condition() {
        return condition(3);
    }

    /** Returns a condition, which may have queries nested in it down to a depth. */
    private String condition(int depth) {
        if (depth > 0 && random.nextInt(6) == 0) {
            return group(depth - 1);
        }
        String field = pick("colour", "group", "spec", "term", "amount", "from");
        boolean isText = List.of("colour", "group", "spec").contains(field);
        String op = isText && !isRare()
                ? pick("eq", "ne", "in", "notIn")
                : pick("eq", "ne", "in", "notIn", "between", "atLeast", "atMost", "greaterThan", "lessThan");
        List<String> members = new ArrayList<>();
        members.add(member("field", text(isRare() ? pick("size", "\u732b", "") : field)));
        if (!op.equals("eq") || random.nextBoolean()) {
            members.add(member("op", isRare() ? pick("null", "\"like\"", "7") : text(op)));
        }
        if (op.endsWith("n") && !op.startsWith("b") && !op.endsWith("Than")) {
            List<String> values = new ArrayList<>();
            for (int left = random.nextInt(isRare() ? 9 : 5); left > 0; left--) {
                values.add(value(field));
            }
            members.add(member("values", "[" + space() + String.join(space() + "," + space(), values) + "]"));
        } else if (op.equals("between")) {
            members.add(member("from", value(field)));
            members.add(member("to", value(field)));
        } else {
            members.add(member("value", value(field)));
        }
        if (isRare()) {
            members.remove(0);
        }
        if (isRare()) {
            members.add(member("values", "[]"));
        }
        return isRare() ? any(1) : object(members);
    }

    private String group(int depth) {
        List<String> queries = new ArrayList<>();
        for (int left = random.nextInt(isRare() ? 300 : 4); left > 0; left--) {
            List<String> members = new ArrayList<>();
            if (random.nextInt(3) == 0) {
                members.add(member("wildcards", pick("true", "false", "null")));
            }
            List<String> conditions = new ArrayList<>();
            for (int more = random.nextInt(isRare() ? 7 : 3); more > 0; more--) {
                conditions.add(condition(depth));
            }
            members.add(member("conditions", "[" + String.join(space() + "," + space(), conditions) + space() + "]"));
            queries.add(isRare() ? any(1) : object(members));
        }
        List<String> members = new ArrayList<>();
        members.add(
                member(pick("anyOf", "noneOf"), "[" + space() + String.join("," + space(), queries) + space() + "]"));
        if (isRare()) {
            members.add(member(pick("field", "anyOf", "noneOf"), pick("\"term\"", "[]")));
        }
        return object(members);
    }

    private String value(String field) {
        if (isRare()) {
            return any(1);
        }
        return switch (field) {
            case "term" -> random.nextBoolean() ? number() : text(pick("12", "+24", "-0", "x", "12.0", "\u0661"));
            case "amount" -> random.nextBoolean() ? number() : text(pick("1.43", "0.5", "x", "1e3", "1".repeat(65)));
            case "from" ->
                text(pick(
                        "1970-01-01T00:00:01Z",
                        "1970-01-01T00:00:01.0000001+01:00",
                        "+999999999-01-01T00:00Z",
                        "soon"));
            default ->
                text(pick(
                        "red",
                        "green",
                        "blau gr\u00fcn",
                        "MRC",
                        "N\"R\u00e9C",
                        "group0",
                        "",
                        "\ud83d\ude00\u732b",
                        "\ud83d",
                        "a\nb"));
        };
    }

    private String update() {
        isCompact = random.nextBoolean();
        List<String> lists = new ArrayList<>();
        if (random.nextInt(4) > 0) {
            lists.add(member("put", "[" + space() + String.join(space() + "," + space(), items(this::price)) + "]"));
        }
        if (random.nextInt(4) > 0) {
            lists.add(
                    member("remove", "[" + String.join(space() + "," + space(), items(this::removal)) + space() + "]"));
        }
        return object(lists);
    }

    private List<String> items(Supplier<String> item) {
        List<String> items = new ArrayList<>();
        for (int left = random.nextInt(isRare() ? 7 : 3); left > 0; left--) {
            items.add(isRare() ? any(1) : item.get());
        }
        return items;
    }

    private String several(String field) {
        List<String> values = new ArrayList<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            values.add(value(field));
        }
        return "[" + space() + String.join(space() + "," + space(), values) + space() + "]";
    }

    private String removal() {
        return object(new ArrayList<>(List.of(
                member("offering", text(pick("o0", "dup", ""))), member("id", text(pick("1", "2", "\u732b"))))));
    }

    private String price() {
        List<String> members = new ArrayList<>(List.of(
                member("offering", text(pick("o0", "dup", ""))),
                member("id", text(pick("1", "2", "\u732b", ""))),
                member("value", random.nextBoolean() ? pick("1", "49.90", "-0.5") : value("amount"))));
        if (random.nextBoolean()) {
            List<String> conditions = new ArrayList<>();
            for (String field : List.of("colour", "term", "amount", "from", "spec")) {
                if (random.nextInt(3) == 0) {
                    conditions.add(member(field, random.nextInt(5) == 0 ? pick("null", several(field)) : value(field)));
                }
            }
            members.add(member("conditions", object(conditions)));
        }
        if (random.nextInt(3) == 0) {
            members.add(member("currency", pick("\"EUR\"", "null", "5")));
        }
        if (random.nextInt(3) == 0) {
            members.add(member("default", pick("true", "false", "null", "\"true\"")));
        }
        if (random.nextInt(3) == 0) {
            members.add(member("payload", pick("\"a\\tb\"", "null", "\"\"")));
        }
        return object(members);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v2/search",
                "/v2/search/bulk",
                "/v2/explain",
                "/v2/explain/bulk",
                "/v2/search/page",
                "/v2/count",
                "/v2/prices",
                "/v4/search/bitmap/bulk/prices"
            })
    void randomBytes_areRefused(String path) {
        Handler handler = new HandlerFactory(service).handler(Objects.requireNonNull(Route.of(path)));
        String alphabet = "{}[]\",:\\ue0019.-+tfn \n\u00e9\u732bidvaluesfieldoptopolicy";
        for (int i = 0; i < DOCUMENTS; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "{\"" : "[{\"");
            for (int left = random.nextInt(60); left > 0; left--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            byte[] body = utf8(text.toString());
            answer.reset();
            handler.handle(body, 0, body.length, answer);
            assertThat(answer.status()).as(as(body)).isIn(400, 422);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[", "{\"a\":", "{\"conditions\":[", "{\"conditions\":[{\"field\":", "[{\"id\":", "{\"put\":["})
    void deepNesting_isRefusedWithoutRecursion(String begin) throws IOException {
        byte[] body = utf8(begin + "[".repeat(500_000));
        check(body);
        answer.reset();
        new HandlerFactory(service).handler(Route.SEARCH_BULK).handle(body, 0, body.length, answer);
        assertThat(answer.status()).isEqualTo(400);
        answer.reset();
        new HandlerFactory(service).handler(Route.UPDATE).handle(body, 0, body.length, answer);
        assertThat(answer.status()).isEqualTo(400);
    }

    @Test
    void mark_ofUtf8_isSkipped() throws IOException {
        check(utf8("\ufeff{\"offering\":\"o0\"}"));
        assertThat(valid).isEqualTo(1);
    }

    @Test
    void loneSurrogates_areExplained() throws IOException {
        byte[] body = utf8("{\"conditions\":[{\"field\":\"colour\",\"value\":\"\\udc00\"}]}");
        new HandlerFactory(service).handler(Route.EXPLAIN).handle(body, 0, body.length, answer);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(oracle.tree(answered()).at("/killer/condition").textValue()).isEqualTo("colour = \udc00");
    }
}
